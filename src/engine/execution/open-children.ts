/**
 * The child runs of a run that have not ended, including those that no task waits for any more: their cancellation may not
 * be stored yet. The run stores these with the outcomes that made them unneeded, so that they are canceled after a crash.
 */
import type { Task } from "../progress/task.ts";
import type { Attempt } from "./step-context.ts";

/** How attempts report their child runs. */
export type ChildReports = Pick<Attempt, "openChild" | "closeChild">;

export interface OpenChildren {
  reportsOf(task: Task): ChildReports;
  all(): readonly string[];
  /** The child runs of tasks that are not running any more. */
  unneeded(running: ReadonlyMap<Task, unknown>): readonly string[];
}

/** @param before Child runs that an earlier process may not have canceled. */
export function createOpenChildren(before: readonly string[] = []): OpenChildren {
  const tasks = new Map<string, Task | null>(before.map((runId) => [runId, null]));

  return {
    reportsOf: (task) => ({
      openChild: (runId) => void tasks.set(runId, task),
      closeChild: (runId) => void tasks.delete(runId),
    }),
    all: () => [...tasks.keys()],
    unneeded: (running) => [...tasks].flatMap(([runId, task]) => (task !== null && running.has(task) ? [] : [runId])),
  };
}
