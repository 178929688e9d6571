/** A page of rows, from the members of a sorted set. */
import type { RowPage } from "../../../../src/ports/store.ts";
import { formatPosition } from "../../../../src/storage/lists/position.ts";
import { rowPage } from "../../../../src/storage/lists/row-page.ts";
import { positionOf } from "./bounds.ts";

/** @param last The member behind which the next page starts, or null if there are no more rows. */
export function pageOf(members: readonly string[], last: string | null): RowPage {
  const next = last === null ? undefined : formatPosition(positionOf(last));
  return { ...rowPage(members.map(positionOf), undefined, false), next };
}
