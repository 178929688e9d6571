/** What the mappings of a collection make of the data of a record. Pure. DESIGN 6. */
import type { Mapping } from "../mapping.ts";
import type { RecordData } from "./record.ts";
import { parsePath, patched, valueAt } from "./record-data.ts";

/**
 * Copies the value of each source to its destinations: each mapping once, in order, seeing what those before it have
 * copied, so that mappings that lead back to themselves end. A source without a value leaves its destinations alone.
 */
export function applyMappings(data: RecordData, mappings: readonly Mapping[]): RecordData {
  return mappings.reduce((before, { source_path, destination_paths }) => {
    const value = valueAt(before, source_path);
    if (value === undefined) return before;
    return destination_paths.reduce((after, path) => {
      const [entity, field] = parsePath(path);
      return patched(after, { [entity]: { [field]: value } });
    }, before);
  }, data);
}
