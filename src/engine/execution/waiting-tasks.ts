/** The waiting tasks of a run, as callers and events settle them. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "../progress/progress.ts";
import { outcomeOfWait } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import type { RunLoop } from "./execution-types.ts";
import type { PendingOutcomes } from "./pending-outcomes.ts";

export function createWaitingTasks(parts: {
  plan: Plan;
  progress: Progress;
  pending: PendingOutcomes;
  clock: Clock;
  /** How often the run was retried. */
  retries(): number;
  /** Called when outcomes are to be stored. */
  onRequested(): void;
}): Pick<RunLoop, "isWaiting" | "provide" | "receive"> {
  const { plan, progress, pending, clock, retries, onRequested } = parts;

  /** The task of a step that waits for input. */
  function find(index: number): Task | undefined {
    const task = plan.steps[index]?.executable.kind === "wait" ? progress.task(index, null) : undefined;
    return task === undefined || pending.has(task) ? undefined : task;
  }

  /** All that an event settles goes into one commit, because a run that has received it does not receive it again. */
  function receiveOne(event: ReceivedEvent): Promise<boolean>[] {
    return progress
      .waitingFor(event)
      .filter((task) => !pending.has(task))
      .map((task) => pending.request(task, outcomeOfWait(clock.now(), { ...event })));
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
