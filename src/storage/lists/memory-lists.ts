/**
 * The lists of the store in memory. Changes wait until somebody reads their list: most documents change several times in a
 * short time, as a run does that begins and ends, and only the last change of a row counts.
 */
import type { RowChange } from "../../ports/store.ts";
import { isPut } from "../commits/document-rows.ts";
import { changeRow, createRowList, type RowList } from "./trees/row-list.ts";

/** Applying this many takes about a millisecond. */
const MAX_WAITING = 1_000;

export class MemoryLists {
  private readonly lists = new Map<string, RowList>();
  private readonly waiting = new Map<string, Map<string, RowChange>>();
  private changes = 0;

  change(change: RowChange): void {
    const rows = this.waiting.get(change.list);
    const id = isPut(change) ? change.put.id : change.delete;
    if (rows === undefined) this.waiting.set(change.list, new Map([[id, change]]));
    else rows.set(id, change);
    if (++this.changes >= MAX_WAITING) this.applyAll();
  }

  /** Returns a list with all its changes, or undefined if it is empty. */
  get(name: string): RowList | undefined {
    const rows = this.waiting.get(name);
    if (rows !== undefined) this.apply(name, rows.values());
    return this.lists.get(name);
  }

  [Symbol.iterator](): IterableIterator<[string, RowList]> {
    this.applyAll();
    return this.lists.entries();
  }

  private applyAll(): void {
    this.changes = 0;
    for (const [name, rows] of this.waiting) this.apply(name, rows.values());
  }

  private apply(name: string, changes: Iterable<RowChange>): void {
    this.waiting.delete(name);
    const list = this.lists.get(name) ?? createRowList();
    for (const change of changes) changeRow(list, change);
    if (list.rows.size === 0) this.lists.delete(name);
    else this.lists.set(name, list);
  }
}
