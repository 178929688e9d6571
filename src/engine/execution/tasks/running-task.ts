/** A task in execution, as the owner of its attempts. */
import type { ExpressionScope } from "../../expressions/expression-scope.ts";
import type { Outcome } from "../../progress/step-state.ts";
import type { Task } from "../../progress/task.ts";
import type { StepError } from "../../step-error.ts";
import type { Attempt, AwaitedChild, Effect, Pure, Substep } from "../step-context.ts";
import { Attempts, type AttemptsOwner, type FailedAttempt, type StoredAttempts } from "./attempts.ts";
import type { OpenChildren } from "./open-children.ts";
import type { AttemptTools } from "./running-attempt.ts";
import type { Substeps } from "./substeps.ts";

/** What the tasks of a run share, and what it learns of them. */
export interface TaskOwner {
  readonly tools: AttemptTools;
  readonly substeps: Substeps;
  readonly openChildren: OpenChildren;
  onTaskLog(task: Task, lines: readonly string[]): void;
  onTaskDelta(task: Task, text: string): void;
  onTaskRetrying(task: Task, failed: FailedAttempt): void;
  onTaskAwaitsChild(): void;
  onTaskSettled(task: Task, outcome: Outcome): void;
}

export class RunningTask implements AttemptsOwner {
  readonly executable: Effect | Pure;
  readonly scope: ExpressionScope;
  readonly stepKey: string;
  readonly idempotencyKey: string;
  readonly tools: AttemptTools;
  readonly stored: StoredAttempts;
  readonly attempts: Attempts;
  private readonly task: Task;
  /** Number of the iteration or the item, from 1. */
  private readonly iteration: number;
  private readonly owner: TaskOwner;
  private isReleased = false;
  /** Few tasks have child runs. */
  private children: Set<string> | undefined;

  constructor(
    owner: TaskOwner,
    task: Task,
    iteration: number,
    parts: Pick<AttemptsOwner, "executable" | "scope" | "stepKey" | "idempotencyKey"> & { stored: StoredAttempts },
  ) {
    this.executable = parts.executable;
    this.scope = parts.scope;
    this.stepKey = parts.stepKey;
    this.idempotencyKey = parts.idempotencyKey;
    this.tools = owner.tools;
    this.stored = parts.stored;
    this.task = task;
    this.iteration = iteration;
    this.owner = owner;
    this.attempts = new Attempts(this);
  }

  /** Stops it, and gives up its child runs. Nothing is reported afterwards. */
  drop(reason: StepError): void {
    this.releaseChildren();
    this.attempts.stop(reason);
  }

  runSubstep(substep: Substep, within: Attempt): Promise<Outcome> {
    return this.owner.substeps.run(`${this.task.index}.${this.iteration}`, this, substep, within);
  }

  openChild(runId: string): void {
    const { openChildren } = this.owner;
    if (this.isReleased) openChildren.markUnneeded(runId);
    else {
      this.children ??= openChildren.ofTask();
      this.children.add(runId);
    }
  }

  closeChild(runId: string): void {
    this.children?.delete(runId);
    this.owner.openChildren.markEnded(runId);
  }

  onLog(lines: readonly string[]): void {
    this.owner.onTaskLog(this.task, lines);
  }

  onDelta(text: string): void {
    this.owner.onTaskDelta(this.task, text);
  }

  onRetrying(failed: FailedAttempt): void {
    this.owner.onTaskRetrying(this.task, failed);
  }

  /** The attempts of a substep count as attempts of the task. */
  onSubstepRetrying(failed: FailedAttempt): void {
    this.onRetrying({ ...failed, number: this.attempts.count() + failed.number - 1 });
  }

  onAwaitChild(_child: AwaitedChild): void {
    this.owner.onTaskAwaitsChild();
  }

  onSettled(outcome: Outcome): void {
    this.releaseChildren();
    this.owner.onTaskSettled(this.task, outcome);
  }

  private releaseChildren(): void {
    this.isReleased = true;
    if (this.children !== undefined) this.owner.openChildren.release(this.children);
  }
}
