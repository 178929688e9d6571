/** The waiting tasks of a run, as callers and events settle them. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change } from "../../ports/store.ts";
import type { InputWait } from "../../runs/run-executor.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { RunEventEmitter } from "../events/run-event-emitter.ts";
import type { Progress } from "../progress/progress.ts";
import { outcomeOfWait } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { StepError } from "../step-error.ts";
import type { ExecutionContext, Received } from "./execution-types.ts";
import type { PendingOutcomes } from "./pending-outcomes.ts";

/** The run whose tasks wait. */
export interface WaitingTasksOwner {
  readonly plan: Plan;
  readonly progress: Progress;
  readonly emitter: Pick<RunEventEmitter, "emitLog">;
  readonly lifecycle: { readonly pending: PendingOutcomes };
  readonly document: Pick<RunDocument, "id" | "retries">;
  /** Stores outcomes that have been requested. */
  storeIfIdle(): void;
}

export class WaitingTasks {
  private readonly run: WaitingTasksOwner;
  private readonly clock: Clock;
  private readonly logger: Logger;

  constructor(run: WaitingTasksOwner, { clock, logger }: Pick<ExecutionContext, "clock" | "logger">) {
    this.run = run;
    this.clock = clock;
    this.logger = logger;
  }

  /** Whether the step is waiting and has not received its input. @param wait Which wait it must be. @default any */
  isWaiting(index: number, wait?: InputWait): boolean {
    const { progress, document } = this.run;
    const task = this.find(index);
    if (task === undefined || wait === undefined) return task !== undefined;
    return progress.iteration(task) === wait.iteration && (document.retries ?? 0) === wait.retries;
  }

  /**
   * Settles a step that {@link isWaiting} with the output of a caller. Resolves with true when the commit that holds it is
   * stored, or with false if the run has left memory without it. Rejects if that is unknown.
   * @param changes Part of that commit.
   */
  provide(index: number, output: JsonValue, changes: readonly Change[] = []): Promise<boolean> {
    const task = this.find(index);
    if (task === undefined) return Promise.resolve(false);
    const stored = this.run.lifecycle.pending.request(task, outcomeOfWait(this.clock.now(), output), changes);
    this.run.storeIfIdle();
    return stored;
  }

  /** Settles the steps that wait for one of these events. Resolves when that is stored. */
  async receive(events: readonly ReceivedEvent[]): Promise<Received> {
    const { pace } = this.run.plan;
    const stored: Promise<boolean>[][] = [];
    for (const event of events) {
      // Each evaluates the conditions of the run.
      if (pace.isDue()) await pace.nextTurn();
      stored.push(this.receiveOne(event));
    }
    if (stored.some((one) => one.length > 0)) this.run.storeIfIdle();
    const all = await Promise.all(stored.map((one) => Promise.all(one)));
    return {
      settled: all.map((one) => one.filter(Boolean).length),
      isComplete: all.every((one) => one.length === 0 || one.includes(true)),
    };
  }

  /** The task of a step that waits for input. */
  private find(index: number): Task | undefined {
    const { plan, progress, lifecycle } = this.run;
    const task = plan.steps[index]?.executable.kind === "wait" ? progress.task(index, null) : undefined;
    return task === undefined || lifecycle.pending.has(task) ? undefined : task;
  }

  /** All that an event settles goes into one commit, because a run that has received it does not receive it again. */
  private receiveOne(event: ReceivedEvent): Promise<boolean>[] {
    const { progress, lifecycle } = this.run;
    const { pending } = lifecycle;
    return progress
      .waitingFor(event, (task, error, isFirst) => this.onConditionFailure(event, task, error, isFirst))
      .filter((task) => !pending.has(task))
      .map((task) => pending.request(task, outcomeOfWait(this.clock.now(), { ...event })));
  }

  /** Other senders may leave out the fields of a condition, so only the first failure is a warning. */
  private onConditionFailure(event: ReceivedEvent, { index }: Task, error: StepError, isFirst: boolean): void {
    const { plan, emitter, document } = this.run;
    const step = plan.steps[index]?.step.key ?? "";
    const line = `The event ${event.id} does not match, because the condition cannot be evaluated: ${error.message}`;
    emitter.emitLog(step, instant(this.clock.now()), [line], null);
    const fields = { run: document.id, step, event: event.id, error };
    this.logger[isFirst ? "warn" : "info"]("the condition of a wait could not be evaluated for an event", fields);
  }
}
