/** The part of a list that a page or a total can contain, as SQL. */
import type { ListQuery } from "../../../src/ports/store.ts";
import { type Position, parsePosition } from "../../../src/storage/lists/position.ts";
import type { SqlValue } from "./database.ts";

/** A piece of SQL with the values of its parameters. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export const NOTHING: Sql = { text: "", values: [] };

export function joined(pieces: readonly Sql[]): Sql {
  return { text: pieces.map(({ text }) => text).join(""), values: pieces.flatMap(({ values }) => values) };
}

export const isDescending = ({ descending = true }: ListQuery) => descending;

/** The columns of the order, from the first row of a page to the last. */
export function orderBy(query: ListQuery): string {
  return isDescending(query) ? " ORDER BY ord DESC, id DESC" : " ORDER BY ord, id";
}

/** Conditions on the rows of a total, which a position does not change. */
export function wholeRange({ from, until }: ListQuery): Sql {
  return joined([
    from === undefined ? NOTHING : { text: " AND ord >= ?", values: [from] },
    until === undefined ? NOTHING : { text: " AND ord <= ?", values: [until] },
  ]);
}

/**
 * Conditions on the rows of a page. At each end at most one: SQLite looks up only one of two.
 */
export function rangeOf(query: ListQuery): Sql {
  const { from, until, after } = query;
  if (after === undefined) return wholeRange(query);
  const position = parsePosition(after);
  const beyond = rangeBeyond(position, query);
  if (isDescending(query)) {
    return until !== undefined && until < position.order
      ? wholeRange(query)
      : joined([wholeRange({ ...query, until: undefined }), beyond]);
  }
  return from !== undefined && from > position.order
    ? wholeRange(query)
    : joined([wholeRange({ ...query, from: undefined }), beyond]);
}

function rangeBeyond({ order, id }: Position, query: ListQuery): Sql {
  return { text: isDescending(query) ? " AND (ord, id) < (?, ?)" : " AND (ord, id) > (?, ?)", values: [order, id] };
}

/** The condition that a row comes before a position or is at it, in the order of the page. */
export function rangeUpTo({ order, id }: Position, query: ListQuery): Sql {
  return { text: isDescending(query) ? " AND (ord, id) >= (?, ?)" : " AND (ord, id) <= (?, ?)", values: [order, id] };
}
