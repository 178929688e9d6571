/** What the rows of records say about the conditions of a query. Pure. */
import { foldText } from "../../../documents/pagination.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { ListQuery } from "../../../ports/store.ts";
import { parsePath } from "../record-data.ts";
import { valueMark } from "../record-rows.ts";
import type { Condition, RecordQuery } from "./record-query.ts";

/**
 * Selects the rows of records that may meet the conditions.
 * @param tags Those tags of the query that exist; null if the query has none.
 */
export function rowConditions(
  { filter, search = "" }: Pick<RecordQuery, "filter" | "search">,
  tags: readonly string[] | null,
  hash: Hash,
): Required<Pick<ListQuery, "marks" | "search">> {
  const groups = filter.flatMap((condition) => {
    const marks = marksOfCondition(condition, hash);
    return marks === null ? [] : [marks];
  });
  const marks = [...(tags === null ? [] : [tags.map((tag) => `tag:${tag}`)]), ...groups];
  return { marks, search: foldText(search) || undefined };
}

/** The marks of which a record that meets the condition has one; null if the condition has none. */
function marksOfCondition({ field, op, value }: Condition, hash: Hash): string[] | null {
  const values = op === "eq" || op === "in" ? [value].flat() : [];
  return values.length === 0 ? null : values.map((one) => valueMark(...parsePath(field), one, hash));
}
