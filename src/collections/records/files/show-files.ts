/** Adds the files of an app to the references in the data of its records. */
import { type FileSummary, fileSummary } from "../../../files/file.ts";
import type { JsonValue } from "../../../json.ts";
import type { FindFiles } from "../../../runs/resolve-input.ts";
import type { RecordData } from "../record.ts";
import { findReferences, replaceReferences } from "./file-references.ts";

/**
 * Returns the data with `{ file_id, file }` in place of each reference. `file` has the name, size and type of the file, or is
 * null if it was deleted. Each file is looked up once, however many records refer to it.
 */
export type ShowFiles = (appId: string, all: readonly RecordData[]) => Promise<readonly RecordData[]>;

/** Files that are looked up at the same time. */
const FILES_PER_READ = 1_000;

export function createShowFiles(findFiles: FindFiles): ShowFiles {
  async function filesOf(appId: string, ids: readonly string[]): Promise<ReadonlyMap<JsonValue, FileSummary>> {
    const known = new Map<JsonValue, FileSummary>();
    for (let start = 0; start < ids.length; start += FILES_PER_READ) {
      const found = await findFiles(appId, ids.slice(start, start + FILES_PER_READ));
      for (const file of found) if (file !== null) known.set(file.id, fileSummary(file));
    }
    return known;
  }

  return async (appId, all) => {
    const references = all.map((data) => findReferences(data).map(({ id }) => id));
    const ids = new Set(references.flat().filter((id) => typeof id === "string"));
    if (ids.size === 0) return all;
    const files = await filesOf(appId, [...ids]);
    const show = (file_id: JsonValue) => ({ file_id, file: files.get(file_id) ?? null });
    return all.map((data, index) => (references[index]?.length === 0 ? data : withShown(data, show)));
  };
}

function withShown(data: RecordData, show: (id: JsonValue) => JsonValue): RecordData {
  return Object.fromEntries(
    Object.entries(data).map(([entity, fields]) => [
      entity,
      Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, replaceReferences(value, show)])),
    ]),
  );
}
