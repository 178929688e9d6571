/** Which members of a sorted set a query asks for. See commits/row-script.ts for how members are made. */
import type { ListQuery } from "../../../../src/ports/store.ts";
import { type Position, parsePosition } from "../../../../src/storage/lists/position.ts";

export function memberOf({ order, id }: Position): string {
  return `${order}\0${id}`;
}

export function positionOf(member: string): Position {
  const at = member.indexOf("\0");
  return { order: member.slice(0, at), id: member.slice(at + 1) };
}

/** Members from `low` up to, but not including, `high`. Null for no bound. */
export interface Bounds {
  readonly low: string | null;
  readonly high: string | null;
}

/** The rows that match a query's `from` and `until`. Both are no members, because a member has an ID. */
export function boundsOf({ from, until }: ListQuery): Bounds {
  // An order continues with the smallest character, a NUL, or with a greater one if it is another order.
  return { low: from === undefined ? null : `${from}\0`, high: until === undefined ? null : `${until}\x01` };
}

/** The member behind which a page starts, or null for the first page. */
export function startOf({ after }: ListQuery): string | null {
  return after === undefined ? null : memberOf(parsePosition(after));
}

export const isDescending = ({ descending = true }: ListQuery) => descending;

/** Bounds of `ZRANGEBYLEX`, in ascending order. */
export interface LexRange {
  readonly low: string;
  readonly high: string;
}

/** The rows of a query behind a member, which bounds that are closer replace. */
export function rangeBehind(query: ListQuery, start: string | null): LexRange {
  const { low, high } = boundsOf(query);
  const isDown = isDescending(query);
  const isStartLow = start !== null && !isDown && (low === null || start >= low);
  const isStartHigh = start !== null && isDown && (high === null || start < high);
  return {
    low: isStartLow ? `(${start}` : low === null ? "-" : `[${low}`,
    high: isStartHigh ? `(${start}` : high === null ? "+" : `(${high}`,
  };
}
