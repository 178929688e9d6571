/** The data of a record: read and changed by path. Pure; what is given is never changed itself. */
import type { JsonValue } from "../../json.ts";
import type { RecordData, RecordPatch } from "./record.ts";

/** The entity and the field of a path that was checked. */
export function parsePath(path: string): readonly [entity: string, field: string] {
  const [entity = "", field = ""] = path.split(":");
  return [entity, field];
}

/** Undefined where there is none. */
export function valueAt(data: RecordData, path: string): JsonValue | undefined {
  const [entity, field] = parsePath(path);
  const fields = Object.hasOwn(data, entity) ? data[entity] : undefined;
  return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** Values are replaced whole; null takes a field or an entity away, and an entity goes with its last field. */
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
