/** A task in execution, as the owner of its attempts. */
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { Outcome } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import type { AttemptsOwner, StoredAttempts } from "./attempts.ts";
import type { ChildReports } from "./open-children.ts";
import type { AttemptTools } from "./running-attempt.ts";
import type { AwaitedChild, Effect, Pure, RunSubstep } from "./step-context.ts";
import type { Substeps } from "./substeps.ts";

/** What a run learns of its tasks. */
export interface TaskReports {
  onLog(task: Task, lines: readonly string[]): void;
  onDelta(task: Task, text: string): void;
  onAwaitChild(): void;
  onSettled(task: Task, outcome: Outcome): void;
}

type TaskParts = Omit<AttemptsOwner, keyof TaskMethods> & {
  readonly substeps: Substeps;
  /** Number of the iteration or the item, from 1. */
  readonly iteration: number;
};

type TaskMethods = Pick<AttemptsOwner, "runSubstep" | "onLog" | "onDelta" | "onAwaitChild" | "onSettled">;

/** A class for the same reason as {@link Attempts}. */
export class RunningTask implements AttemptsOwner {
  readonly executable: Effect | Pure;
  readonly scope: ExpressionScope;
  readonly stepKey: string;
  readonly idempotencyKey: string;
  readonly tools: AttemptTools;
  readonly children: ChildReports;
  readonly stored: StoredAttempts | undefined;
  private readonly task: Task;
  private readonly reports: TaskReports;
  private readonly substeps: Substeps;
  private readonly iteration: number;

  constructor(task: Task, reports: TaskReports, parts: TaskParts) {
    this.executable = parts.executable;
    this.scope = parts.scope;
    this.stepKey = parts.stepKey;
    this.idempotencyKey = parts.idempotencyKey;
    this.tools = parts.tools;
    this.children = parts.children;
    this.stored = parts.stored;
    this.task = task;
    this.reports = reports;
    this.substeps = parts.substeps;
    this.iteration = parts.iteration;
  }

  runSubstep(...substep: Parameters<RunSubstep>): Promise<Outcome> {
    return this.substeps.run(`${this.task.index}.${this.iteration}`, this, ...substep);
  }

  onLog(lines: readonly string[]): void {
    this.reports.onLog(this.task, lines);
  }

  onDelta(text: string): void {
    this.reports.onDelta(this.task, text);
  }

  onAwaitChild(_child: AwaitedChild): void {
    this.reports.onAwaitChild();
  }

  onSettled(outcome: Outcome): void {
    this.reports.onSettled(this.task, outcome);
  }
}
