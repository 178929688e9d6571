/**
 * Converts keys to paths. Every segment is a file name valid on all file systems, and no path leaves the base folder.
 */
import { join } from "node:path";

const PLAIN = /^[a-z0-9_-][a-z0-9_.-]*$/;

/** `a:b` becomes `base/a/b`. All characters except lowercase letters, digits, `_`, `-` and inner `.` become `%xx`. */
export function pathOf(base: string, key: string): string {
  const segments = key.split(":");
  if (segments.includes("")) throw new Error(`Invalid key ${JSON.stringify(key)}: a segment is empty`);
  return join(base, ...segments.map(nameOf));
}

/** Converts a path below the base back to its key. */
export function keyOf(path: string): string {
  return path.split(/[\\/]/).map(decodeURIComponent).join(":");
}

function nameOf(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  let name = "";
  // Encoded as UTF-8, so that names that differ only in case or in Unicode form stay different.
  for (const byte of new TextEncoder().encode(segment)) {
    const character = String.fromCharCode(byte);
    const plain = name === "" ? /[a-z0-9_-]/ : /[a-z0-9_.-]/;
    name += byte < 0x80 && plain.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  }
  return name;
}
