/** Computes the ranges of an index that can meet the conditions on its field. Pure. */
import type { Condition, Scalar } from "./record-query.ts";
import { ORDERS, orderOf } from "./value-order.ts";

/** Orders from the first to the last, both included. */
export interface Range {
  readonly from?: string;
  readonly until?: string;
}

interface Closed {
  readonly from: string;
  readonly until: string;
}

/**
 * The ranges of an index in which records may meet all conditions on the field, in ascending order without overlap; null
 * if the conditions exclude nothing. Records in them must still be checked, because orders are truncated.
 */
export function rangesOf(conditions: readonly Condition[], field: string): readonly Range[] | null {
  return conditions
    .filter((condition) => condition.field === field)
    .map(rangesOfOne)
    .reduce((before, ranges) => (before === null || ranges === null ? (before ?? ranges) : both(before, ranges)), null);
}

function rangesOfOne({ op, value }: Condition): readonly Closed[] | null {
  switch (op) {
    case "eq":
      return typeof value === "object" ? null : [exactly(value)];
    case "in": {
      if (typeof value !== "object") return null;
      const orders = [...new Set(value.map(orderOf))].sort();
      return orders.map((order) => ({ from: order, until: order }));
    }
    case "exists":
      return [value === true ? ORDERS.values : ORDERS.none];
    case "gt":
    case "gte":
      return typeof value === "object" ? null : [{ from: orderOf(value), until: typeRange(value).until }];
    case "lt":
    case "lte":
      return typeof value === "object" ? null : [{ from: typeRange(value).from, until: orderOf(value) }];
    default:
      return null;
  }
}

const exactly = (value: Scalar): Closed => ({ from: orderOf(value), until: orderOf(value) });
const typeRange = (value: Scalar) => (typeof value === "string" ? ORDERS.texts : ORDERS.numbers);

/** The intersection of two lists of ranges. */
function both(one: readonly Closed[], other: readonly Closed[]): readonly Closed[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const shared = { from: a.from > b.from ? a.from : b.from, until: a.until < b.until ? a.until : b.until };
      return shared.from <= shared.until ? [shared] : [];
    }),
  );
}
