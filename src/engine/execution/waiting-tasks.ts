/** The waiting tasks of a run, as callers and events settle them. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { RunEventEmitter } from "../events/run-event-emitter.ts";
import type { Progress } from "../progress/progress.ts";
import { outcomeOfWait } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { StepError } from "../step-error.ts";
import type { RunLoop } from "./execution-types.ts";
import type { PendingOutcomes } from "./pending-outcomes.ts";

export function createWaitingTasks(parts: {
  document: Pick<RunDocument, "id">;
  plan: Plan;
  progress: Progress;
  logger: Logger;
  emitter: Pick<RunEventEmitter, "emitLog">;
  pending: PendingOutcomes;
  clock: Clock;
  /** How often the run was retried. */
  retries(): number;
  /** Called when outcomes are to be stored. */
  onRequested(): void;
}): Pick<RunLoop, "isWaiting" | "provide" | "receive"> {
  const { document, plan, progress, logger, emitter, pending, clock, retries, onRequested } = parts;

  /** The task of a step that waits for input. */
  function find(index: number): Task | undefined {
    const task = plan.steps[index]?.executable.kind === "wait" ? progress.task(index, null) : undefined;
    return task === undefined || pending.has(task) ? undefined : task;
  }

  /** All that an event settles goes into one commit, because a run that has received it does not receive it again. */
  function receiveOne(event: ReceivedEvent): Promise<boolean>[] {
    return progress
      .waitingFor(event, (task, error, isFirst) => onConditionFailure(event, task, error, isFirst))
      .filter((task) => !pending.has(task))
      .map((task) => pending.request(task, outcomeOfWait(clock.now(), { ...event })));
  }

  /** Other senders may leave out the fields of a condition, so only the first failure is a warning. */
  function onConditionFailure(event: ReceivedEvent, { index }: Task, error: StepError, isFirst: boolean): void {
    const step = plan.steps[index]?.step.key ?? "";
    const line = `The event ${event.id} does not match, because the condition cannot be evaluated: ${error.message}`;
    emitter.emitLog(step, instant(clock.now()), [line], null);
    const fields = { run: document.id, step, event: event.id, error };
    logger[isFirst ? "warn" : "info"]("the condition of a wait could not be evaluated for an event", fields);
  }

  return {
    isWaiting(index, wait) {
      const task = find(index);
      if (task === undefined || wait === undefined) return task !== undefined;
      return progress.iteration(task) === wait.iteration && retries() === wait.retries;
    },

    provide(index, output: JsonValue) {
      const task = find(index);
      if (task === undefined) return Promise.resolve(false);
      const stored = pending.request(task, outcomeOfWait(clock.now(), output));
      onRequested();
      return stored;
    },

    async receive(events) {
      const stored: Promise<boolean>[][] = [];
      for (const event of events) {
        // Each evaluates the conditions of the run.
        if (plan.pace.isDue()) await plan.pace.nextTurn();
        stored.push(receiveOne(event));
      }
      if (stored.some((one) => one.length > 0)) onRequested();
      const all = await Promise.all(stored.map((one) => Promise.all(one)));
      return {
        settled: all.map((one) => one.filter(Boolean).length),
        isComplete: all.every((one) => one.length === 0 || one.includes(true)),
      };
    },
  };
}
