/**
 * Copies what commits have appended to the write-ahead file into the database file, on a thread: it waits for the disk,
 * which would hold up the event loop for 10 ms and more. Where a thread cannot open the database, SQLite copies within
 * commits, as it does by default.
 */
import { createRequire as requireFrom } from "node:module";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Database } from "./database.ts";

export interface Checkpointer {
  /** Counts documents and rows that were written. */
  wrote(count: number): void;
  /** Stops the thread. */
  close(): Promise<void>;
}

/** How many documents and rows are written before what they have changed is copied. */
const WRITES = 500;
/**
 * Pages of the write-ahead file after which the event loop helps: the file starts from the beginning only once all of it is
 * copied, and a busy service always adds something meanwhile. What is left then is little.
 */
const MAX_PAGES = 16_384;

/** The program of the thread: answers each message with the pages of the file, or null if it is not all copied. */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
process.removeAllListeners("warning"); // the process has warned of what is experimental
const open = {
  bun: (file) => new (require("bun:sqlite").Database)(file),
  builtIn: (file) => new (process.getBuiltinModule("node:sqlite").DatabaseSync)(file),
  package: (file) => new (require(workerData.path))(file),
}[workerData.library];
const database = open(workerData.file);
database.exec("PRAGMA busy_timeout = 10000");
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
parentPort.on("message", () => parentPort.postMessage(checkpoint.get().log));
`;

interface ThreadData {
  readonly file: string;
  readonly library: "bun" | "builtIn" | "package";
  /** Where the package is. */
  readonly path?: string;
}

export function startCheckpointer(database: Database, file: string, logger: Logger): Checkpointer {
  const checkpointHere = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let worker: Worker | null = null;
  let written = 0;
  let isCopying = false;

  /** From now on SQLite copies within commits. */
  function giveUp(error: unknown): void {
    logger.debug("SQLite checkpoints run on the event loop", { error });
    void worker?.terminate();
    worker = null;
    database.exec("PRAGMA wal_autocheckpoint = 1000");
  }

  try {
    worker = new Worker(PROGRAM, { eval: true, env: {}, execArgv: [], workerData: threadData(file) });
    worker.on("error", giveUp);
    worker.on("message", (pages: unknown) => {
      isCopying = false;
      if (typeof pages === "number" && pages > MAX_PAGES) checkpointHere.get();
    });
    worker.unref(); // after the listeners, which keep the process alive
    database.exec("PRAGMA wal_autocheckpoint = 0");
  } catch (error) {
    giveUp(error);
  }

  return {
    wrote(count) {
      written += count;
      if (worker === null || isCopying || written < WRITES) return;
      written = 0;
      isCopying = true;
      worker.postMessage(null);
    },
    async close() {
      const stopped = worker;
      worker = null;
      await stopped?.terminate();
    },
  };
}

function threadData(file: string): ThreadData {
  if ("bun" in process.versions) return { file, library: "bun" };
  if (process.getBuiltinModule?.("node:sqlite") !== undefined) return { file, library: "builtIn" };
  return { file, library: "package", path: requireFrom(import.meta.url).resolve("better-sqlite3") };
}
