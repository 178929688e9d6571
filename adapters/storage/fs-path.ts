/** Keys as paths: every segment a file name that means the same on every file system, and never leaves the base. */
import { join } from "node:path";

const PLAIN = /^[a-z0-9_-][a-z0-9_.-]*$/;

/** `a:b` is `base/a/b`. What is not a lower-case letter, digit, `_`, `-` or an inner `.` is written as `%xx`. */
export function pathOf(base: string, key: string): string {
  const segments = key.split(":");
  if (segments.includes("")) throw new Error(`Invalid key ${JSON.stringify(key)}: a segment is empty`);
  return join(base, ...segments.map(nameOf));
}

/** The key of a path below the base. */
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
