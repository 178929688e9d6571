/** The numbers of rows in lists and of each mark. */
import { LRUCache } from "lru-cache";
import type { CombinedTotals } from "../../../src/storage/lists/combined-totals.ts";
import type { Database } from "./database.ts";

/** A list that has been written to. */
export interface ListInfo {
  /** Its number in the tables. */
  readonly n: number;
  readonly name: string;
  size: number;
  readonly totals: CombinedTotals;
}

export interface ListTable {
  find(name: string): ListInfo | undefined;
  findOrCreate(name: string): ListInfo;
  countOf(list: ListInfo, mark: string): number;
  /** Counts a row more or less. Stored by `flush`. */
  addRows(list: ListInfo, difference: 1 | -1): void;
  addMark(list: ListInfo, mark: string, difference: 1 | -1): void;
  /** Stores the numbers that have changed, at the end of a transaction. */
  flush(): void;
  /** Forgets what was read and changed, after a transaction that failed. */
  forget(): void;
}

/** Lists whose size is kept in memory. */
const MAX_KNOWN = 1_000;

export function createListTable(database: Database): ListTable {
  const select = database.prepare("SELECT n, size FROM list WHERE name = ?");
  const insert = database.prepare("INSERT INTO list (name, size) VALUES (?, 0)");
  const resize = database.prepare("UPDATE list SET size = ? WHERE n = ?");
  const selectCount = database.prepare("SELECT size FROM mark_count WHERE list = ? AND mark = ?");
  const addCount = database.prepare(
    "INSERT INTO mark_count VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET size = size + excluded.size",
  );
  const removeCount = database.prepare("DELETE FROM mark_count WHERE list = ? AND mark = ? AND size = 0");

  const known = new LRUCache<string, ListInfo>({ max: MAX_KNOWN });
  /** Lists that were changed in this transaction. The tables don't have their sizes yet. */
  const resized = new Map<string, ListInfo>();
  const counted = new Map<ListInfo, Map<string, number>>();

  function find(name: string): ListInfo | undefined {
    const info = known.get(name) ?? resized.get(name);
    if (info !== undefined) return info;
    const row = select.get(name);
    if (row === undefined || row === null) return undefined;
    const found = { n: Number(row["n"]), name, size: Number(row["size"]), totals: new Map() };
    known.set(name, found);
    return found;
  }

  return {
    find,
    findOrCreate(name) {
      const found = find(name);
      if (found !== undefined) return found;
      insert.run(name);
      const created = find(name);
      if (created === undefined) throw new Error(`The list ${name} was not created.`);
      return created;
    },
    countOf: (list, mark) => Number(selectCount.get(list.n, mark)?.["size"] ?? 0),
    addRows(list, difference) {
      list.size += difference;
      resized.set(list.name, list);
    },
    addMark(list, mark, difference) {
      const marks = counted.get(list) ?? new Map<string, number>();
      counted.set(list, marks);
      marks.set(mark, (marks.get(mark) ?? 0) + difference);
    },
    flush() {
      for (const { n, size } of resized.values()) resize.run(size, n);
      for (const [{ n }, marks] of counted) {
        for (const [mark, difference] of marks) {
          if (difference === 0) continue;
          addCount.run(n, mark, difference);
          if (difference < 0) removeCount.run(n, mark);
        }
      }
      resized.clear();
      counted.clear();
    },
    forget() {
      known.clear();
      resized.clear();
      counted.clear();
    },
  };
}
