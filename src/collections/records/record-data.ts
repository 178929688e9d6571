/** Reads and changes the data of a record by path. Pure; arguments are never modified. */
import type { JsonValue } from "../../json.ts";
import type { RecordData, RecordPatch } from "./record.ts";

/** The entity and the field of a valid path. */
export function parsePath(path: string): readonly [entity: string, field: string] {
  const [entity = "", field = ""] = path.split(":");
  return [entity, field];
}

/** The value at a path; undefined if there is none. */
export function valueAt(data: RecordData, path: string): JsonValue | undefined {
  const [entity, field] = parsePath(path);
  const fields = Object.hasOwn(data, entity) ? data[entity] : undefined;
  return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** Replaces whole values. Null removes a field or an entity; removing the last field of an entity removes the entity. */
export function applyPatch(data: RecordData, patch: RecordPatch): RecordData {
  const after = new Map(Object.entries(data));
  for (const [entity, changes] of Object.entries(patch)) {
    if (changes === null) {
      after.delete(entity);
      continue;
    }
    const fields = new Map(Object.entries(after.get(entity) ?? {}));
    for (const [field, value] of Object.entries(changes)) {
      if (value === null) fields.delete(field);
      else fields.set(field, value);
    }
    if (fields.size === 0) after.delete(entity);
    else after.set(entity, Object.fromEntries(fields));
  }
  return Object.fromEntries(after);
}
