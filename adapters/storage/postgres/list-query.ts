/** The SQL of a page of a list, and of its total. */
import type { ListQuery } from "../../../src/ports/store.ts";
import { parsePosition } from "../../../src/storage/lists/position.ts";
import { escapeMark, escapeText, searchableText } from "./row-text.ts";

/** A statement with its parameters. Names in braces are tables of the schema. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Number of rows of marks. Marks without rows are missing. */
export type Tallies = ReadonlyMap<string, number>;

/** A query, with escaped texts. */
export interface RowQuery {
  readonly list: string;
  readonly offset: number;
  readonly limit: number;
  readonly isDescending: boolean;
  readonly after: string | undefined;
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** Text that rows contain; null for all. */
  readonly search: string | null;
  /** A row has at least one mark of each group. */
  readonly groups: readonly (readonly string[])[];
  readonly hasTotal: boolean;
}

/**
 * Ends a subquery that looks a row up by its index for each row of the outer query. Without it, PostgreSQL turns the subquery
 * into a join, and reads all rows for each one where it has no statistics of a table yet.
 */
const PROBE = "OFFSET 0";

export function rowQuery(list: string, query: ListQuery): RowQuery {
  const { offset = 0, limit, descending = true, after, from, until, search, marks = [] } = query;
  return {
    list,
    offset,
    limit,
    isDescending: descending,
    after,
    from,
    until,
    search: search === undefined || search === "" ? null : searchableText(search),
    groups: marks.map((group) => [...new Set(group.map(escapeMark))]),
    hasTotal: search === undefined && query.withoutTotal !== true,
  };
}

/** Whether the numbers of rows by mark decide how the query is executed. */
export function needsTallies({ groups, hasTotal }: RowQuery): boolean {
  return groups.length > 1 || (hasTotal && groups.some((group) => group.length > 1));
}

export function tallyStatement({ list, groups }: RowQuery): Statement {
  return {
    text: "SELECT mark, sum(n)::text AS n FROM {tally} WHERE list = $1 AND mark = ANY ($2::text[]) GROUP BY mark",
    values: [list, [...new Set(groups.flat())]],
  };
}

/** One statement, so that all totals belong to the same moment. Lists without rows may be missing. */
export function totalsStatement(lists: readonly string[]): Statement {
  return {
    text: "SELECT list, sum(n)::text AS n FROM {tally} WHERE list = ANY ($1::text[]) AND mark = '' GROUP BY list",
    values: [lists],
  };
}

/** Collects the parameters of a statement. */
interface Parameters {
  readonly values: unknown[];
  /** Adds a parameter and returns its name. */
  readonly add: (value: unknown) => string;
}

