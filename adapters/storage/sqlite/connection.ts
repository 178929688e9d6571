/** An open store file. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { LRUCache } from "lru-cache";
import { StepwellError } from "../../../src/errors.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { DocumentWrite } from "../../../src/storage/commits/prepare-changes.ts";
import { lockFolder } from "../fs/lock.ts";
import { startCheckpointer } from "./checkpointer.ts";
import type { Database, OpenDatabase, Statement } from "./database.ts";
import { createDocumentTable, type DocumentTable } from "./document-table.ts";
import { createListPages, type ListPages } from "./list-pages.ts";
import { createListTable } from "./lists.ts";
import { createRowReader, type RowReader } from "./row-reader.ts";
import { prepareDatabase } from "./schema.ts";
import { createTextSearch } from "./text-search.ts";
import { createTransactions, type Transactions } from "./transactions.ts";

export interface Connection extends Transactions {
  readonly documents: DocumentTable;
  readonly pages: ListPages;
  readonly rows: RowReader;
  /** Whether the list has the row. */
  hasRow(list: string, id: string): boolean;
  close(): Promise<void>;
}

export interface FileOptions {
  readonly file: string;
  readonly isSynced: boolean;
  readonly logger: Logger;
  readonly nextTurn: () => Promise<void>;
}

/** Texts of statements for pages, which differ by the number of marks and the kinds of conditions. */
const MAX_STATEMENTS = 200;

/** Why a folder cannot be locked, apart from other processes. */
const CANNOT_WRITE = /cannot be created:|EACCES|EPERM|EROFS/;

/** @throws StepwellError `unavailable` if another process uses the file, or the file is not a store */
export async function openConnection(open: OpenDatabase, options: FileOptions): Promise<Connection> {
  const { file, isSynced } = options;
  mkdirSync(dirname(file), { recursive: true });
  const release = await lock(file);
  let database: Database | undefined;
  try {
    database = open(file);
    prepareDatabase(database, file, isSynced);
    return connect(database, release, options);
  } catch (error) {
    database?.close();
    release();
    throw error;
  }
}

/** A folder beside the file: SQLite's own locks end when another part of the process reads the file, such as a backup. */
async function lock(file: string): Promise<() => void> {
  try {
    return await lockFolder(`${file}.lock`);
  } catch (cause) {
    const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split(". ");
    if (CANNOT_WRITE.test(reason)) {
      const message = `The store ${file} cannot be opened: ${reason}. Its folder must be writable for this process.`;
      throw new StepwellError("unavailable", message, { cause });
    }
    const message = `Only one process can use the store ${file} at a time: ${reason}. Stop the other one.`;
    throw new StepwellError("unavailable", message, { cause });
  }
}

function connect(database: Database, release: () => void, { file, logger, nextTurn }: FileOptions): Connection {
  const statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });
  function prepare(text: string): Statement {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  const lists = createListTable(database);
  const documents = createDocumentTable(database);
  const pages = createListPages({ prepare, lists, search: createTextSearch(database), nextTurn });
  const selectEntry = database.prepare("SELECT 1 FROM entry WHERE list = ? AND id = ?");
  const transactions = createTransactions(database, file, { documents, lists });
  const checkpointer = startCheckpointer(database, file, logger);

  return {
    documents,
    pages,
    rows: createRowReader(database, lists),

    get isBroken() {
      return transactions.isBroken;
    },

    get isLost() {
      return transactions.isLost;
    },

    hasRow(name, id) {
      const list = lists.find(name);
      return list !== undefined && (selectEntry.get(list.n, id) ?? null) !== null;
    },

    verify: transactions.verify,

    write(commits) {
      const outcomes = transactions.write(commits);
      checkpointer.wrote(commits.reduce((sum, { writes }) => sum + sizeOf(writes), 0));
      return outcomes;
    },

    async close() {
      await checkpointer.close();
      database.close();
      release();
    },
  };
}

/** Documents and rows that are written. */
const sizeOf = (writes: readonly DocumentWrite[]) => writes.reduce((sum, { rows }) => sum + 1 + rows.length, 0);
