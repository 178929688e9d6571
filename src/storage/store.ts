/** The store over any unstorage driver, for one process that owns it. */
import { MEBIBYTE } from "../encoding/bytes.ts";
import { damaged, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Driver } from "../ports/driver.ts";
import type { Hash } from "../ports/hash.ts";
import type { Logger } from "../ports/logger.ts";
import type { Document, Key, ListQuery, RowPage, Store, Stored } from "../ports/store.ts";
import { createDocumentCache } from "./documents/document-cache.ts";
import { NO_ROWS } from "./documents/document-rows.ts";
import { createChecksumCodec } from "./driver/checksum.ts";
import { createChecksummedItems } from "./driver/checksummed-items.ts";
import { DEFAULT_TIMEOUT_MS } from "./driver/driver-timeout.ts";
import { createOwnership, type Ownership } from "./driver/ownership.ts";
import { isKey, isListName } from "./keys.ts";
import { createLists } from "./lists/lists.ts";
import { queryRows } from "./lists/row-query.ts";
import { hasRow } from "./lists/row-tree.ts";
import { createCheckpoint } from "./log/checkpoint.ts";
import { createCommitQueue } from "./log/commit-queue.ts";
import { createEventLoopBudget } from "./log/event-loop-budget.ts";
import { createWriteAheadLog, type LoggedCommit } from "./log/write-ahead-log.ts";

export interface DriverStoreOptions {
  /**
   * Characters of documents that are kept in memory after they were read.
   * @default 16 Mi
   */
  readonly cacheSize?: number;
  /**
   * Milliseconds after which a call of the driver counts as failed.
   * @default 30,000
   */
  readonly timeout?: number;
  /**
   * Records of the log, each holding all commits of one flush, after which they are moved to where they stay.
   * @default 4,000 where the driver can append them to one item, which is read at once; else 1,000
   */
  readonly checkpointRecords?: number | undefined;
  /**
   * Characters of records after which the same happens.
   * @default 4 Mi
   */
  readonly checkpointSize?: number;
}

/**
 * Makes a {@link Store} of a driver. The driver is first called when the store is first used, and disposed of by
 * `close`. It must be this store's alone, in this process and in all others: the store takes the driver over before it
 * reads, and refuses everything with `unavailable` once another store has taken it over (ARCHITECTURE.md#fencing).
 *
 * Keys are used as the driver's own: `kind:id` for documents, `log:`, `list:`, `manifest:` and `owner:` for what holds
 * them.
 */