function createParameters(): Parameters {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/**
 * One statement, so that page and total belong to the same moment. Returns `total` as text and `rows` as JSON: arrays of the
 * order and the ID.
 */
export function pageStatement(query: RowQuery, tallies: Tallies): Statement {
  const parameters = createParameters();
  const groups = [...query.groups].sort((one, other) => countOf(one, tallies) - countOf(other, tallies));
  const total = query.hasTotal ? totalSql(query, groups, tallies, parameters) : "NULL::bigint";
  const rows =
    query.limit === 0
      ? "NULL"
      : `(SELECT json_agg(json_build_array(r.ord, r.id)) FROM (${pageSql(query, groups, parameters)}) r)`;
  return { text: `SELECT (${total})::text AS total, ${rows}::text AS rows`, values: parameters.values };
}

/**
 * The rows that contain a text, found by its trigrams, in no order: the index has none. Stops at a number of rows.
 */
export function trigramStatement(query: RowQuery, maxRows: number): Statement {
  const { values, add } = createParameters();
  const conditions = [
    `e.list = ${add(query.list)}`,
    ...containsSql(query, add),
    ...boundsSql(query, "e", add),
    ...query.groups.map((group) => `e.marks && ${add(group)}::text[]`),
  ];
  const found = `SELECT e.ord, e.id FROM {entry} e WHERE ${conditions.join(" AND ")} LIMIT ${add(maxRows)}`;
  return { text: `SELECT json_agg(json_build_array(r.ord, r.id))::text AS rows FROM (${found}) r`, values };
}

/** The page has one more row than asked for, which shows whether there is a next page. */
function pageSql(query: RowQuery, groups: RowQuery["groups"], { add }: Parameters): string {
  const direction = query.isDescending ? "DESC" : "ASC";
  const page = `LIMIT ${add(query.limit + 1)} OFFSET ${add(query.offset)}`;
  const [rarest, ...others] = groups;
  if (rarest === undefined) {
    const conditions = [`e.list = ${add(query.list)}`, ...boundsSql(query, "e", add), ...containsSql(query, add)];
    return `SELECT e.ord, e.id FROM {entry} e WHERE ${conditions.join(" AND ")}
      ORDER BY e.ord ${direction}, e.id ${direction} ${page}`;
  }
  const conditions = [...markedSql(query, others, add), ...boundsSql(query, "m", add)];
  if (rarest.length === 1) {
    return `SELECT m.ord, m.id FROM {mark} m WHERE m.mark = ${add(rarest[0])} AND ${conditions.join(" AND ")}
      ORDER BY m.ord ${direction}, m.id ${direction} ${page}`;
  }
  // Each mark has its own order, so the first rows of all of them contain those of the page.
  return `SELECT DISTINCT f.ord, f.id FROM unnest(${add(rarest)}::text[]) AS g(mark) CROSS JOIN LATERAL (
      SELECT m.ord, m.id FROM {mark} m WHERE m.mark = g.mark AND ${conditions.join(" AND ")}
      ORDER BY m.ord ${direction}, m.id ${direction} LIMIT ${add(query.offset + query.limit + 1)}
    ) f ORDER BY f.ord ${direction}, f.id ${direction} ${page}`;
}

function totalSql(query: RowQuery, groups: RowQuery["groups"], tallies: Tallies, { add }: Parameters): string {
  const isWhole = query.from === undefined && query.until === undefined;
  const [rarest, ...others] = groups;
  const withoutPosition = { ...query, after: undefined };
  if (rarest === undefined) {
    if (isWhole) return tallySql(query.list, "", add);
    const conditions = [`e.list = ${add(query.list)}`, ...boundsSql(withoutPosition, "e", add)];
    return `SELECT count(*) FROM {entry} e WHERE ${conditions.join(" AND ")}`;
  }
  /** Adds its parameters, so it is called where they are used. */
  const conditions = () => [...markedSql(query, others, add), ...boundsSql(withoutPosition, "m", add)].join(" AND ");
  const [mark = "", ...more] = [...rarest].sort((one, other) => (tallies.get(other) ?? 0) - (tallies.get(one) ?? 0));
  const isCounted = isWhole && others.length === 0;
  const ofMark = isCounted
    ? tallySql(query.list, mark, add)
    : `SELECT count(*) FROM {mark} m WHERE m.mark = ${add(mark)} AND ${conditions()}`;
  if (more.length === 0) return ofMark;
  // The rows of the most frequent mark, which need not be read, and those of the others that lack it.
  return `(${ofMark}) + (SELECT count(*) FROM (
      SELECT DISTINCT m.ord, m.id FROM {mark} m WHERE m.mark = ANY (${add(more)}::text[]) AND ${conditions()} AND NOT EXISTS (
        SELECT FROM {mark} o WHERE o.list = m.list AND o.mark = ${add(mark)} AND o.ord = m.ord AND o.id = m.id ${PROBE})
    ) d)`;
}

/** The list of a row of `mark m`, its marks of other groups, and its text. */
function markedSql(query: RowQuery, others: RowQuery["groups"], add: Parameters["add"]): readonly string[] {
  const contains = containsSql(query, add);
  return [
    `m.list = ${add(query.list)}`,
    ...others.map(
      (group) =>
        `EXISTS (SELECT FROM {mark} o WHERE o.list = m.list AND o.mark = ANY (${add(group)}::text[]) AND o.ord = m.ord AND o.id = m.id ${PROBE})`,
    ),
    ...(contains.length === 0
      ? []
      : [
          `EXISTS (SELECT FROM {entry} e WHERE e.list = m.list AND e.id = m.id AND ${contains.join(" AND ")} ${PROBE})`,
        ]),
  ];
}

function boundsSql(query: RowQuery, table: "e" | "m", add: Parameters["add"]): readonly string[] {
  const { after, from, until, isDescending } = query;
  const bounds: string[] = [];
  if (from !== undefined) bounds.push(`${table}.ord >= ${add(escapeText(from))}`);
  if (until !== undefined) bounds.push(`${table}.ord <= ${add(escapeText(until))}`);
  if (after !== undefined) {
    const { order, id } = parsePosition(after);
    const position = `(${add(escapeText(order))}, ${add(escapeText(id))})`;
    bounds.push(`(${table}.ord, ${table}.id) ${isDescending ? "<" : ">"} ${position}`);
  }
  return bounds;
}

function containsSql({ search }: RowQuery, add: Parameters["add"]): readonly string[] {
  return search === null ? [] : [`e.text LIKE ${add(`%${search.replace(/[\\%_]/g, "\\$&")}%`)}`];
}

function tallySql(list: string, mark: string, add: Parameters["add"]): string {
  return `SELECT coalesce(sum(t.n), 0)::bigint FROM {tally} t WHERE t.list = ${add(list)} AND t.mark = ${add(mark)}`;
}

const countOf = (group: readonly string[], tallies: Tallies) =>
  group.reduce((sum, mark) => sum + (tallies.get(mark) ?? 0), 0);
