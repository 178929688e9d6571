/** The files that a value names by their ids: the input of a run has no more of them. Pure. */
import type { JsonValue } from "../../../../../src/json.ts";

/** As the server creates them. */
const FILE_ID = /^afile_[0-9a-z]{26}$/;
/** A value may have a million parts. */
const MAX_PARTS = 2_000;
const MAX_FILES = 20;

/** Without repetitions, in the order of the value: those of the first parts of a long one. */
export function fileIdsIn(value: JsonValue): readonly string[] {
  const found = new Set<string>();
  const left: JsonValue[] = [value];
  for (let parts = 0; parts < MAX_PARTS && found.size < MAX_FILES; parts++) {
    const part = left.pop();
    if (part === undefined) break;
    if (typeof part === "string" && FILE_ID.test(part)) found.add(part);
    if (typeof part !== "object" || part === null) continue;
    const inside = (Array.isArray(part) ? part : Object.values(part)).slice(0, MAX_PARTS);
    for (let at = inside.length - 1; at >= 0; at--) left.push(inside[at] ?? null);
  }
  return [...found];
}
