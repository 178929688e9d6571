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
  const needed = new Map<Task, TaskChildren>();
  const unneeded = new Set(before);

  return {
    reportsOf(task) {
      const own = new TaskChildren(unneeded);
      needed.set(task, own);
      return own;
    },

    release(task) {
      needed.get(task)?.release();
      needed.delete(task);
    },

    all: () => [...unneeded, ...[...needed.values()].flatMap((own) => own.all())],
    unneeded: () => (unneeded.size === 0 ? NONE : [...unneeded]),
  };
}

const NONE: readonly string[] = [];

class TaskChildren implements ChildReports {
  /** Few tasks have child runs. */
  private own: Set<string> | undefined;
  private isReleased = false;
  private readonly unneeded: Set<string>;

  constructor(unneeded: Set<string>) {
    this.unneeded = unneeded;
  }

  openChild(runId: string): void {
    if (this.isReleased) return void this.unneeded.add(runId);
    this.own ??= new Set();
    this.own.add(runId);
  }

  closeChild(runId: string): void {
    this.own?.delete(runId);
    this.unneeded.delete(runId);
  }

  release(): void {
    this.isReleased = true;
    for (const runId of this.own ?? NONE) this.unneeded.add(runId);
  }

  all(): readonly string[] {
    return this.own === undefined ? NONE : [...this.own];
  }
}
