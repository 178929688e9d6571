/** A row of an import as an operation on a record. Pure. */
import { StepwellError } from "../../errors.ts";
import { checkedJson, isRecord, type JsonValue, omitUndefined } from "../../json.ts";
import { checkOperation, type RecordOperation } from "../bulk/record-operation.ts";
import { parsePath } from "../records/record-data.ts";
import { valueOfCell } from "./cells.ts";

/** Fields of a record in a list or an export that an import ignores. */
const IGNORED = new Set(["id", "collection_id", "version", "rule_results", "created_at", "updated_at"]);

/** The values of cells by entity and field. Empty cells, and those of columns without a field, have none. */
export function dataOfCells(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const entities = new Map<string, Map<string, JsonValue>>();
  for (const [index, column] of columns.entries()) {
    const value = column === "" ? undefined : valueOfCell(cells[index] ?? "");
    if (value === undefined) continue;
    const [entity, field] = parsePath(column);
    const fields = entities.get(entity) ?? new Map<string, JsonValue>();
    entities.set(entity, fields.set(field, value));
  }
  return Object.fromEntries([...entities].map(([entity, fields]) => [entity, Object.fromEntries(fields)]));
}

/** The record of a line of JSON. @throws StepwellError `malformed`, `invalid` */
export function recordOfLine(line: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    throw new StepwellError("malformed", "The line is not valid JSON.", { cause });
  }
  checkedJson(parsed);
  if (!isRecord(parsed)) throw new StepwellError("invalid", 'The line must be an object with "data".');
  const { tags, ...rest } = parsed;
  const known = Object.entries(rest).filter(([name]) => !IGNORED.has(name));
  return { ...Object.fromEntries(known), ...omitUndefined({ tags: idsOf(tags) }) };
}

/** Lists of records show tags with their names. */
function idsOf(tags: unknown): unknown {
  return Array.isArray(tags) ? tags.map((tag: unknown) => (isRecord(tag) && "id" in tag ? tag["id"] : tag)) : tags;
}

/**
 * @param key Field that identifies the record to change; null to create one.
 * @throws StepwellError `invalid`
 */
export function operationOf(record: Readonly<Record<string, unknown>>, key: string | null): RecordOperation {
  if (key === null) return checkOperation({ ...record, op: "create" });
  return checkOperation({ ...record, op: "upsert", path: key, value: keyValueOf(record["data"], key) });
}

function keyValueOf(data: unknown, path: string): unknown {
  const [entity, field] = parsePath(path);
  const fields = isRecord(data) && Object.hasOwn(data, entity) ? data[entity] : undefined;
  const value = isRecord(fields) && Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (value !== undefined && value !== null) return value;
  throw new StepwellError("invalid", `The row has no value for the key ${JSON.stringify(path)}.`);
}
