/** What a run executes at once: a step, or one item of its `for_each`. The same object as long as it is open. */
export interface Task {
  /** Index of the step in its version. */
  readonly index: number;
  /** Index of the item, or null for a whole step. */
  readonly item: number | null;
}

/** Names a task in a stored document: `INDEX`, or `INDEX.ITEM`. */
export const taskName = ({ index, item }: Task): string => (item === null ? String(index) : `${index}.${item}`);
