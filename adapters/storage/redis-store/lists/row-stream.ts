/** The rows of one sorted set in order, as far as they match, read in chunks. */
import type { ListQuery } from "../../../../src/ports/store.ts";
import { textsOf } from "../script.ts";
import { isDescending, rangeBehind, startOf } from "./bounds.ts";
import { FILTERED_ROWS, MAX_ROWS } from "./list-scripts.ts";
import type { Read } from "./read.ts";

/** Rows of the first chunk; each later chunk has four times as many as the one before, up to a limit. */
const FIRST_CHUNK = 64;
/** Sets that a script looks a row up in, at most as many times as it may look at rows without sets. */
const MAX_LOOKUPS = 4 * MAX_ROWS;

export interface FoundRow {
  readonly member: string;
  /** Empty unless the query searches. */
  readonly text: string;
}

/** Which rows of which set to read. */
export interface Filter {
  readonly list: string;
  readonly set: string;
  /** Rows of these sets don't match. */
  readonly excluded: readonly string[];
  /** A row must be in one set of each. */
  readonly groups: readonly (readonly string[])[];
}

export interface RowStream {
  /** The next row, or null at the end. Reads nothing: `fill` does. */
  readonly head: FoundRow | null;
  /** Reads on until `head` is the next row, or there is none. */
  fill(): Promise<void>;
  advance(): void;
}

export function createRowStream(read: Read, filter: Filter, query: ListQuery): RowStream {
  const chunks = createChunks(read, filter, query, startOf(query));
  const wanted = query.search === undefined ? "members" : "texts";
  let rows: readonly FoundRow[] = [];
  let next = 0;

  return {
    get head() {
      return rows[next] ?? null;
    },
    async fill() {
      while (next >= rows.length && !chunks.isEnd) {
        rows = (await chunks.read(wanted)).rows;
        next = 0;
      }
    },
    advance() {
      next++;
    },
  };
}

/** Counts the rows that match within the bounds of a query. */
export async function countRows(read: Read, filter: Filter, query: ListQuery): Promise<number> {
  const chunks = createChunks(read, filter, query, null);
  let total = 0;
  while (!chunks.isEnd) total += (await chunks.read("count")).count;
  return total;
}

interface Chunk {
  /** Number of rows that match. */
  readonly count: number;
  readonly rows: readonly FoundRow[];
}

function createChunks(read: Read, { list, set, excluded, groups }: Filter, query: ListQuery, start: string | null) {
  const lookups = excluded.length + groups.reduce((sum, group) => sum + group.length, 0);
  const largest = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_LOOKUPS / Math.max(1, lookups))));
  const rest = [excluded.length, ...excluded, ...groups.flatMap((group) => [group.length, ...group])];
  const direction = isDescending(query) ? "desc" : "asc";
  let chunk = Math.min(FIRST_CHUNK, largest);
  let last = start;
  let isEnd = false;

  return {
    get isEnd() {
      return isEnd;
    },
    async read(wanted: "count" | "members" | "texts"): Promise<Chunk> {
      const { low, high } = rangeBehind(query, last);
      const args = [set, low, high, direction, chunk, wanted, list, ...rest];
      const [lastMember, end, count, found] = await read("listing", FILTERED_ROWS, args);
      isEnd = end === "end";
      last = String(lastMember);
      chunk = Math.min(4 * chunk, largest);
      return { count: Number(count), rows: rowsOf(textsOf(found), wanted === "texts") };
    },
  };
}

function rowsOf(found: readonly string[], withTexts: boolean): readonly FoundRow[] {
  if (!withTexts) return found.map((member) => ({ member, text: "" }));
  const rows: FoundRow[] = [];
  for (let at = 0; at < found.length; at += 2) rows.push({ member: found[at] ?? "", text: found[at + 1] ?? "" });
  return rows;
}
