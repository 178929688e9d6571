/** The store port on PostgreSQL. */
import type { StepwellError } from "../../../src/errors.ts";
import { damaged } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { closedError } from "../../../src/ports/closed-error.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Document, Key, ListQuery, RowPage, Stored } from "../../../src/ports/store.ts";
import type { StorePorts } from "../../../src/ports/store-adapter.ts";
import type { MovableStore } from "../../../src/ports/store-contents.ts";
import { prepareChanges } from "../../../src/storage/commits/prepare-changes.ts";
import type { OpenedPool, SqlRow } from "./client.ts";
import { createCommitWriter } from "./commit-writer.ts";
import { createContents } from "./contents.ts";
import { createDatabase } from "./database.ts";
import { createDocumentReader } from "./document-reader.ts";
import { createReporter } from "./failures.ts";
import { createFence } from "./fence.ts";
import type { Statement } from "./list-query.ts";
import { readPage, readTotals } from "./list-reader.ts";
import { escapeText } from "./row-text.ts";
import { openSchema } from "./schema.ts";

/** Connections that the store keeps: one for commits, and one for the lock. */
export const KEPT_CONNECTIONS = 2;

export function createPostgresStore(parts: {
  openPool: () => Promise<OpenedPool>;
  /** Its passwords are removed from error messages. */
  url: string | undefined;
  schema: string;
  maxConnections: number;
  timeoutMs: number;
  /** Whether other processes use the schema at the same time. */
  isShared?: boolean | undefined;
  clock: Clock;
  logger: Logger;
  onFlush?: StorePorts["onFlush"];
}): MovableStore {
  const { schema, isShared = false, clock, logger } = parts;
  const report = createReporter(parts.url);
  const database = createDatabase(parts);
  const fence = createFence({ database, schema, isShared, clock, logger });
  const writer = createCommitWriter({
    database,
    fence,
    schema,
    isShared,
    clock,
    onFlush: parts.onFlush,
    open: openOnce,
    report,
  });
  const documents = createDocumentReader(read, Math.max(1, parts.maxConnections - KEPT_CONNECTIONS));
  let opening: Promise<void> | null = null;
  let hasTrigrams = false;
  let closing: Promise<void> | null = null;

  async function open(): Promise<void> {
    const connection = await database.retry(() => database.reserve());
    try {
      const tables = await openSchema({ connection, schema, logger });
      await fence.lock();
      await tables.upgrade(connection);
      await fence.take();
      hasTrigrams = tables.hasTrigrams;
      writer.use(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  function openOnce(): Promise<void> {
    if (closing !== null && opening === null) return Promise.reject(closedError());
    opening ??= open().catch((error) => {
      opening = null;
      throw report(error);
    });
    return opening;
  }

  async function read({ text, values }: Statement): Promise<readonly SqlRow[]> {
    const qualified = text.replace(/\{([a-z]+)\}/g, `"${schema}".$1`);
    const [rows] = await Promise.all([database.read(qualified, values), fence.verify()]);
    return rows;
  }

  /** Reads once no commit can be seen that is, or was, rejected. */
  async function reading<T>(work: () => Promise<T>): Promise<T> {
    if (closing !== null) throw closedError();
    try {
      await openOnce();
      fence.check();
      if (writer.isInDoubt) await writer.settle();
      return await work();
    } catch (error) {
      throw reportRead(error);
    }
  }

  function reportRead(error: unknown): StepwellError {
    return closing === null ? report(error) : closedError();
  }

  const list = (name: string, query: ListQuery) => reading(() => readPage({ read, hasTrigrams, name, query }));

  /** Keys of rows that exist although their document doesn't, as of one moment. */
  async function missing(name: string, rows: readonly { id: string; key: Key }[]): Promise<readonly string[]> {
    const found = await read({
      text: `SELECT r.key FROM unnest($2::text[], $3::text[]) AS r(id, key) JOIN {entry} e ON e.list = $1 AND e.id = r.id
        WHERE NOT EXISTS (SELECT FROM {document} d WHERE d.key = r.key) LIMIT 1`,
      values: [name, rows.map(({ id }) => escapeText(id)), rows.map(({ key }) => key)],
    });
    return found.map((row) => String(row["key"]));
  }

  async function close(timeUp: Promise<void> | undefined): Promise<void> {
    let isStored = false;
    const storing = writer.close().finally(() => {
      isStored = true;
    });
    await Promise.race(timeUp === undefined ? [storing] : [storing, timeUp]);
    if (!isStored) logger.warn("the storage did not respond in time at shutdown; abandoning pending writes");
    writer.abandon();
    await Promise.race([release(timeUp), ...(timeUp === undefined ? [] : [timeUp.then(database.cutOff)])]);
  }

  async function release(timeUp: Promise<void> | undefined): Promise<void> {
    await opening?.catch(() => undefined);
    await fence.release();
    await database.close(timeUp);
  }

  return {
    get isFailing() {
      return writer.isFailing;
    },

    get isLost() {
      return fence.isLost;
    },

    async probe() {
      await reading(() => documents.read([PROBE]));
    },

    async get<T extends Document>(key: Key) {
      const [found] = await reading(() => documents.read([key]));
      return typed<T>(found ?? null);
    },

    async getMany<T extends Document>(keys: readonly Key[]) {
      const found = await reading(() => documents.read(keys));
      return found.map((stored) => typed<T>(stored));
    },

    getText: (key, maxChars) => reading(() => documents.readText(key, maxChars)),

    commit(changes) {
      try {
        // Serialized before any await, because the caller may modify its objects afterwards.
        return writer.commit(prepareChanges(changes));
      } catch (error) {
        return Promise.reject(error);
      }
    },

    list,

    totals: (names) => reading(() => readTotals(read, names)),

    contents: createContents((statement) => reading(() => read(statement)), writer.commit),

    listDocuments: <T extends Document>(name: string, query: ListQuery, keyOf: (id: string) => Key) =>
      reading(async () => {
        const page: RowPage = await readPage({ read, hasTrigrams, name, query });
        const keys = page.ids.map(keyOf);
        const found = await documents.read(keys);
        const gone = page.ids.flatMap((id, at) => (found[at] === null ? [{ id, key: keyOf(id) }] : []));
        const [lost] = gone.length === 0 ? [] : await missing(name, gone);
        if (lost !== undefined) throw damaged(lost, "The document");
        return { ...page, documents: found.flatMap((stored) => typed<T>(stored) ?? []) };
      }),

    close(timeUp) {
      closing ??= close(timeUp);
      return closing;
    },
  };
}

/** A key without a document. */
const PROBE = "health:probe";

/** Casts a document to its type: the code that knows a key has written its document. */
function typed<T extends Document>(stored: Stored<Document> | null): Stored<T> | null {
  return stored as Stored<T> | null;
}
