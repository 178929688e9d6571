/** Whether a record meets the conditions of a query. Pure. */
import { foldText } from "../../../documents/pagination.ts";
import type { JsonValue } from "../../../json.ts";
import type { RecordDocument } from "../record.ts";
import { valueAt } from "../record-data.ts";
import { searchText } from "../record-rows.ts";
import type { Condition, RecordQuery, Scalar } from "./record-query.ts";
import { compareTexts } from "./value-order.ts";

export type RecordConditions = Pick<RecordQuery, "filter" | "rule_result" | "updated_after" | "search">;

/** @param tags Those tags of the query that exist; null if the query has none. A record must have one of them. */
export function createMatcher(
  { filter, rule_result, updated_after, search = "" }: RecordConditions,
  tags: ReadonlySet<string> | null,
): (document: RecordDocument) => boolean {
  const results = Object.entries(rule_result);
  const text = foldText(search);
  return (document) =>
    (updated_after === undefined || document.updated_at > updated_after) &&
    (tags === null || document.tags.some((tag) => tags.has(tag))) &&
    results.every(([key, result]) =>
      document.rule_results.some((found) => found.key === key && found.result === result),
    ) &&
    filter.every((condition) => meets(valueAt(document.data, condition.field), condition)) &&
    (text === "" || searchText(document.data).includes(text));
}

function meets(found: JsonValue | undefined, { op, value }: Condition): boolean {
  switch (op) {
    case "eq":
      return found === value;
    case "ne":
      return found !== value;
    case "in":
      return typeof value === "object" && value.some((one) => one === found);
    case "exists":
      return (found !== undefined) === value;
    case "contains":
      return typeof value !== "object" && contains(found, value);
    default: {
      const difference = compare(found, value);
      if (difference === null) return false;
      if (difference === 0) return op === "gte" || op === "lte";
      return difference > 0 === op.startsWith("g");
    }
  }
}

/** Null if the values are of different types. */
function compare(found: JsonValue | undefined, value: Scalar | readonly Scalar[]): number | null {
  if (typeof found === "number" && typeof value === "number") return found - value;
  return typeof found === "string" && typeof value === "string" ? compareTexts(found, value) : null;
}

function contains(found: JsonValue | undefined, value: Scalar): boolean {
  if (typeof found === "string") return typeof value === "string" && found.includes(value);
  return Array.isArray(found) && found.includes(value);
}
