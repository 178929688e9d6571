/**
 * Files in the data of a record. A value `{ file_id }` refers to a file of the app, at any level of the data. An object with
 * other fields is data, such as an event of another system. Only `file`, which is added to responses, may accompany `file_id`.
 * Pure.
 */
import type { JsonObject, JsonValue } from "../../../json.ts";

/** Maximum number of references to files in a record, after the mappings. */
export const MAX_FILES = 100;

/** Values by entity and field, or changes of them. */
type Data = Readonly<Record<string, Readonly<Record<string, JsonValue>> | null>>;

export interface FileReference {
  /** Any JSON value until it is checked. */
  readonly id: JsonValue;
  /** Path of the reference in the data. */
  readonly path: readonly (string | number)[];
}

/** The id in a reference; undefined for any other value. */
function idIn(value: JsonObject): JsonValue | undefined {
  if (!Object.hasOwn(value, "file_id")) return undefined;
  const isReference = Object.keys(value).every((name) => name === "file_id" || name === "file");
  return isReference ? value["file_id"] : undefined;
}

/** The references in the order of the data, at most one more than {@link MAX_FILES}. */
export function findReferences(data: Data): FileReference[] {
  const found: FileReference[] = [];
  const path: (string | number)[] = [];
  function visit(value: JsonValue, key: string | number): void {
    if (typeof value !== "object" || value === null || found.length > MAX_FILES) return;
    path.push(key);
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, index);
    else {
      const id = idIn(value);
      if (id !== undefined) found.push({ id, path: [...path] });
      else for (const [name, item] of Object.entries(value)) visit(item, name);
    }
    path.pop();
  }
  for (const [entity, fields] of Object.entries(data)) {
    path.push(entity);
    for (const [field, value] of Object.entries(fields ?? {})) visit(value, field);
    path.pop();
  }
  return found;
}

/** Replaces the references in a value. Returns the value itself if it has none. */
export function replaceReferences(value: JsonValue, replace: (id: JsonValue) => JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceReferences(item, replace));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const id = idIn(value);
  if (id !== undefined) return replace(id);
  const entries = Object.entries(value).map(([name, item]) => [name, replaceReferences(item, replace)] as const);
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries);
}

/** The value as it is stored: references without the files that responses contain. */
export function withoutShownFiles(value: JsonValue): JsonValue {
  return replaceReferences(value, (file_id) => ({ file_id }));
}
