/** What people call a record: the first field that looks like its name. Pure. */
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { nameOr } from "../elements/values/visible-text.ts";

/** Names of fields, the best first. */
const NAMES = ["name", "title", "label", "full_name", "subject", "email", "number", "key", "code"];
const MAX_CHARS = 80;

export function recordTitle({ id, data }: Pick<CollectionRecord, "id" | "data">): string {
  for (const wanted of NAMES) {
    for (const fields of Object.values(data)) {
      for (const [field, value] of Object.entries(fields)) {
        if (field.toLowerCase() !== wanted || (typeof value !== "string" && typeof value !== "number")) continue;
        const text = nameOr(String(value), "");
        if (text !== "") return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
      }
    }
  }
  return id;
}
