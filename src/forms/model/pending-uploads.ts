/** The uploads that a form has to wait for. Pure. */
import { chosenEntry, type Entry, filesOf } from "./entry.ts";

/** The ids of the files that are part of the value, and of which bytes are missing. */
export function pendingUploads(entry: Entry): readonly string[] {
  switch (entry.kind) {
    case "files":
      return filesOf(entry).flatMap(({ id, uploadUrl }) => (uploadUrl === null ? [] : [id]));
    case "list":
      return entry.rows.flatMap((row) => pendingUploads(row.entry));
    case "object":
      return [...Object.values(entry.fields), ...entry.extra.map((row) => row.entry)].flatMap(pendingUploads);
    case "variants":
      return pendingUploads(chosenEntry(entry) ?? { kind: "none" });
    default:
      return [];
  }
}
