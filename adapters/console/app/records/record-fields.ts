/** The fields of records, as columns of a table. */
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { type JsonValue, ownField } from "../../../../src/json.ts";

/** Columns that a table has until somebody chooses others. */
export const FIRST_COLUMNS = 5;
/** The same where a table is narrow, but not yet cards. */
export const FEW_COLUMNS = 3;
const MAX_CELL_CHARS = 120;

/** The fields that any of the records has, as `entity:field`, in the order in which they come. */
export function fieldsOf(records: readonly CollectionRecord[]): readonly string[] {
  const found = new Set<string>();
  for (const { data } of records) {
    for (const [entity, fields] of Object.entries(data))
      for (const field of Object.keys(fields)) found.add(`${entity}:${field}`);
  }
  return [...found];
}

/**
 * The columns to show: those that were chosen, in the order of the fields that the records have, else the first ones. What
 * is chosen stays where other records are shown, which may lack it.
 */
export function columnsOf(
  fields: readonly string[],
  chosen: readonly string[] | null,
  first: number,
): readonly string[] {
  if (chosen === null) return fields.slice(0, first);
  return [...fields.filter((field) => chosen.includes(field)), ...chosen.filter((field) => !fields.includes(field))];
}

/** A value in a cell: texts as they are, everything else as JSON; cut. */
export function cellText(record: CollectionRecord, path: string): string {
  const [entity = "", field = ""] = path.split(":");
  const value = ownField(ownField(record.data, entity) ?? {}, field);
  if (value === undefined || value === null) return "";
  const text = fileNameOf(value) ?? (typeof value === "string" ? value : JSON.stringify(value));
  return text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}…` : text;
}

/** The name of a file that a value refers to. */
function fileNameOf(value: JsonValue): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { file } = value;
  if (typeof file !== "object" || file === null || Array.isArray(file)) return null;
  return typeof file["name"] === "string" ? file["name"] : null;
}
