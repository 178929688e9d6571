/** The lists of the store in memory. */
import type { RowChange } from "../../ports/store.ts";
import { isPut } from "../commits/document-rows.ts";
import { createRecentChanges } from "./recent-changes.ts";
import { changeRow, createRowList, type RowList } from "./trees/row-list.ts";

export class MemoryLists {
  private readonly lists = new Map<string, RowList>();
  private readonly recent = createRecentChanges((change) => this.apply(change));

  change(change: RowChange): void {
    this.recent.add(change);
  }

  /** Returns a list with all its changes, or undefined if it is empty. */
  get(name: string): RowList | undefined {
    this.recent.applyTo(name);
    return this.lists.get(name);
  }

  [Symbol.iterator](): IterableIterator<[string, RowList]> {
    this.recent.applyAll();
    return this.lists.entries();
  }

  private apply(change: RowChange): void {
    let list = this.lists.get(change.list);
    if (list === undefined) {
      if (!isPut(change)) return;
      list = createRowList();
      this.lists.set(change.list, list);
    }
    changeRow(list, change);
    if (list.rows.size === 0) this.lists.delete(change.list);
  }
}
