/** Lists the keys of the items in a folder. Names that begin with a dot are locks, gates and temporary files. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { orNull } from "./files.ts";
import { keyOf } from "./path.ts";

/** The keys that begin with `prefix`. */
export const keysIn = (base: string, prefix: string): Promise<string[]> => keysBelow(base, "", prefix, keyOf);

/** The same for a folder that may belong to others, whose names need not be those of keys. */
export const peekKeysIn = (base: string, prefix: string): Promise<string[]> =>
  keysBelow(base, "", prefix, (path) => (isEncoded(path) ? keyOf(path) : path));

async function keysBelow(
  base: string,
  folder: string,
  prefix: string,
  keyAt: (path: string) => string,
): Promise<string[]> {
  const keys: string[] = [];
  for (const entry of (await orNull(readdir(join(base, folder), { withFileTypes: true }))) ?? []) {
    if (entry.name.startsWith(".")) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    const start = `${keyAt(path)}:`;
    if (entry.isDirectory()) {
      if (!start.startsWith(prefix) && !prefix.startsWith(start)) continue;
      for (const key of await keysBelow(base, path, prefix, keyAt)) keys.push(key);
    } else if (keyAt(path).startsWith(prefix)) {
      keys.push(keyAt(path));
    }
  }
  return keys;
}

function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
