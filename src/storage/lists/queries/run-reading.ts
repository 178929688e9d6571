/** Runs reads of lists: at once if all leaves are in memory, and otherwise on a snapshot over several turns. */
import type { Columns } from "../trees/columns.ts";
import type { Leaf } from "../trees/paged-tree.ts";
import type { RowList } from "../trees/row-list.ts";
import { freezeView, type ListView, type Reading, viewOf } from "./reading.ts";

export interface ReadingTools {
  /** Brings a leaf into memory. @param loaded Number of leaves that this read has asked for before. */
  load(leaf: Leaf, loaded: number): Promise<Columns>;
  /** Resolves in a later turn of the event loop; null if this one has time left. */
  pause(): Promise<void> | null;
}

/** @param start Begins the read. What it returns is of one moment, whatever changes meanwhile. */
export function runReading<Result>(
  list: RowList,
  start: (view: ListView) => Reading<Result>,
  tools: ReadingTools,
): Result | Promise<Result> {
  const view = viewOf(list);
  const reading = start(view);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done === true) return step.value;
    const turn = step.value === null ? tools.pause() : null;
    if (step.value !== null || turn !== null) {
      return finish(reading, step.value, turn, freezeView(view, list), tools);
    }
  }
}

/** @param request What the read waits for. @param turn What it waits for if that is null. */
async function finish<Result>(
  reading: Reading<Result>,
  request: Leaf | null,
  turn: Promise<void> | null,
  release: () => void,
  tools: ReadingTools,
): Promise<Result> {
  let loaded = 0;
  const answer = async (leaf: Leaf | null, wait: Promise<void> | null): Promise<Columns | undefined> => {
    if (leaf !== null) return tools.load(leaf, loaded++);
    await wait;
    return undefined;
  };
  try {
    let content = await answer(request, turn);
    for (;;) {
      const step = reading.next(content);
      if (step.done === true) return step.value;
      content = await answer(step.value, step.value === null ? tools.pause() : null);
    }
  } catch (error) {
    // Lets the read end what it has begun. It does not catch the error.
    reading.throw(error);
    throw error;
  } finally {
    release();
  }
}
