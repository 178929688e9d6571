/** A store in one SQLite file, for one process. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import fsDriver from "../fs/fs.ts";
import { loadSqlite } from "./database.ts";
import { isStore } from "./schema.ts";
import { createSqliteStore } from "./sqlite-store.ts";

const NO_FILE = 'The SQLite store needs the path of a file: sqlite({ file: ".stepwell/store.db" }).';

/** Options of the SQLite store. */
export interface SqliteOptions {
  /**
   * Path of the file, created with its folder if it doesn't exist. SQLite keeps two more beside it while it is open
   * (`-wal` and `-shm`), and Stepwell a folder that locks it (`.lock`). Not on a network file system.
   */
  readonly file: string;
  /**
   * Whether commits survive a loss of power, not only the end of the process. Each transaction then waits for the disk.
   * @default false
   */
  readonly sync?: boolean;
}

/**
 * A store in one SQLite file. One process can use it at a time; another one gets `unavailable` while the first is running.
 * Its memory doesn't grow with what is stored. The bytes of files are in the folder `FILE-files` unless `storage.blobs` is
 * set.
 *
 * Uses the SQLite of the runtime: Node.js 22.13 and later, Deno, Bun. Node.js 20 needs the package `better-sqlite3`.
 *
 * @example
 * ```ts
 * createStepwell({ storage: { entities: sqlite({ file: ".stepwell/store.db" }) } });
 * ```
 * @throws TypeError if an option is missing or unknown
 */
export default function sqlite(options: SqliteOptions): StoreAdapter {
  if (typeof options !== "object" || options === null) throw new TypeError(NO_FILE);
  const { file, sync = false, ...unknown } = options;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`The SQLite store has no option "${name}". It has file and sync.`);
  if (typeof file !== "string" || file === "" || file.startsWith(":") || file.startsWith("file:")) {
    throw new TypeError(NO_FILE);
  }
  if (typeof sync !== "boolean") throw new TypeError("The option sync of the SQLite store must be true or false.");
  const path = realPath(resolve(file));
  return {
    name: "sqlite",
    canBeShared: false,
    place: `the file ${path}`,
    exists: async () => isStore(await loadSqlite(), path),
    createStore: (ports) => createSqliteStore({ ...ports, file: path, isSynced: sync, load: loadSqlite }),
    blobs: fsDriver({ base: `${path}-files` }),
  };
}

/** The path without links: the lock and the bytes of files are beside the file itself. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there yet
  }
}
