/** The tables of the store. */
import { statSync } from "node:fs";
import { StepwellError } from "../../../src/errors.ts";
import type { Database, OpenDatabase, SqlRow } from "./database.ts";

/** Version of the tables. A file with another one is refused. */
export const FORMAT = 1;

/**
 * - `document` has the documents, each with a checksum: SQLite itself has none.
 * - `entry` has the rows of all lists, each with the document to which it belongs (none in derived lists), `mark` the rows of each mark in the order of pages, and `mark_count` their numbers.
 * - `search` finds texts by three or more characters in a row. It stores no texts of its own. Its column `list` has a word
 *   for each list, so that a search in one list doesn't find the rows of another.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS document (
  n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, json TEXT NOT NULL,
  checksum TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS list (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entry (
  n INTEGER PRIMARY KEY, list INTEGER NOT NULL, ord TEXT NOT NULL, id TEXT NOT NULL, document INTEGER, marks TEXT,
  text TEXT, UNIQUE (list, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS entry_order ON entry (list, ord, id);
CREATE TABLE IF NOT EXISTS mark (
  list INTEGER NOT NULL, mark TEXT NOT NULL, ord TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (list, mark, ord, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mark_count (
  list INTEGER NOT NULL, mark TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (list, mark)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(
  list, text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
INSERT OR IGNORE INTO meta VALUES ('format', ${FORMAT}), ('generation', 0);
`;

/** Memory for pages of the file. */
const CACHE_KIB = 32 * 1024;
/** How long a write waits for another program that writes to the file, such as a backup. */
const BUSY_TIMEOUT_MS = 250;
/** What SQLite says of a file of something else (SQLITE_NOTADB). */
const NOT_SQLITE = /not a database/;

/**
 * @param isSynced Whether commits survive a loss of power.
 * @throws StepwellError `unavailable` for a file with another format
 */
export function prepareDatabase(database: Database, file: string, isSynced: boolean): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`PRAGMA synchronous = ${isSynced ? "FULL" : "NORMAL"}`);
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  database.exec("PRAGMA temp_store = MEMORY");
  requireFormat(database, file);
  database.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT;`);
}

/**
 * Whether a file is that of a store, even an empty one. Creates and changes nothing.
 * @throws StepwellError `unavailable` if it cannot be read
 */
export function isStore(open: OpenDatabase, file: string): boolean {
  // SQLite would create it.
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return false;
  let database: Database | undefined;
  try {
    database = open(file);
    return hasTables(tablesOf(database));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (NOT_SQLITE.test(reason)) return false;
    throw new StepwellError("unavailable", `The file ${file} cannot be read: ${reason}`, { cause });
  } finally {
    database?.close();
  }
}

const tablesOf = (database: Database) => database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
const hasTables = (tables: readonly SqlRow[]) =>
  ["meta", "mark_count"].every((table) => tables.some(({ name }) => name === table));

/** Before any table is created: the file may be another program's. */
function requireFormat(database: Database, file: string): void {
  const tables = tablesOf(database);
  if (tables.length === 0) return;
  if (!hasTables(tables)) {
    throw new StepwellError(
      "unavailable",
      `${file} is a database of another program. Choose another file for the store.`,
    );
  }
  const format = database.prepare("SELECT value FROM meta WHERE name = 'format'").get()?.["value"];
  if (format !== FORMAT) {
    const message = `The store ${file} has format ${String(format)}. This version of Stepwell reads format ${FORMAT}.`;
    throw new StepwellError("unavailable", message);
  }
}
