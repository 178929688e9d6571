/** The store over any unstorage driver. One process owns it. */
import { MEBIBYTE } from "../encoding/bytes.ts";
import { damaged } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { closedError } from "../ports/closed-error.ts";
import type { Driver } from "../ports/driver.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Document, Key, ListQuery, RowPage, Stored } from "../ports/store.ts";
import type { StorePorts } from "../ports/store-adapter.ts";
import type { MovableStore } from "../ports/store-contents.ts";
import { NO_ROWS } from "./commits/document-rows.ts";
import { createDriverContents } from "./contents/driver-contents.ts";
import { createDocumentCache } from "./documents/document-cache.ts";
import { createChecksumCodec } from "./driver/checksum.ts";
import { createChecksummedItems } from "./driver/checksummed-items.ts";
import { DEFAULT_TIMEOUT_MS } from "./driver/driver-timeout.ts";
import { createOwnership, type Ownership } from "./driver/ownership.ts";
import { CATALOG, isKey, isListName } from "./keys.ts";
import { createLists } from "./lists/lists.ts";
import type { LeafSizes } from "./lists/trees/row-list.ts";
import { createCheckpoint } from "./log/checkpoint.ts";
import { createCommitQueue } from "./log/commit-queue.ts";
import { createEventLoopBudget, pauseReading } from "./log/event-loop-budget.ts";
import { createWriteAheadLog, type LoggedCommit } from "./log/write-ahead-log.ts";
import { createDocumentSegments } from "./segments/document-segments.ts";

export interface DriverStoreOptions {
  /**
   * Maximum total length of cached documents, in characters.
   * @default 16 Mi
   */
  readonly cacheSize?: number;
  /**
   * Maximum memory of the parts of lists that stay in memory without having changed, in bytes, roughly.
   * @default 16 MiB
   */
  readonly listCacheSize?: number;
  /** Maximum number of entries of a part of a list, which is stored as one item. */
  readonly leafSizes?: LeafSizes;
  /**
   * Milliseconds after which a driver call fails.
   * @default 30,000
   */
  readonly timeoutMs?: number;
  /**
   * Number of log records after which a checkpoint starts. A record holds all commits of one flush.
   * @default 8,000 if the driver supports appending, because the log is then read at once; otherwise 1,000
   */
  readonly checkpointRecords?: number | undefined;
  /**
   * Total length of log records, in characters, after which a checkpoint starts.
   * @default 8 Mi
   */
  readonly checkpointSize?: number;
}

/**
 * Creates a {@link Store} from a driver. The driver is first called when the store is first used, and `close` disposes
 * of it. Only this store may use it, in this and all other processes. The store takes ownership before it reads, and
 * fails with `unavailable` once another store has taken over (ARCHITECTURE.md#fencing).
 *
 * Items have keys that begin with `documents:`, `list:`, `log:`, `manifest:` and `owner:`.
 */