export function createDriverStore(parts: {
  driver: Driver;
  clock: Clock;
  logger: Logger;
  hash: Hash;
  /** Whose the driver is, where something else writes to it too; else the store takes it for itself. */
  ownership?: Ownership;
  options?: DriverStoreOptions;
}): Store {
  const { driver, clock, logger, hash, options = {} } = parts;
  const timeout = options.timeout ?? DEFAULT_TIMEOUT_MS;
  const ownership = parts.ownership ?? createOwnership({ driver, clock, logger, timeout });
  const items = createChecksummedItems({ driver: ownership.driver, clock, codec: createChecksumCodec(hash), timeout });
  const documents = createDocumentCache(items, options.cacheSize ?? 16 * MEBIBYTE);
  const lists = createLists(items, ownership);
  const log = createWriteAheadLog(items, ownership);
  const records = items.openAppender === null ? 1_000 : 4_000;
  const limits = { records: options.checkpointRecords ?? records, size: options.checkpointSize ?? 4 * MEBIBYTE };
  const checkpoint = createCheckpoint({ items, documents, lists, log, ownership, clock, logger, limits });
  const commits = createCommitQueue({ documents, lists, log, checkpoint, eventLoop: createEventLoopBudget(clock) });
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
    await checkpoint.begin();
    // Applied in one go, so that an opening that fails can be tried again from the start.
    for (const commit of logged) replay(commit);
    isOpen = true;
  }

  /** Nothing was found, and yet there was a checkpoint: what it removed from the log is not there to be read. */
  async function isManifestLost(): Promise<boolean> {
    return !checkpoint.isFound && (await lists.areStored());
  }

  function replay({ documents: writes }: LoggedCommit): void {
    for (const [key, version, document, rows = NO_ROWS] of writes) {
      // Never fresh: a checkpoint that was cut off may have stored it.
      documents.apply({ key, version, json: JSON.stringify(document), rows, isNew: false });
      for (const row of rows) lists.apply(row);
    }
  }

  function opened(): Promise<void> {
    opening ??= open().catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function close(): Promise<void> {
    // What was never opened holds nothing; what cannot be opened has nothing to store.
    const ready = await (opening ?? Promise.resolve()).then(
      () => isOpen,
      () => false,
    );
    await commits.close();
    if (ready) {
      await log.settle().catch((error) => logger.warn("could not undo a failed write at shutdown", { error }));
      await checkpoint.finish();
    }
    ownership.release();
    isOpen = false;
    opening = Promise.reject(new StepwellError("unavailable", "The store is closed."));
    opening.catch(() => {}); // for whoever asks after this
    await driver.dispose?.();
  }

  async function readMany<T extends Document>(keys: readonly Key[]): Promise<readonly (Stored<T> | null)[]> {
    const found = await documents.readMany(keys.filter(isKey));
    let next = 0;
    return keys.map((key) => typed<T>(isKey(key) ? (found[next++] ?? null) : null));
  }

  async function list(name: string, query: ListQuery): Promise<RowPage> {
    if (!isListName(name)) return { ids: [], ...(query.search === undefined ? { total: 0 } : {}) };
    if (!isOpen) await opened();
    ownership.check();
    return queryRows(lists.loaded(name) ?? (await lists.load(name)), query);
  }

  /** Whether a row stands in a list at this moment for a document of which nothing is left. */
  function isMissing(name: string, id: string, key: Key): boolean {
    const rows = lists.loaded(name);
    return rows !== undefined && hasRow(rows, id) && documents.known(key) == null;
  }

  /** The documents of rows; a commit that removed one meanwhile has taken its row, too. */
  async function documentsOf<T extends Document>(name: string, ids: readonly string[], keyOf: (id: string) => Key) {
    const keys = ids.map(keyOf);
    for (;;) {
      const seen = documents.generation;
      const found = await readMany<T>(keys);
      const missing = ids.findIndex((id, index) => found[index] === null && isMissing(name, id, keyOf(id)));
      if (missing === -1) return found.filter((stored) => stored !== null);
      // What was stored meanwhile may have left memory again: the driver is to be asked once more.
      if (seen === documents.generation) throw damaged(keys[missing] ?? "", "The document");
    }
  }

  return {
    get isFailing() {
      return commits.isFailing;
    },

    async get<T extends Document>(key: Key) {
      if (!isOpen) await opened();
      ownership.check();
      const known = documents.known(key);
      if (known !== undefined) return typed<T>(known);
      return isKey(key) ? typed<T>(await documents.read(key)) : null;
    },

    async getMany<T extends Document>(keys: readonly Key[]) {
      if (!isOpen) await opened();
      ownership.check();
      return readMany<T>(keys);
    },

    commit(changes) {
      try {
        // Prepared before anything is awaited: the caller may go on to change its objects.
        ownership.check();
        const prepared = commits.prepare(changes);
        return isOpen || closing !== null ? prepared.commit() : opened().then(prepared.commit);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    list,

    async listDocuments<T extends Document>(name: string, query: ListQuery, keyOf: (id: string) => Key) {
      const page = await list(name, query);
      return { ...page, documents: await documentsOf<T>(name, page.ids, keyOf) };
    },

    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The one place where a document takes the type that its owner says it has: whoever knows the key wrote it. */
function typed<T extends Document>(stored: Stored<Document> | null): Stored<T> | null {
  return stored as Stored<T> | null;
}
