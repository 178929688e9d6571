/** A page of a list from the rows that were found. Pure. */
import type { RowPage } from "../../ports/store.ts";
import { formatPosition, type Position } from "./position.ts";

/** @param hasMore Whether the next page starts after the last row. */
export function rowPage(found: readonly Position[], total: number | undefined, hasMore: boolean): RowPage {
  const last = found.at(-1);
  return {
    ids: found.map(({ id }) => id),
    orders: found.some(({ id, order }) => id !== order) ? found.map(({ order }) => order) : undefined,
    total,
    next: hasMore && last !== undefined ? formatPosition(last) : undefined,
  };
}
