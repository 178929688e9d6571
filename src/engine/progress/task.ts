/** What a run executes at once: a step, or one item of its `for_each`. The same object as long as it is open. */
export interface Task {
  /** Index of the step in its version. */
  readonly index: number;
  /** Index of the item, or null for a whole step. */
  readonly item: number | null;
}
