/**
 * The lists of the store in memory. Changes wait until somebody reads their list: most documents change several times in a
 * short time, as a run does that begins and ends, and only the last change of a row counts.
 */
import type { RowChange } from "../../ports/store.ts";
import { isPut } from "../commits/document-rows.ts";
import { changeRow, createRowList, type RowList } from "./trees/row-list.ts";

/** Rows that wait at most. A run that begins and ends among as many changes each of its rows once. */
const MAX_WAITING = 1_000;
/** Rows applied at once, the oldest first. More would let one run in a few wait for the rows of many others. */
const APPLIED_AT_ONCE = 10;

export class MemoryLists {
  private readonly lists = new Map<string, RowList>();
  private readonly waiting = new Map<string, Map<string, RowChange>>();
  private count = 0;

  change(change: RowChange): void {
    const id = isPut(change) ? change.put.id : change.delete;
    const rows = this.waiting.get(change.list);
    const before = rows?.size ?? 0;
    if (rows === undefined) this.waiting.set(change.list, new Map([[id, change]]));
    else rows.set(id, change);
    this.count += (rows?.size ?? 1) - before;
    if (this.count >= MAX_WAITING) this.applyOldest();
  }

  /** Returns a list with all its changes, or undefined if it is empty. */
  get(name: string): RowList | undefined {
    const rows = this.waiting.get(name);
    if (rows !== undefined) this.apply(name, rows, rows.size);
    return this.lists.get(name);
  }

  [Symbol.iterator](): IterableIterator<[string, RowList]> {
    for (const [name, rows] of this.waiting) this.apply(name, rows, rows.size);
    return this.lists.entries();
  }

  private applyOldest(): void {
    let left = APPLIED_AT_ONCE;
    for (const [name, rows] of this.waiting) {
      if (left === 0) return;
      const applied = Math.min(left, rows.size);
      this.apply(name, rows, applied);
      left -= applied;
      // The other lists come first the next time: what waits longest is what nothing changes again.
      if (rows.size > 0) this.waiting.set(name, rows);
    }
  }

  /** Applies the first changes of a list. */
  private apply(name: string, rows: Map<string, RowChange>, count: number): void {
    this.waiting.delete(name);
    const list = this.lists.get(name) ?? createRowList();
    let left = count;
    for (const [id, change] of rows) {
      if (left-- === 0) break;
      changeRow(list, change);
      rows.delete(id);
    }
    this.count -= count;
    if (list.rows.size === 0) this.lists.delete(name);
    else this.lists.set(name, list);
  }
}
