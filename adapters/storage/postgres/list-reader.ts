/** Reads pages of lists. */
import type { ListQuery, RowPage } from "../../../src/ports/store.ts";
import { isListName } from "../../../src/storage/keys.ts";
import type { Position } from "../../../src/storage/lists/position.ts";
import { rowPage } from "../../../src/storage/lists/row-page.ts";
import type { SqlRow } from "./client.ts";
import {
  needsTallies,
  pageStatement,
  type RowQuery,
  rowQuery,
  type Statement,
  type Tallies,
  tallyStatement,
  totalsStatement,
  trigramStatement,
} from "./list-query.ts";
import { unescapeText } from "./row-text.ts";

/** Reads with the tables of the schema. */
export type Read = (statement: Statement) => Promise<readonly SqlRow[]>;

/** Texts with fewer characters have no trigram. */
const TRIGRAM_CHARS = 3;
/** Hits of trigrams that are sorted. With more, the scan in order finds a page soon. */
const MAX_HITS = 2_000;

export async function readPage(parts: {
  read: Read;
  hasTrigrams: boolean;
  name: string;
  query: ListQuery;
}): Promise<RowPage> {
  const { read, name } = parts;
  const query = rowQuery(name, parts.query);
  if (!isListName(name) || query.groups.some((group) => group.length === 0)) {
    return rowPage([], query.hasTotal ? 0 : undefined, false);
  }
  const found = parts.hasTrigrams ? await readByTrigrams(read, query) : null;
  if (found !== null) return found;
  const tallies: Tallies = needsTallies(query) ? talliesOf(await read(tallyStatement(query))) : new Map();
  const [row] = await read(pageStatement(query, tallies));
  const rows = positionsOf(row);
  const total = query.hasTotal ? Number(row?.["total"]) : undefined;
  return rowPage(rows.slice(0, query.limit), total, rows.length > query.limit);
}

/** The number of rows of each list, all as of one moment. */
export async function readTotals(read: Read, names: readonly string[]): Promise<readonly number[]> {
  const found = await read(totalsStatement(names.filter(isListName)));
  const totals = new Map(found.map((row) => [String(row["list"]), Number(row["n"])]));
  return names.map((name) => totals.get(name) ?? 0);
}

/** @returns null if the index does not help */
async function readByTrigrams(read: Read, query: RowQuery): Promise<RowPage | null> {
  if (query.search === null || [...query.search].length < TRIGRAM_CHARS) return null;
  const [row] = await read(trigramStatement(query, MAX_HITS + 1));
  const hits = positionsOf(row);
  if (hits.length > MAX_HITS) return null;
  hits.sort((one, other) => compareText(one.order, other.order) || compareText(one.id, other.id));
  if (query.isDescending) hits.reverse();
  const end = query.offset + query.limit;
  return rowPage(hits.slice(query.offset, end), undefined, hits.length > end);
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function talliesOf(rows: readonly SqlRow[]): Tallies {
  return new Map(rows.map((row) => [String(row["mark"]), Number(row["n"])]));
}

function positionsOf(row: SqlRow | undefined): Position[] {
  const json = row?.["rows"];
  const rows: unknown = typeof json === "string" ? JSON.parse(json) : [];
  if (!Array.isArray(rows)) return [];
  return rows.map(([order, id]) => ({ order: unescapeText(String(order)), id: unescapeText(String(id)) }));
}
