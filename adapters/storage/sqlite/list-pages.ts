/** Pages of lists, and how many rows match. */
import type { ListQuery, RowPage } from "../../../src/ports/store.ts";
import { combinedTotal } from "../../../src/storage/lists/combined-totals.ts";
import { formatPosition, type Position } from "../../../src/storage/lists/position.ts";
import { rowPage } from "../../../src/storage/lists/row-page.ts";
import type { SqlRow, Statement } from "./database.ts";
import type { ListInfo, ListTable } from "./lists.ts";
import { isDescending, joined, NOTHING, orderBy, rangeOf, rangeUpTo, type Sql, wholeRange } from "./range.ts";
import { storedMark, storedText } from "./row-text.ts";
import type { TextSearch } from "./text-search.ts";

export interface ListPages {
  page(name: string, query: ListQuery): Promise<RowPage>;
  totals(names: readonly string[]): readonly number[];
}

/** Rows that are looked at in one turn of the event loop: at first few, because a page is often full soon. */
const FIRST_ROWS = 500;
const MAX_ROWS = 5_000;

/** @param prepare Returns the statement of a text, which it keeps. */
export function createListPages(parts: {
  readonly prepare: (text: string) => Statement;
  readonly lists: ListTable;
  readonly search: TextSearch;
  readonly nextTurn: () => Promise<void>;
}): ListPages {
  const { prepare, lists, search, nextTurn } = parts;
  const all = ({ text, values }: Sql) =>
    prepare(text)
      .all(...values)
      .map(positionOf);
  const count = ({ text, values }: Sql) => Number(prepare(text).get(...values)?.["n"]);

  /** Groups of marks as they are stored, the one with the fewest rows first. */
  function groupsOf(list: ListInfo, { marks = [] }: ListQuery): readonly (readonly string[])[] {
    const groups = marks.map((group) => [...new Set(group.map(storedMark))]);
    if (groups.length < 2) return groups;
    const sizeOf = (group: readonly string[]) => group.reduce((sum, mark) => sum + lists.countOf(list, mark), 0);
    return groups
      .map((group) => ({ group, size: sizeOf(group) }))
      .sort((one, other) => one.size - other.size)
      .map(({ group }) => group);
  }

  function totalOf(list: ListInfo, query: ListQuery, groups: readonly (readonly string[])[]): number {
    const isWhole = query.from === undefined && query.until === undefined;
    const [[only, ...others] = []] = groups;
    if (groups.length === 0) return isWhole ? list.size : count(countOf(rowsOf(list), wholeRange(query)));
    if (!isWhole) return countMatching(list, query, groups);
    if (groups.length === 1 && only !== undefined && others.length === 0) return lists.countOf(list, only);
    return combinedTotal(list.totals, groups, () => countMatching(list, query, groups));
  }

  /** Counts the rows of each mark of the first group that no mark before it has counted. */
  function countMatching(list: ListInfo, query: ListQuery, [first = [], ...others]: readonly (readonly string[])[]) {
    const range = joined([wholeRange(query), ...others.map((group) => havingOne(list, group))]);
    return first.reduce((sum, mark, index) => {
      const counted = index === 0 ? NOTHING : havingOne(list, first.slice(0, index), "NOT ");
      return sum + count(countOf(rowsWith(list, [mark]), joined([range, counted])));
    }, 0);
  }

  /** Reads the page with one statement, in the order of an index or sorted. */
  function readAtOnce(source: Sql, filter: Sql, query: ListQuery): readonly Position[] {
    const { limit, offset = 0 } = query;
    const window = { text: `${orderBy(query)} LIMIT ? OFFSET ?`, values: [limit + 1, offset] };
    return all(joined([selectOf(source), rangeOf(query), filter, window]));
  }

  /** Reads rows in the order of the page until it is full, in pieces. */
  async function readInPieces(sources: readonly Sql[], together: Sql, filter: Sql, query: ListQuery) {
    const { limit, offset = 0 } = query;
    const found: Position[] = [];
    let skip = offset;
    let rows = filter.text === "" ? offset + limit + 1 : FIRST_ROWS;
    for (let left = query; ; ) {
      const end = nearest(
        sources.map((source) => positionAt(source, left, rows - 1)),
        query,
      );
      const range = end === null ? rangeOf(left) : joined([rangeOf(left), rangeUpTo(end, query)]);
      const piece = all(joined([selectOnce(together), range, filter, { text: orderBy(query), values: [] }]));
      for (const position of piece.slice(skip)) found.push(position);
      skip = Math.max(0, skip - piece.length);
      if (end === null || found.length > limit) return found;
      left = { ...query, after: formatPosition(end) };
      rows = Math.min(2 * rows, MAX_ROWS);
      await nextTurn();
    }
  }

  /** Where a source is after some more rows. Null if it has fewer. */
  function positionAt(source: Sql, query: ListQuery, rows: number): Position | null {
    const window = { text: `${orderBy(query)} LIMIT 1 OFFSET ?`, values: [rows] };
    return all(joined([selectOf(source), rangeOf(query), window]))[0] ?? null;
  }

  async function read(list: ListInfo, query: ListQuery, groups: readonly (readonly string[])[]) {
    const [first, ...others] = groups;
    const text = query.search === undefined ? "" : storedText(query.search);
    const containing = text === "" ? NOTHING : havingText(list, text);
    if (first === undefined && text === "") return readAtOnce(rowsOf(list), NOTHING, query);

    const match = text === "" ? null : search.matchOf(list, text);
    if (match !== null) {
      const filter = joined([...groups.map((group) => havingOne(list, group)), containing]);
      return readAtOnce(rowsMatching(list, match), filter, query);
    }
    const filter = joined([...others.map((group) => havingOne(list, group)), containing]);
    if (first === undefined) return readInPieces([rowsOf(list)], rowsOf(list), filter, query);
    if (first.length === 1 && filter.text === "") return readAtOnce(rowsWith(list, first), NOTHING, query);
    return readInPieces(
      first.map((mark) => rowsWith(list, [mark])),
      rowsWith(list, first),
      filter,
      query,
    );
  }

  return {
    totals: (names) => names.map((name) => lists.find(name)?.size ?? 0),

    async page(name, query) {
      const { limit, search, withoutTotal = false } = query;
      const hasTotal = search === undefined && !withoutTotal;
      const list = lists.find(name);
      if (list === undefined) return { ids: [], total: hasTotal ? 0 : undefined };
      const groups = groupsOf(list, query);
      const total = hasTotal ? totalOf(list, query, groups) : undefined;
      // One more than the page has room for, if there are more.
      const found = await read(list, query, groups);
      return rowPage(found.slice(0, limit), total, found.length > limit);
    },
  };
}

