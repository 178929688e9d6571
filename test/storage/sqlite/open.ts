/** SQLite stores for the tests, in temporary folders. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, loadSqlite, type OpenDatabase } from "../../../adapters/storage/sqlite/database.ts";
import { createSqliteStore } from "../../../adapters/storage/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";

export interface StoreFile {
  readonly folder: string;
  readonly file: string;
  /** @param wrap Wraps what the store opens. */
  open(wrap?: (open: OpenDatabase) => OpenDatabase): Store;
  /** Opens the file beside the store. */
  look(): Promise<Database>;
  clean(): Promise<void>;
}

export function createStoreFile(): StoreFile {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-sqlite-"));
  const file = join(folder, "deep", "store.db");
  return {
    folder,
    file,
    open: (wrap = (open) => open) =>
      createSqliteStore({
        file,
        isSynced: false,
        clock: systemClock,
        logger: silent,
        load: async () => wrap(await loadSqlite()),
      }),
    look: async () => (await loadSqlite())(file),
    clean: async () => rmSync(folder, { recursive: true }),
  };
}
