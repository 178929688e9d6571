/**
 * Keeps other processes out: an open transaction on a small file beside the database. The kernel ends it with the process,
 * however it ends. (An exclusive lock on the database itself would also keep out tools that read it.)
 */
import { StepwellError } from "../../../src/errors.ts";
import type { OpenDatabase } from "./database.ts";

export interface OwnerLock {
  release(): void;
}

/** Codes of SQLite, as the libraries report them. */
const BUSY = 5;

/** @throws StepwellError `unavailable` if another process has the file open */
export function lockFile(open: OpenDatabase, file: string): OwnerLock {
  const lock = open(`${file}.lock`);
  try {
    lock.exec("PRAGMA busy_timeout = 0");
    lock.exec("PRAGMA journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    const message = `Another process uses the store ${file}. Only one process can use it at a time.`;
    throw new StepwellError("unavailable", message, { cause });
  }
  return {
    release() {
      lock.exec("ROLLBACK");
      lock.close();
    },
  };
}

/** Whether somebody else holds a lock. Each library reports it in a field of its own. */
export function isBusy(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return Reflect.get(error, "errcode") === BUSY || Reflect.get(error, "code") === "SQLITE_BUSY";
}
