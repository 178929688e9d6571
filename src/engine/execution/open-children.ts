/**
 * The child runs of a run that have not ended, including those that no task waits for any more: their cancellation may not
 * be stored yet. The run stores these with the outcomes that made them unneeded, so that they are canceled after a crash.
 */
import type { Task } from "../progress/task.ts";
import type { Attempt } from "./step-context.ts";

/** How attempts report their child runs. */
export type ChildReports = Pick<Attempt, "openChild" | "closeChild">;

export interface OpenChildren {
  /** Call this when a task is executed. */
  reportsOf(task: Task): ChildReports;
  /** Call this when the task has settled or was dropped: nothing waits for its child runs any more. */
  release(task: Task): void;
  all(): readonly string[];
  /** The child runs that no task waits for. */
  unneeded(): readonly string[];
}

/** @param before Child runs that an earlier process may not have canceled. */
export function createOpenChildren(before: readonly string[] = []): OpenChildren {
  const needed = new Map<Task, Set<string> | undefined>();
  const unneeded = new Set(before);

  return {
    reportsOf(task) {
      // Few tasks have child runs.
      let own: Set<string> | undefined;
      needed.set(task, own);
      return {
        openChild(runId) {
          if (!needed.has(task) || needed.get(task) !== own) return void unneeded.add(runId);
          own ??= new Set();
          needed.set(task, own.add(runId));
        },
        closeChild(runId) {
          own?.delete(runId);
          unneeded.delete(runId);
        },
      };
    },

    release(task) {
      for (const runId of needed.get(task) ?? []) unneeded.add(runId);
      needed.delete(task);
    },

    all: () => [...unneeded, ...[...needed.values()].flatMap((own) => [...(own ?? [])])],
    unneeded: () => [...unneeded],
  };
}
