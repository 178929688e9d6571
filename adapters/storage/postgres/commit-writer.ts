/**
 * Stores commits in flushes (group commit): one transaction is executed at a time, and commits that arrive meanwhile wait for the
 * next one, so that many writers share a round trip and a disk flush.
 */
import { MEBIBYTE } from "../../../src/encoding/bytes.ts";
import { StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { closedError } from "../../../src/ports/closed-error.ts";
import type { StorePorts } from "../../../src/ports/store-adapter.ts";
import { conflictError } from "../../../src/storage/commits/conflict-error.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { elapsedOf } from "../../../src/time/system-clock.ts";
import type { Database, ReservedConnection } from "./database.ts";
import { CANCELED, isConnectionFailure, READ_ONLY, sqlState, wasUndone } from "./failures.ts";
import type { Fence } from "./fence.ts";
import { createFlushCall, parseConflicts } from "./flush.ts";

/** Maximum number of commits, and of characters unless a single commit is longer. */
const MAX_COMMITS = 500;
const MAX_CHARS = MEBIBYTE;

export interface CommitWriter {
  /** Whether storing the last flush failed. */
  readonly isFailing: boolean;
  commit(changes: PreparedChanges): Promise<void>;
  /** Passes the connection for the first flush. */
  use(connection: ReservedConnection): void;
  /** Whether a flush was sent whose answer is unknown. Reads could see commits that are not resolved yet. */
  readonly isInDoubt: boolean;
  /** Resolves when no flush is in doubt. @throws StepwellError `unavailable` if that takes longer than the time limit */
  settle(): Promise<void>;
  /** Refuses further commits. Resolves when none is in progress. */
  close(): Promise<void>;
  /** Rejects what still waits, and closes the connection. */
  abandon(): void;
}

interface PendingCommit {
  readonly changes: PreparedChanges;
  /** When it is rejected unless it was sent. */
  readonly until: number;
  resolve(): void;
  reject(error: unknown): void;
}

export function createCommitWriter(parts: {
  database: Database;
  fence: Fence;
  schema: string;
  /** Whether other processes store flushes at the same time. */
  isShared: boolean;
  clock: Clock;
  onFlush?: StorePorts["onFlush"];
  /** Opens the store, once. */
  open: () => Promise<void>;
  /** Turns errors into `unavailable`. */
  report: (error: unknown) => StepwellError;
}): CommitWriter {
  const { database, fence, clock, onFlush, open, report } = parts;
  const { statement, values: valuesOf } = createFlushCall(parts.schema, parts.isShared);
  let queue: PendingCommit[] = [];
  let flushing: Promise<void> | null = null;
  let connection: ReservedConnection | null = null;
  /** Number of the last flush. */
  let number = 0;
  /** Number of a flush that was sent, and that may have been executed. */
  let doubtful: number | null = null;
  let isFailing = false;
  let isClosed = false;
  let isAbandoned = false;

  async function flushAll(): Promise<void> {
    try {
      // Includes all commits of this turn in the first flush.
      await undefined;
      while (queue.length > 0) await flushNext();
    } finally {
      // Synchronous with the check for an empty queue, so that the next commit starts again.
      flushing = null;
    }
  }

  async function flushNext(): Promise<void> {
    try {
      await open();
      fence.check();
    } catch (error) {
      isFailing = true;
      rejectAll(queue.splice(0), error);
      return;
    }
    await store(takeBatch());
  }

  async function store(batch: readonly PendingCommit[]): Promise<void> {
    const since = elapsedOf(clock);
    try {
      const answer = await send(batch.map(({ changes }) => changes));
      isFailing = false;
      onFlush?.({ commits: batch.length, milliseconds: elapsedOf(clock) - since });
      const conflicts = new Map(parseConflicts(answer).map((conflict) => [conflict.commit, conflict]));
      for (const [index, { changes, resolve, reject }] of batch.entries()) {
        const conflict = conflicts.get(index);
        if (conflict === undefined) resolve();
        else reject(conflictOf(changes, conflict.key, conflict.version));
      }
    } catch (error) {
      // What PostgreSQL refuses is usually one of them.
      if (batch.length > 1 && sqlState(error) !== undefined && !isConnectionFailure(error) && doubtful === null) {
        for (const one of batch) await store([one]);
        return;
      }
      isFailing = true;
      rejectAll(batch, error);
    }
  }

  function rejectAll(commits: readonly PendingCommit[], error: unknown): void {
    for (const { reject } of commits) reject(report(error));
  }

  /** Takes the next commits. One that touches a key of an earlier one waits, and so does what comes after it. */
  function takeBatch(): readonly PendingCommit[] {
    const written = new Set<string>();
    const expected = new Set<string>();
    const batch: PendingCommit[] = [];
    const waiting: PendingCommit[] = [];
    let size = 0;
    for (const commit of queue) {
      const { writes, expectations } = commit.changes;
      const isFree =
        writes.every(({ key }) => !written.has(key) && !expected.has(key)) &&
        expectations.every(({ key }) => !written.has(key));
      for (const { key } of writes) written.add(key);
      for (const { key } of expectations) expected.add(key);
      size += sizeOf(commit.changes);
      const fits = batch.length === 0 || (batch.length < MAX_COMMITS && size <= MAX_CHARS);
      (isFree && fits ? batch : waiting).push(commit);
    }
    queue = waiting;
    return batch;
  }

  /**
   * Sends a flush until it is answered. Its number makes a repetition harmless. The time limit ends only what was not
   * executed for certain: whether others are stored must be known before they are resolved or rejected.
   */
  async function send(commits: readonly PreparedChanges[]): Promise<string> {
    const values = valuesOf(commits);
    const limit = database.deadline();
    const ofThis = ++number;
    for (let attempt = 0; ; attempt++) {
      const until = doubtful === null ? limit : database.deadline();
      try {
        const held = await connect(until);
        const [row] = await held.query(statement, [fence.name, ofThis, ...values], until).catch((error) => {
          if (isConnectionFailure(error) && sqlState(error) !== READ_ONLY) doubtful = ofThis;
          // Otherwise, no attempt was executed. Only a statement that ran out of time may have waited for an earlier one.
          else if (sqlState(error) !== CANCELED && !wasUndone(error)) doubtful = null;
          throw error;
        });
        doubtful = null;
        return String(row?.["answer"]);
      } catch (error) {
        fence.onError(error);
        const isPassing = isConnectionFailure(error) || wasUndone(error);
        const mayRepeat = doubtful !== null || (isPassing && !database.hasPassed(limit));
        if (isAbandoned || !mayRepeat) throw error;
        rejectOverdue(error);
        await database.pause(attempt);
      }
    }
  }

  async function connect(until: number): Promise<ReservedConnection> {
    if (connection === null || connection.isLost) connection = await database.reserve(undefined, until);
    return connection;
  }

  /** Rejects what waits behind a flush without an answer: it was never sent. */
  function rejectOverdue(error: unknown): void {
    const overdue = queue.filter(({ until }) => database.hasPassed(until));
    queue = queue.filter((commit) => !overdue.includes(commit));
    if (overdue.length === 0) return;
    isFailing = true;
    rejectAll(overdue, error);
  }

  return {
    get isFailing() {
      return isFailing;
    },

    get isInDoubt() {
      return doubtful !== null;
    },

    commit(changes) {
      if (isClosed) return Promise.reject(closedError());
      return new Promise((resolve, reject) => {
        queue.push({ changes, until: database.deadline(), resolve, reject });
        flushing ??= flushAll();
      });
    },

    use(opened) {
      connection = opened;
      if (isAbandoned) opened.close();
    },

    async settle() {
      const until = database.deadline();
      for (let attempt = 0; doubtful !== null; attempt++) {
        if (database.hasPassed(until) || isAbandoned) {
          throw new StepwellError("unavailable", "PostgreSQL has not answered a commit.");
        }
        await database.pause(attempt);
      }
    },

    async close() {
      isClosed = true;
      while (flushing !== null) await flushing;
    },

    abandon() {
      isClosed = true;
      isAbandoned = true;
      rejectAll(queue.splice(0), closedError());
      connection?.close();
    },
  };
}

function conflictOf({ expectations }: PreparedChanges, key: string, version: number | null): StepwellError {
  const expectation = expectations.find((one) => one.key === key && one.expected !== version);
  return conflictError(key, expectation?.expected ?? null, version);
}

function sizeOf({ writes }: PreparedChanges): number {
  return writes.reduce((sum, { json }) => sum + json.length, 0);
}
