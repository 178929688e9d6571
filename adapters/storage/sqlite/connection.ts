/** An open store file: who owns it, its tables, and transactions. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { LRUCache } from "lru-cache";
import { StepwellError } from "../../../src/errors.ts";
import type { RowChange } from "../../../src/ports/store.ts";
import { isPut } from "../../../src/storage/commits/document-rows.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import type { OpenDatabase, Statement } from "./database.ts";
import { createDocumentTable, type DocumentTable } from "./document-table.ts";
import { createListPages, type ListPages } from "./list-pages.ts";
import { createListTable } from "./lists.ts";
import { lockFile } from "./owner-lock.ts";
import { createRowWriter } from "./row-writer.ts";
import { prepareDatabase } from "./schema.ts";
import { createTextSearch } from "./text-search.ts";

export interface Connection {
  readonly documents: DocumentTable;
  readonly pages: ListPages;
  /** Whether the list has the row. */
  hasRow(list: string, id: string): boolean;
  /**
   * Applies commits in one transaction. Those that conflict are left out.
   * @returns For each commit, null or its conflict.
   * @throws if nothing was stored
   */
  write(commits: readonly PreparedChanges[]): readonly (Error | null)[];
  close(): void;
}

export interface FileOptions {
  readonly file: string;
  readonly isSynced: boolean;
  readonly nextTurn: () => Promise<void>;
}

/** Texts of statements for pages, which differ by the number of marks and the kinds of conditions. */
const MAX_STATEMENTS = 200;

/** @throws StepwellError `unavailable` if another process uses the file, or the file is not a store */
export function openConnection(open: OpenDatabase, { file, isSynced, nextTurn }: FileOptions): Connection {
  mkdirSync(dirname(file), { recursive: true });
  const lock = lockFile(open, file);
  const database = open(file);
  try {
    prepareDatabase(database, file, isSynced);
  } catch (error) {
    database.close();
    lock.release();
    throw error;
  }

  const statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });
  function prepare(text: string): Statement {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  const lists = createListTable(database);
  const documents = createDocumentTable(database);
  const rows = createRowWriter(database, lists);
  const pages = createListPages({ prepare, lists, search: createTextSearch(database), nextTurn });
  const begin = database.prepare("BEGIN IMMEDIATE");
  const end = database.prepare("COMMIT");
  const selectEntry = database.prepare("SELECT 1 FROM entry WHERE list = ? AND id = ?");
  const selectGeneration = database.prepare("SELECT value FROM meta WHERE name = 'generation'");
  database.exec("UPDATE meta SET value = value + 1 WHERE name = 'generation'");
  const generation = selectGeneration.get()?.["value"];

  /** Locks of files are not reliable everywhere, such as on network file systems. */
  function requireOwnership(): void {
    if (selectGeneration.get()?.["value"] === generation) return;
    throw new StepwellError("unavailable", `Another process has taken over the store ${file}.`);
  }

  function applyRow(change: RowChange): void {
    if (isPut(change)) rows.put(change.list, change.put);
    else rows.delete(change.list, change.delete);
  }

  /** All expectations are checked before anything is written, so that a conflict leaves nothing to undo. */
  function apply({ expectations, writes, derived }: PreparedChanges): Error | null {
    try {
      for (const expectation of expectations) documents.require(expectation);
    } catch (error) {
      if (error instanceof StepwellError && error.code === "conflict") return error;
      throw error;
    }
    for (const write of writes) {
      documents.write(write);
      for (const row of write.rows) applyRow(row);
    }
    for (const row of derived) applyRow(row);
    return null;
  }

  function rollBack(): void {
    documents.forget();
    lists.forget();
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has ended the transaction already, as after a full disk.
    }
  }

  return {
    documents,
    pages,

    hasRow(name, id) {
      const list = lists.find(name);
      return list !== undefined && (selectEntry.get(list.n, id) ?? null) !== null;
    },

    write(commits) {
      begin.run();
      try {
        requireOwnership();
        const outcomes = commits.map(apply);
        lists.flush();
        end.run();
        return outcomes;
      } catch (error) {
        rollBack();
        throw error;
      }
    },

    close() {
      database.close();
      lock.release();
    },
  };
}
