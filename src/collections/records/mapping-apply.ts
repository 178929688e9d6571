/** What the mappings of a collection make of the data of a record. Pure. DESIGN 6. */
import type { JsonValue } from "../../json.ts";
import type { Mapping } from "../mapping.ts";
import type { RecordData, RecordPatch } from "./record.ts";
import { parsePath, patched, valueAt } from "./record-data.ts";

/**
 * Copies the value of each source to its destinations: each mapping once, in order, seeing what those before it have
 * copied, so that mappings that lead back to themselves end.
 *
 * A source that has lost its value takes it away from the destinations that still hold it; a destination with another
 * value was written by somebody, and stays. So does every destination of a source that never had a value.
 *
 * @param before The data as it was, mappings applied.
 */
export function applyMappings(before: RecordData, patch: RecordPatch, mappings: readonly Mapping[]): RecordData {
  return mappings.reduce(
    (data, { source_path, destination_paths }) => {
      const value = valueAt(data, source_path);
      if (value !== undefined) return destination_paths.reduce((after, path) => withValue(after, path, value), data);
      const lost = valueAt(before, source_path);
      if (lost === undefined) return data;
      return destination_paths.reduce(
        (after, path) =>
          isWritten(patch, path) || !isSame(valueAt(after, path), lost) ? after : withValue(after, path, null),
        data,
      );
    },
    patched(before, patch),
  );
}

function withValue(data: RecordData, path: string, value: JsonValue): RecordData {
  const [entity, field] = parsePath(path);
  return patched(data, { [entity]: { [field]: value } });
}

/** Whether this very write gives it. */
function isWritten(patch: RecordPatch, path: string): boolean {
  const [entity, field] = parsePath(path);
  const fields = Object.hasOwn(patch, entity) ? patch[entity] : null;
  return fields !== null && fields !== undefined && Object.hasOwn(fields, field);
}

const isSame = (one: JsonValue | undefined, other: JsonValue) => JSON.stringify(one) === JSON.stringify(other);
