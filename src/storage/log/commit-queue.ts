/**
 * Queues commits for the log: checks them against everything before them and stores them in batches (group commit). While one record is
 * written, arriving commits wait for the next, so that many writers share one write.
 */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { Clock } from "../../ports/clock.ts";
import { closedError } from "../../ports/closed-error.ts";
import type { Change, DerivedChange } from "../../ports/store.ts";
import type { StorePorts } from "../../ports/store-adapter.ts";
import { elapsedOf } from "../../time/system-clock.ts";
import { conflictError } from "../commits/conflict-error.ts";
import {
  type DocumentVersion,
  type Expectation,
  type PreparedChanges,
  prepareChanges,
} from "../commits/prepare-changes.ts";
import type { DocumentCache } from "../documents/document-cache.ts";
import type { Lists } from "../lists/lists.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { EventLoopBudget } from "./event-loop-budget.ts";
import { type Commit, prepareCommit } from "./prepare-commit.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** Maximum length of a record in characters, unless a single commit is longer. */
const MAX_RECORD_CHARS = MEBIBYTE;

export interface CommitQueue {
  /** Whether storing the last batch failed. */
  readonly isFailing: boolean;
  /** Serializes changes immediately, so that the caller can modify its objects. `commit` stores them. */
  prepare(changes: readonly (Change | DerivedChange)[]): { commit(): Promise<void> };
  /** Stores the contents of another store: documents keep the rows that they have. */
  writeContents(changes: PreparedChanges): Promise<void>;
  /** Refuses further commits. Resolves when none is in progress. */
  close(): Promise<void>;
}

/** The version of a key that a commit will create once it is stored. */
interface PendingVersion {
  readonly version: DocumentVersion;
  readonly commit: Commit;
}

const NOTHING_READ: ReadonlyMap<string, DocumentVersion> = new Map();

/** The result of checking expectations: met, decided by a pending commit, or unknown until versions are read. */
type ExpectationResult =
  | { readonly kind: "met" }
  | { readonly kind: "undecided"; readonly settled: Promise<void> }
  | { readonly kind: "unknown"; readonly keys: readonly string[] };

const MET: ExpectationResult = { kind: "met" };

export function createCommitQueue(parts: {
  documents: DocumentCache;
  lists: Lists;
  log: WriteAheadLog;
  checkpoint: Checkpoint;
  eventLoop: EventLoopBudget;
  clock: Clock;
  onFlush?: StorePorts["onFlush"];
}): CommitQueue {
  const { documents, lists, log, checkpoint, eventLoop, clock, onFlush } = parts;
  let queue: Commit[] = [];
  let pendingVersions = new Map<string, PendingVersion>();
  let flushing: Promise<void> | null = null;
  let isClosed = false;
  let isFailing = false;

  function enqueue(commit: Commit): Promise<void> {
    if (isClosed) throw closedError();
    queue.push(commit);
    for (const { key, version } of commit.writes) pendingVersions.set(key, { version, commit });
    flushing ??= flush();
    return commit.settled;
  }

  async function flush(): Promise<void> {
    try {
      // Includes all commits of this turn in the first record.
      await undefined;
      while (queue.length > 0) {
        await checkpoint.throttle();
        const turn = eventLoop.nextTurnIfSpent();
        if (turn !== null) await turn;
        await storeBatch(queue.splice(0, batchLength(queue)));
      }
    } finally {
      // Synchronous with the check for an empty queue, so that the next commit starts a new flush.
      flushing = null;
    }
  }

  async function storeBatch(batch: readonly Commit[]): Promise<void> {
    const since = elapsedOf(clock);
    try {
      await log.append(batch.map((commit) => commit.json));
    } catch (error) {
      isFailing = true;
      fail(batch, error);
      return;
    }
    isFailing = false;
    onFlush?.({ commits: batch.length, milliseconds: elapsedOf(clock) - since });
    let size = 0;
    for (const commit of batch) {
      size += commit.json.length;
      settle(commit);
    }
    eventLoop.spend(batch.length, size);
    checkpoint.onRecord(size);
  }

  function settle(commit: Commit): void {
    for (const write of commit.writes) {
      documents.apply(write);
      if (pendingVersions.get(write.key)?.commit === commit) pendingVersions.delete(write.key);
      for (const row of write.rows) lists.apply(row);
    }
    for (const row of commit.derived) lists.apply(row);
    commit.resolve();
  }

  /** All waiting commits were checked against the failed ones, so they fail too. Stored versions count again. */
  function fail(batch: readonly Commit[], error: unknown): void {
    const all = [...batch, ...queue];
    queue = [];
    pendingVersions = new Map();
    for (const commit of all) commit.reject(error);
  }

  function checkExpectations(
    expectations: readonly Expectation[],
    read: ReadonlyMap<string, DocumentVersion>,
  ): ExpectationResult {
    const unknown: string[] = [];
    for (const { key, expected } of expectations) {
      const pending = pendingVersions.get(key);
      const known = pending === undefined ? documents.peekVersion(key) : pending.version;
      const version = known === undefined ? read.get(key) : known;
      if (version === undefined) unknown.push(key);
      else if (version === expected) continue;
      // The outcome depends on the other commit. Waiting also ensures that a retry sees it.
      else if (pending !== undefined)
        return { kind: "undecided", settled: pending.commit.settled.catch(() => undefined) };
      else throw conflictError(key, expected, version);
    }
    return unknown.length === 0 ? MET : { kind: "unknown", keys: unknown };
  }

  /** Stores a commit. Usually all versions that it expects are in memory, and it is queued synchronously. */
  function store(commit: Commit): Promise<void> {
    return checkExpectations(commit.expectations, NOTHING_READ).kind === "met"
      ? enqueue(commit)
      : storeWhenDecided(commit);
  }

  async function storeWhenDecided(commit: Commit): Promise<void> {
    let read = NOTHING_READ;
    let seen = documents.generation;
    for (;;) {
      // What was read may have been replaced meanwhile, and the replacement evicted from memory.
      if (seen !== documents.generation) read = NOTHING_READ;
      const result = checkExpectations(commit.expectations, read);
      if (result.kind === "met") return enqueue(commit);
      if (result.kind === "undecided") {
        await result.settled;
      } else {
        seen = documents.generation;
        read = await readVersions(documents, result.keys, read);
      }
    }
  }

  return {
    get isFailing() {
      return isFailing;
    },

    prepare(changes) {
      const commit = prepareCommit(prepareChanges(changes), false);
      return { commit: () => store(commit) };
    },

    writeContents: (changes) => store(prepareCommit(changes, true)),

    async close() {
      isClosed = true;
      while (flushing !== null) await flushing;
    },
  };
}

/** Returns how many of the commits fit into one record, but at least one. */
function batchLength(queue: readonly Commit[]): number {
  let size = 0;
  let count = 0;
  for (const { json } of queue) {
    size += json.length;
    if (count > 0 && size > MAX_RECORD_CHARS) break;
    count++;
  }
  return count;
}

async function readVersions(
  documents: DocumentCache,
  keys: readonly string[],
  before: ReadonlyMap<string, DocumentVersion>,
): Promise<ReadonlyMap<string, DocumentVersion>> {
  const found = await documents.read(keys);
  return new Map([
    ...before,
    ...keys.map((key, index): [string, DocumentVersion] => [key, found[index]?.version ?? null]),
  ]);
}
