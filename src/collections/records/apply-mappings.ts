/** Applies the mappings of a collection to the data of a record. Pure. */
import type { JsonValue } from "../../json.ts";
import type { Mapping } from "../mapping.ts";
import type { RecordData, RecordPatch } from "./record.ts";
import { applyPatch, parsePath, valueAt } from "./record-data.ts";

/**
 * Copies the value of each source to its destinations. Each mapping applies once, in order, and sees what earlier ones
 * copied, so that cyclic mappings end.
 *
 * If a source loses its value, destinations that still have the same value lose it, too. A destination with another value
 * was written separately and keeps it. So does every destination of a source that never had a value.
 *
 * @param before The data before the write, with mappings applied.
 */
export function applyMappings(before: RecordData, patch: RecordPatch, mappings: readonly Mapping[]): RecordData {
  const data = applyPatch(before, patch);
  return mappings.length === 0 ? data : copyMapped(before, patch, data, mappings);
}

function copyMapped(
  before: RecordData,
  patch: RecordPatch,
  data: RecordData,
  mappings: readonly Mapping[],
): RecordData {
  // Change one copy in place: a copy per destination would cost destinations times fields.
  const fields = createFields(data);
  const isUnlike = createIsUnlike();
  for (const { source_path, destination_paths } of mappings) {
    const value = fields.get(source_path);
    const lost = value === undefined ? valueAt(before, source_path) : undefined;
    if (value === undefined && lost === undefined) continue;
    for (const path of destination_paths) {
      if (value !== undefined) fields.set(path, value);
      else if (lost !== undefined && !isWritten(patch, path) && !isUnlike(source_path, path, lost, fields.get(path))) {
        fields.remove(path);
      }
    }
  }
  return fields.data();
}

/** Data to change in place. Removing the last field of an entity removes the entity. */
function createFields(data: RecordData) {
  const entities = new Map(Object.entries(data).map(([entity, fields]) => [entity, new Map(Object.entries(fields))]));
  return {
    get(path: string): JsonValue | undefined {
      const [entity, field] = parsePath(path);
      return entities.get(entity)?.get(field);
    },
    set(path: string, value: JsonValue): void {
      const [entity, field] = parsePath(path);
      const fields = entities.get(entity) ?? new Map<string, JsonValue>();
      fields.set(field, value);
      entities.set(entity, fields);
    },
    remove(path: string): void {
      const [entity, field] = parsePath(path);
      const fields = entities.get(entity);
      fields?.delete(field);
      if (fields?.size === 0) entities.delete(entity);
    },
    data: (): RecordData =>
      Object.fromEntries([...entities].map(([entity, fields]) => [entity, Object.fromEntries(fields)])),
  };
}

/** Whether this write sets the field. */
function isWritten(patch: RecordPatch, path: string): boolean {
  const [entity, field] = parsePath(path);
  const fields = Object.hasOwn(patch, entity) ? patch[entity] : null;
  return fields !== null && fields !== undefined && Object.hasOwn(fields, field);
}

/** Caches comparisons, because many mappings may compare the same large values. */
function createIsUnlike() {
  const known = new Map<string, readonly [JsonValue, JsonValue | undefined]>();
  return (source: string, destination: string, lost: JsonValue, found: JsonValue | undefined): boolean => {
    if (found === undefined) return true;
    const key = `${source} ${destination}`;
    const before = known.get(key);
    if (before?.[0] === lost && before[1] === found) return true;
    if (JSON.stringify(found) === JSON.stringify(lost)) return false;
    known.set(key, [lost, found]);
    return true;
  };
}