const positionOf = ({ ord, id }: SqlRow): Position => ({ order: String(ord), id: String(id) });

/** The position that comes first in the order of the page. Null if there is none. */
function nearest(positions: readonly (Position | null)[], query: ListQuery): Position | null {
  return positions.reduce((best, position) => {
    if (best === null || position === null) return best ?? position;
    return isBefore(position, best) === isDescending(query) ? best : position;
  }, null);
}

function isBefore(one: Position, other: Position): boolean {
  return one.order === other.order ? one.id < other.id : one.order < other.order;
}

const rowsOf = ({ n }: ListInfo): Sql => ({ text: " FROM entry AS source WHERE list = ?", values: [n] });

const rowsWith = ({ n }: ListInfo, marks: readonly string[]): Sql => ({
  text: ` FROM mark AS source WHERE list = ? AND mark IN (${placeholders(marks)})`,
  values: [n, ...marks],
});

const rowsMatching = ({ n }: ListInfo, match: string): Sql => ({
  text: " FROM entry AS source WHERE list = ? AND n IN (SELECT rowid FROM search WHERE search MATCH ?)",
  values: [n, match],
});

const selectOf = (source: Sql): Sql => ({ ...source, text: `SELECT ord, id${source.text}` });
/** A row that has several marks occurs several times. */
const selectOnce = (source: Sql): Sql => ({ ...source, text: `SELECT DISTINCT ord, id${source.text}` });
const countOf = (source: Sql, range: Sql): Sql => joined([{ text: "SELECT count(*) AS n", values: [] }, source, range]);

function havingOne({ n }: ListInfo, marks: readonly string[], not = ""): Sql {
  const has = `SELECT 1 FROM mark WHERE list = ? AND mark IN (${placeholders(marks)})`;
  return {
    text: ` AND ${not}EXISTS (${has} AND mark.ord = source.ord AND mark.id = source.id)`,
    values: [n, ...marks],
  };
}

function havingText({ n }: ListInfo, text: string): Sql {
  const has = "SELECT 1 FROM entry WHERE list = ? AND entry.id = source.id AND instr(entry.text, ?) > 0";
  return { text: ` AND EXISTS (${has})`, values: [n, text] };
}

const placeholders = (values: readonly string[]) => values.map(() => "?").join(", ");
