/** The store on SQLite. Commits of one turn of the event loop are one transaction. */
import { MEBIBYTE } from "../../../src/encoding/bytes.ts";
import { damaged, isStepwellError, StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { closedError } from "../../../src/ports/closed-error.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Document, Key, ListQuery, Stored } from "../../../src/ports/store.ts";
import type { StorePorts } from "../../../src/ports/store-adapter.ts";
import type { MovableStore } from "../../../src/ports/store-contents.ts";
import { type PreparedChanges, prepareChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { elapsedOf, inNextTurn } from "../../../src/time/system-clock.ts";
import { type Connection, openConnection } from "./connection.ts";
import { createContents } from "./contents.ts";
import type { OpenDatabase } from "./database.ts";

interface Waiting {
  readonly changes: PreparedChanges;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Limits of one transaction. Others wait for the next turn of the event loop. */
const MAX_COMMITS = 256;
const MAX_CHARS = MEBIBYTE;

export function createSqliteStore(options: {
  readonly file: string;
  readonly isSynced: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onFlush?: StorePorts["onFlush"];
  /** Loads the library. */
  readonly load: () => Promise<OpenDatabase>;
}): MovableStore {
  const { file, isSynced, clock, logger, onFlush, load } = options;
  const queue: Waiting[] = [];
  let connection: Connection | null = null;
  let opening: Promise<Connection> | null = null;
  let writing: Promise<void> | null = null;
  let isClosed = false;
  let isFailing = false;

  const nextTurn = () => new Promise<void>((resolve) => inNextTurn(clock, resolve));

  function failure(cause: unknown): StepwellError {
    if (isStepwellError(cause)) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new StepwellError("unavailable", `The store ${file} failed: ${reason}`, { cause });
  }

  async function open(): Promise<Connection> {
    const sqlite = await load();
    if (isClosed) throw closedError();
    const opened = await openConnection(sqlite, { file, isSynced, logger, nextTurn });
    connection = opened;
    return opened;
  }

  function opened(by: Promise<Connection>): Promise<Connection> {
    opening = by.finally(() => {
      opening = null;
    });
    return opening;
  }

  async function connected(): Promise<Connection> {
    if (isClosed) throw closedError();
    return connection ?? opening ?? opened(open());
  }

  function reopen(broken: Connection): void {
    connection = null;
    // If it fails, the next call tries again.
    opened(broken.close().then(open)).catch(() => undefined);
  }

  /** @throws StepwellError `unavailable` if SQLite fails */
  async function reading<T>(read: (connection: Connection) => T | Promise<T>): Promise<T> {
    try {
      return await read(connection !== null && !isClosed ? connection : await connected());
    } catch (error) {
      throw failure(error);
    }
  }

  function takeBatch(): readonly Waiting[] {
    let size = 0;
    const full = queue.findIndex(({ changes }, index) => {
      size += changes.writes.reduce((sum, { json }) => sum + json.length, 0);
      return index > 0 && (index === MAX_COMMITS || size > MAX_CHARS);
    });
    return queue.splice(0, full === -1 ? queue.length : full);
  }

  function writeBatch(to: Connection): void {
    const batch = takeBatch();
    const since = elapsedOf(clock);
    try {
      const outcomes = to.write(batch.map(({ changes }) => changes));
      isFailing = false;
      onFlush?.({ commits: batch.length, milliseconds: elapsedOf(clock) - since });
      for (const [index, { resolve, reject }] of batch.entries()) {
        const conflict = outcomes[index] ?? null;
        if (conflict === null) resolve();
        else reject(conflict);
      }
    } catch (error) {
      isFailing = true;
      for (const { reject } of batch) reject(failure(error));
      if (to.isBroken) reopen(to);
    }
  }

  async function writeAll(): Promise<void> {
    await nextTurn();
    try {
      while (queue.length > 0) {
        writeBatch(connection ?? (await connected()));
        if (queue.length > 0) await nextTurn();
      }
    } catch (error) {
      isFailing = true;
      for (const { reject } of queue.splice(0)) reject(failure(error));
    } finally {
      writing = null;
    }
  }

  async function commit(changes: PreparedChanges): Promise<void> {
    if (isClosed) throw closedError();
    const settled = new Promise<void>((resolve, reject) => queue.push({ changes, resolve, reject }));
    writing ??= writeAll();
    return settled;
  }

  return {
    get isFailing() {
      return isFailing;
    },

    get isLost() {
      return connection?.isLost ?? false;
    },

    probe: () => reading(({ verify }) => verify()),

    get: <T extends Document>(key: Key) => reading(({ documents }) => typed<T>(documents.read(key))),

    getMany: <T extends Document>(keys: readonly Key[]) =>
      reading(({ documents }) => keys.map((key) => typed<T>(documents.read(key)))),

    getText: (key, maxChars) => reading(({ documents }) => documents.readText(key, maxChars, nextTurn)),

    // Serialized before any await, because the caller may modify its objects afterwards.
    commit: async (given) => commit(prepareChanges(given)),

    contents: createContents(reading, commit),

    list: (name, query) => reading(({ pages }) => pages.page(name, query)),

    totals: (names) => reading(({ pages }) => pages.totals(names)),

    listDocuments: <T extends Document>(name: string, query: ListQuery, keyOf: (id: string) => Key) =>
      reading(async ({ pages, documents, hasRow }) => {
        const page = await pages.page(name, query);
        const found = page.ids.map((id) => typed<T>(documents.read(keyOf(id))));
        const missing = page.ids.find((id, index) => found[index] === null && hasRow(name, id));
        if (missing !== undefined) throw damaged(keyOf(missing), "The document");
        return { ...page, documents: found.filter((stored) => stored !== null) };
      }),

    async close() {
      await writing;
      isClosed = true;
      await opening?.catch(() => undefined);
      await connection?.close();
      connection = null;
    },
  };
}

/** Casts a document to its type: the code that knows a key has written its document. */
function typed<T extends Document>(stored: Stored<Document> | null): Stored<T> | null {
  return stored as Stored<T> | null;
}