export function createDriverStore(parts: {
  driver: Driver;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  hash: Hash;
  onFlush?: StorePorts["onFlush"];
  /** Ownership of the driver, if something else writes to it too. By default, the store takes it itself. */
  ownership?: Ownership;
  options?: DriverStoreOptions;
}): MovableStore {
  const { driver, clock, ids, logger, hash, onFlush, options = {} } = parts;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ownership = parts.ownership ?? createOwnership({ driver, clock, ids, logger, timeoutMs });
  const items = createChecksummedItems({
    driver: ownership.driver,
    clock,
    codec: createChecksumCodec(hash),
    timeoutMs,
  });
  const segments = createDocumentSegments(items, ownership);
  const documents = createDocumentCache(segments, items.codec, options.cacheSize ?? 16 * MEBIBYTE);
  const eventLoop = createEventLoopBudget(clock);
  const pause = () => pauseReading(eventLoop);
  const lists = createLists(items, ownership, { cacheSize: options.listCacheSize, sizes: options.leafSizes, pause });
  const log = createWriteAheadLog(items, ownership, ids);
  const records = items.openAppender === null ? 1_000 : 8_000;
  const limits = { records: options.checkpointRecords ?? records, size: options.checkpointSize ?? 8 * MEBIBYTE };
  const checkpoint = createCheckpoint({
    ...{ items, segments, documents, lists, log, ownership, clock, logger, eventLoop, limits },
  });
  const commits = createCommitQueue({ documents, lists, log, checkpoint, eventLoop, clock, onFlush });
  let opening: Promise<void> | null = null;
  let isOpen = false;
  let closing: Promise<void> | null = null;

  async function open(): Promise<void> {
    await ownership.take();
    const position = await checkpoint.read();
    const logged = await log.read(position).catch(async (error: unknown) => {
      throw (await isManifestLost()) ? damaged("manifest:a", "The manifest") : error;
    });
    if (logged.length === 0 && (await isManifestLost())) throw damaged("manifest:a", "The manifest");
    // Without it, every list would seem to be empty.
    if (checkpoint.hasCompleted && !(await lists.hasStoredLists()))
      throw damaged(`list:${CATALOG}`, "The list of lists");
    await checkpoint.begin();
    // Applied synchronously, so that a failed opening can be retried from the start.
    for (const commit of logged) replay(commit);
    isOpen = true;
  }

  /** Whether no manifest was found although a checkpoint ran. The records that it deleted cannot be read then. */
  async function isManifestLost(): Promise<boolean> {
    return !checkpoint.hasManifest && (await lists.hasStoredLists());
  }

  function replay({ documents: writes, derived = NO_ROWS, keepsRows = false }: LoggedCommit): void {
    for (const [key, version, document, rows = NO_ROWS] of writes) {
      documents.apply({ key, version, json: JSON.stringify(document), rows, isNew: version === 1 && !keepsRows });
      for (const row of rows) lists.apply(row);
    }
    for (const row of derived) lists.apply(row);
  }

  function openOnce(): Promise<void> {
    opening ??= open().catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function storePending(): Promise<void> {
    // A store that was never opened, or cannot be opened, has nothing to store.
    const ready = await (opening ?? Promise.resolve()).then(
      () => isOpen,
      () => false,
    );
    await commits.close();
    if (ready) {
      await log.settle().catch((error) => logger.warn("could not undo a failed write at shutdown", { error }));
      await checkpoint.finish();
    }
  }

  /** Releasing refuses the calls of whatever still waits for the driver, so that they don't open it again. */
  async function close(timeUp: Promise<void> | undefined): Promise<void> {
    let isStored = false;
    const storing = storePending().finally(() => {
      isStored = true;
    });
    await Promise.race(timeUp === undefined ? [storing] : [storing, timeUp]);
    if (!isStored) logger.warn("the storage did not respond in time at shutdown; abandoning pending writes");
    ownership.release();
    isOpen = false;
    opening = Promise.reject(closedError());
    opening.catch(() => {}); // prevents an unhandled rejection; later calls receive it
    await driver.dispose?.();
  }

  async function readMany<T extends Document>(keys: readonly Key[]): Promise<readonly (Stored<T> | null)[]> {
    const found = await documents.read(keys.filter(isKey));
    let next = 0;
    return keys.map((key) => typed<T>(isKey(key) ? (found[next++] ?? null) : null));
  }

  async function list(name: string, query: ListQuery): Promise<RowPage> {
    if (!isListName(name)) return { ids: [], total: query.search === undefined ? 0 : undefined };
    if (!isOpen) await openOnce();
    ownership.check();
    return lists.query(name, query);
  }

  /** Whether a list contains a row whose document is missing. Both are looked at in the same turn. */
  function isMissing(name: string, id: string, key: Key): Promise<boolean> {
    return lists.findRow(name, id, (isThere) => isThere && documents.peek(key) == null);
  }

  /** Returns the first row of those without a document that the list still contains. */
  async function findMissing(
    name: string,
    ids: readonly string[],
    found: readonly (object | null)[],
    keyOf: (id: string) => Key,
  ): Promise<string | undefined> {
    for (const [index, id] of ids.entries()) {
      if (found[index] === null && (await isMissing(name, id, keyOf(id)))) return id;
    }
    return undefined;
  }

  /** Returns the documents of rows. Skips those deleted meanwhile: the same commit deleted their rows. */
  async function documentsOf<T extends Document>(name: string, ids: readonly string[], keyOf: (id: string) => Key) {
    const keys = ids.map(keyOf);
    for (;;) {
      const seen = documents.generation;
      const found = await readMany<T>(keys);
      const missing = await findMissing(name, ids, found, keyOf);
      if (missing === undefined) return found.filter((stored) => stored !== null);
      // A document stored meanwhile may have been evicted from memory. Ask the driver again.
      if (seen === documents.generation) throw damaged(keyOf(missing), "The document");
    }
  }

  return {
    get isFailing() {
      return commits.isFailing;
    },

    get isLost() {
      return ownership.isLost;
    },

    async probe() {
      if (!isOpen) await openOnce();
      ownership.check();
      // Missing documents are known to be missing without asking the driver.
      await items.find(PROBE);
    },

    async get<T extends Document>(key: Key) {
      if (!isOpen) await openOnce();
      ownership.check();
      const known = documents.peek(key);
      if (known !== undefined) return typed<T>(known);
      return isKey(key) ? typed<T>((await documents.read([key]))[0] ?? null) : null;
    },

    async getMany<T extends Document>(keys: readonly Key[]) {
      if (!isOpen) await openOnce();
      ownership.check();
      return readMany<T>(keys);
    },

    async getText(key, maxChars) {
      if (!isOpen) await openOnce();
      ownership.check();
      return isKey(key) ? documents.readText(key, maxChars, pause) : null;
    },

    commit(changes) {
      try {
        // Prepared before any await, because the caller may modify its objects afterwards.
        ownership.check();
        const prepared = commits.prepare(changes);
        return isOpen || closing !== null ? prepared.commit() : openOnce().then(prepared.commit);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    list,

    async totals(names) {
      if (!isOpen) await openOnce();
      ownership.check();
      const found = await lists.totals(names.filter(isListName));
      return names.map((name) => found.get(name) ?? 0);
    },

    async listDocuments<T extends Document>(name: string, query: ListQuery, keyOf: (id: string) => Key) {
      const page = await list(name, query);
      return { ...page, documents: await documentsOf<T>(name, page.ids, keyOf) };
    },

    contents: createDriverContents({ open: openOnce, items, ownership, segments, log, checkpoint, commits }),

    close(timeUp) {
      closing ??= close(timeUp);
      return closing;
    },
  };
}

/** An item that never exists. */
const PROBE = "health:probe";

/**
 * Casts a document to its type. This is the only place that does: the code that knows a key has written its document.
 */
function typed<T extends Document>(stored: Stored<Document> | null): Stored<T> | null {
  return stored as Stored<T> | null;
}
