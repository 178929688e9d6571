/**
 * Changes of rows that wait until somebody reads their list: most documents change several times in a short time, as a run
 * does that begins and ends, and only the last change of a row counts.
 */
import type { RowChange } from "../../ports/store.ts";
import { isPut } from "../commits/document-rows.ts";

/** Rows that wait at most. A run that begins and ends among as many changes each of its rows once. */
const MAX_WAITING = 1_000;
/** Rows applied at once, the oldest first. More would let one run in a few wait for the rows of many others. */
const APPLIED_AT_ONCE = 10;

export interface RecentChanges {
  /** Lets a change wait. */
  add(change: RowChange): void;
  /** Whether changes of a list wait. */
  has(list: string): boolean;
  /** Applies the waiting changes of a list. */
  applyTo(list: string): void;
  /** Applies all waiting changes. */
  applyAll(): void;
}

export function createRecentChanges(apply: (change: RowChange) => void): RecentChanges {
  const waiting = new Map<string, Map<string, RowChange>>();
  let count = 0;

  /** Applies the oldest changes of a list. */
  function applyOldestOf(list: string, rows: Map<string, RowChange>, most: number): number {
    let applied = 0;
    for (const [id, change] of rows) {
      if (applied === most) break;
      apply(change);
      rows.delete(id);
      applied++;
    }
    count -= applied;
    if (rows.size === 0) waiting.delete(list);
    return applied;
  }

  function applyOldest(): void {
    let left = APPLIED_AT_ONCE;
    for (const [list, rows] of waiting) {
      if (left === 0) return;
      left -= applyOldestOf(list, rows, left);
      // The other lists come first the next time: what nothing changes again must not stay while others change often.
      if (rows.size > 0 && waiting.delete(list)) waiting.set(list, rows);
    }
  }

  function applyTo(list: string): void {
    const rows = waiting.get(list);
    if (rows !== undefined) applyOldestOf(list, rows, rows.size);
  }

  return {
    add(change) {
      const id = isPut(change) ? change.put.id : change.delete;
      let rows = waiting.get(change.list);
      if (rows === undefined) {
        rows = new Map();
        waiting.set(change.list, rows);
      }
      const before = rows.size;
      rows.set(id, change);
      count += rows.size - before;
      if (count >= MAX_WAITING) applyOldest();
    },

    has: (list) => waiting.has(list),
    applyTo,

    applyAll() {
      for (const list of waiting.keys()) applyTo(list);
    },
  };
}
