/** The store on Redis: documents and lists are read and written by scripts. */
import { damaged, type StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { closedError } from "../../../src/ports/closed-error.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Document, Key, ListQuery, RowPage, Stored } from "../../../src/ports/store.ts";
import type { MovableStore } from "../../../src/ports/store-contents.ts";
import { type PreparedChanges, prepareChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { isKey } from "../../../src/storage/keys.ts";
import { createCall, DEFAULT_TIMEOUT_MS } from "./calls.ts";
import { createCommits } from "./commits/commits.ts";
import type { RedisConnection } from "./connection.ts";
import { createContents } from "./contents.ts";
import { createDocumentReader, DOCUMENTS_AT_ONCE, readText } from "./document-reader.ts";
import { createFence, LEASE_MS } from "./fence.ts";
import { listRows, listTotals } from "./lists/list-rows.ts";
import { MISSING_DOCUMENTS } from "./lists/list-scripts.ts";
import type { Read } from "./lists/read.ts";
import type { RedisErrors } from "./redis-errors.ts";
import { textsOf } from "./script.ts";
import { checkServer } from "./server-requirements.ts";

/** Milliseconds for the opening, for which all requests wait. Default. */
const OPENING_MS = 10_000;

export interface StoreParts {
  readonly connection: RedisConnection;
  readonly errors: RedisErrors;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds after which a call fails. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds after which another process may take over from one that has stopped. Default: 10,000. */
  readonly leaseMs?: number;
  /** Whether other processes use the store at the same time. Default: false. */
  readonly isShared?: boolean | undefined;
}

export function createRedisStore(parts: StoreParts): MovableStore {
  const { connection, errors, clock, logger, timeoutMs = DEFAULT_TIMEOUT_MS, leaseMs = LEASE_MS } = parts;
  const { isShared = false } = parts;
  const { run, reconnect } = connection;
  let endCalls: (error: StepwellError) => void = () => undefined;
  const closed = new Promise<StepwellError>((resolve) => {
    endCalls = resolve;
  });
  const { address } = connection;
  const call = createCall({ clock, timeoutMs, errors, closed, address });
  const openingCall = createCall({
    ...{ clock, errors, closed, address },
    timeoutMs: parts.timeoutMs ?? OPENING_MS,
    onRepeat(error) {
      if (hasWarned) return;
      hasWarned = true;
      logger.warn("the Redis store cannot be opened yet; it is tried again", { error });
    },
  });
  let hasWarned = false;
  const fence = createFence({
    call: (action, script, args) => openingCall(action, () => run(script, args())),
    run,
    reconnect,
    clock,
    logger,
    leaseMs,
    isShared,
    onLost: () => {
      if (fence.lost !== null) commits.abandon(fence.lost);
    },
  });
  const commits = createCommits({ run, fence, errors, clock, timeoutMs, isShared });
  let opening: Promise<void> | null = null;
  let isOpen = false;
  let closing: Promise<void> | null = null;

  async function open(): Promise<void> {
    checkServer(await openingCall("opening the store", connection.info), logger);
    await fence.take();
    isOpen = true;
    hasWarned = false;
  }

  function openOnce(): Promise<void> {
    if (closing !== null) return Promise.reject(closedError());
    opening ??= open().catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  /** An answer that may show a commit whose outcome is unknown is read again once that is known. */
  const read: Read = async (action, script, args) => {
    if (!isOpen || closing !== null) await openOnce();
    if (fence.lost !== null) throw fence.lost;
    return call(action, async () => {
      for (;;) {
        const { items } = fence.check(await run(script, [...fence.arguments(), ...args]));
        if (!commits.hasUnknown) return items;
        await commits.known();
      }
    });
  };

  const readDocuments = createDocumentReader(read);

  async function readMany<T extends Document>(keys: readonly Key[]): Promise<readonly (Stored<T> | null)[]> {
    const found = await readDocuments(keys.filter(isKey));
    return keys.map((key) => typed<T>(found.get(key) ?? null));
  }

  /** @throws StepwellError `unavailable` if one of the rows exists, but not its document */
  async function checkRows(list: string, rows: readonly (readonly [id: string, key: Key])[]): Promise<void> {
    for (let at = 0; at < rows.length; at += DOCUMENTS_AT_ONCE) {
      const some = rows.slice(at, at + DOCUMENTS_AT_ONCE);
      const [missing] = await read("reading documents", MISSING_DOCUMENTS, [list, ...some.flat()]);
      const [key] = textsOf(missing);
      if (key !== undefined) throw damaged(key, "The document");
    }
  }

  const list = (name: string, query: ListQuery): Promise<RowPage> => listRows(read, name, query);

  async function close(timeUp: Promise<void> | undefined): Promise<void> {
    const stored = (opening ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => commits.idle())
      .then(() => fence.release())
      .then(
        () => true,
        () => true,
      );
    const late =
      timeUp?.then(() => false) ?? new Promise<boolean>((resolve) => clock.after(timeoutMs, () => resolve(false)));
    if (!(await Promise.race([stored, late]))) {
      logger.warn("the storage did not respond in time at shutdown; abandoning pending writes");
    }
    commits.abandon(closedError());
    endCalls(closedError());
    connection.close();
  }

  async function commit(prepared: PreparedChanges): Promise<void> {
    if (!isOpen || closing !== null) await openOnce();
    if (fence.lost !== null) throw fence.lost;
    return commits.commit(prepared);
  }

  return {
    get isFailing() {
      return commits.isFailing;
    },

    get isLost() {
      return fence.lost !== null;
    },

    async probe() {
      await readMany([PROBE]);
    },

    async get<T extends Document>(key: Key) {
      const [stored = null] = await readMany<T>([key]);
      return stored;
    },

    getMany: readMany,

    getText: async (key, maxChars) => (isKey(key) ? readText(read, key, maxChars) : null),

    // Serialized before any await, because the caller may modify its objects afterwards.
    commit: async (changes) => commit(prepareChanges(changes)),

    contents: createContents(read, commit),

    list,

    totals: (names) => listTotals(read, names),

    async listDocuments<T extends Document>(name: string, query: ListQuery, keyOf: (id: string) => Key) {
      const page = await list(name, query);
      const found = await readMany<T>(page.ids.map(keyOf));
      const missing = page.ids.flatMap((id, index) => (found[index] === null ? [[id, keyOf(id)] as const] : []));
      await checkRows(name, missing);
      return { ...page, documents: found.filter((stored) => stored !== null) };
    },

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
