/** Applies commits, several in one transaction. */
import { statSync } from "node:fs";
import { StepwellError } from "../../../src/errors.ts";
import type { RowChange } from "../../../src/ports/store.ts";
import { isPut } from "../../../src/storage/commits/document-rows.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import type { Database } from "./database.ts";
import type { DocumentTable } from "./document-table.ts";
import type { ListTable } from "./lists.ts";
import { createRowWriter } from "./row-writer.ts";

export interface Transactions {
  /** Whether a transaction could not be undone. Then the database must be opened again. */
  readonly isBroken: boolean;
  /** Whether another process has taken the file over. */
  readonly isLost: boolean;
  /** @throws StepwellError `unavailable` if the file belongs to another process, or is not there anymore */
  verify(): void;
  /**
   * Applies commits in one transaction. Those that conflict are left out.
   * @returns For each commit, null or its conflict.
   * @throws if nothing was stored
   */
  write(commits: readonly PreparedChanges[]): readonly (Error | null)[];
}

/** Takes ownership of the file: an owner before, if it is still there, writes no more. */
export function createTransactions(
  database: Database,
  file: string,
  tables: { readonly documents: DocumentTable; readonly lists: ListTable },
): Transactions {
  const { documents, lists } = tables;
  const rows = createRowWriter(database, lists);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const end = database.prepare("COMMIT");
  const selectGeneration = database.prepare("SELECT value FROM meta WHERE name = 'generation'");
  database.exec("UPDATE meta SET value = value + 1 WHERE name = 'generation'");
  const generation = selectGeneration.get()?.["value"];
  const opened = identityOf(file);
  let isBroken = false;
  let isLost = false;

  /** The lock is not reliable everywhere, such as where two machines share a folder. */
  function requireOwnership(): void {
    if (selectGeneration.get()?.["value"] !== generation) {
      isLost = true;
      throw new StepwellError("unavailable", `Another process has taken over the store ${file}.`);
    }
  }

  /** SQLite goes on with a file that has no name anymore, and nobody would find what is in it. */
  function requireFile(): void {
    if (identityOf(file) === opened) return;
    const message = `The file of the store ${file} was moved, deleted or replaced. Stop this process, restore the file, and start again.`;
    throw new StepwellError("unavailable", message);
  }

  /** @param document The number of the document that owns the row. Null in a derived list. */
  function applyRow(change: RowChange, document: number | null): void {
    if (isPut(change)) rows.put(change.list, change.put, document);
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
      const document = documents.write(write);
      for (const row of write.rows) applyRow(row, document);
    }
    for (const row of derived) applyRow(row, null);
    return null;
  }

  function rollBack(): void {
    documents.forget();
    lists.forget();
    try {
      database.exec("ROLLBACK");
    } catch (error) {
      // SQLite ends a transaction by itself after some failures, such as a full disk.
      const hasEnded = error instanceof Error && error.message.includes("no transaction is active");
      if (!hasEnded) isBroken = true;
    }
  }

  return {
    get isBroken() {
      return isBroken;
    },

    get isLost() {
      return isLost;
    },

    verify() {
      requireOwnership();
      requireFile();
    },

    write(commits) {
      try {
        begin.run();
        requireOwnership();
        const outcomes = commits.map(apply);
        lists.flush();
        requireFile();
        end.run();
        return outcomes;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
  };
}

/** Tells a file from another one that gets its name. */
function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev}.${found.ino}`;
}
