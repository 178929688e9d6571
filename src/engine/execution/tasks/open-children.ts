/**
 * The child runs of a run that have not ended, including those that no task waits for any more: their cancellation may not
 * be stored yet. The run stores these with the outcomes that made them unneeded, so that they are canceled after a crash.
 */
/** How attempts report their child runs. */
export interface ChildReports {
  openChild(runId: string): void;
  closeChild(runId: string): void;
}

export class OpenChildren {
  /** Few runs have child runs. */
  private tasks: Set<ReadonlySet<string>> | undefined;
  private unneededIds: Set<string> | undefined;

  /** @param before Child runs that an earlier process may not have canceled. */
  constructor(before: readonly string[] = NONE) {
    if (before.length > 0) this.unneededIds = new Set(before);
  }

  /** Returns the child runs of a task in execution, to be filled. */
  ofTask(): Set<string> {
    const children = new Set<string>();
    this.tasks ??= new Set();
    this.tasks.add(children);
    return children;
  }

  all(): readonly string[] {
    const { tasks, unneededIds } = this;
    return tasks === undefined && unneededIds === undefined
      ? NONE
      : [...(unneededIds ?? NONE), ...[...(tasks ?? [])].flatMap((children) => [...children])];
  }

  /** The child runs that no task waits for. */
  unneeded(): readonly string[] {
    return this.unneededIds === undefined ? NONE : [...this.unneededIds];
  }

  markUnneeded(runId: string): void {
    this.unneededIds ??= new Set();
    this.unneededIds.add(runId);
  }

  markEnded(runId: string): void {
    this.unneededIds?.delete(runId);
  }

  /** Call this when the task has settled or was dropped: nothing waits for its child runs any more. */
  release(children: ReadonlySet<string>): void {
    this.tasks?.delete(children);
    for (const runId of children) this.markUnneeded(runId);
  }
}

const NONE: readonly string[] = [];
