/**
 * The processes of a cluster. Each writes a document at a short interval. The others compare its version with what they saw
 * before, and measure with their own timers how long it has not changed: so clocks that differ don't matter.
 *
 * A process is lost when one of the others has marked its document. Its next write then conflicts, so it notices
 * and goes on under a new ID. What keeps it from writing anything about the runs that it had is the version of each run.
 */
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { elapsedOf } from "../time/system-clock.ts";
import { SECOND_MS } from "../time/units.ts";

/** How often a process writes its document and reads those of the others. */
export const BEAT_MS = 3 * SECOND_MS;
/** How long a document must not change until its process is lost. */
const LEASE_MS = 12 * SECOND_MS;

/** A process of a cluster, as stored. */
export interface WorkerDocument {
  readonly id: string;
  /** Host and process, for operators. */
  readonly name: string;
  /** Whether it executes runs. */
  readonly works: boolean;
  /** When it joined, ISO 8601. */
  readonly since: string;
  /** Number of runs with a slot, when it last wrote this. */
  readonly running: number;
  /** Set when others have given it up, or it has left: its runs can be taken. */
  readonly lost?: true;
}

export interface Membership {
  /** ID of this process. Changes if it was given up, because it did not respond for too long. */
  readonly id: string;
  /** Whether another process, or this one, lives. */
  isAlive(workerId: string): Promise<boolean>;
  /** Workers that are lost and may still have runs. */
  lost(): readonly string[];
  /** Number of processes that this one has given up since it started. */
  readonly givenUp: number;
  /** Forgets a lost worker, because it has no runs anymore. */
  forget(workerId: string): Promise<void>;
  /** Writes this process's document, and reads those of the others. */
  beat(): Promise<void>;
  /** All processes that live, as of the last beat. */
  members(): readonly WorkerDocument[];
  /** Lets others take the runs of this process at once. */
  leave(): Promise<void>;
}

interface Seen {
  readonly stored: Stored<WorkerDocument>;
  /** Elapsed milliseconds when this version was seen first. */
  readonly since: number;
}

const WORKERS = "cluster.workers";
const workerKey = (id: string): Key => `worker:${id}`;

export function createMembership(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  name: string;
  works: boolean;
  /** Returns the number of runs with a slot. */
  running(): number;
  /** Called when others have given this process up. */
  onGivenUp(before: string): void;
}): Membership {
  const { store, clock, ids, logger, name, works, running, onGivenUp } = parts;
  let seen = new Map<string, Seen>();
  let id = ids.next("wrk");
  let own: Stored<WorkerDocument> | null = null;
  let hasLeft = false;
  let givenUp = 0;

  async function write(fields: Partial<WorkerDocument> = {}): Promise<void> {
    const document: WorkerDocument = {
      ...(own?.document ?? { id, name, works, since: instant(clock.now()) }),
      running: running(),
      ...fields,
    };
    const expected = own?.version ?? null;
    await store.commit([{ key: workerKey(id), document, expected, rows: [{ list: WORKERS, put: { id } }] }]);
    own = { document, version: (expected ?? 0) + 1 };
  }

  async function writeOwn(): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
      const found = await store.get<WorkerDocument>(workerKey(id));
      if (found !== null && found.document.lost !== true) {
        // An earlier write was stored although it was not answered.
        own = found;
        return write();
      }
      const before = id;
      id = ids.next("wrk");
      own = null;
      logger.warn("this process did not respond for too long; others have taken over its runs", { worker: before });
      onGivenUp(before);
      await write();
    }
  }

  async function readAll(): Promise<void> {
    const now = elapsedOf(clock);
    const found = new Map<string, Seen>();
    for (let after: string | undefined; ; ) {
      const page = await store.listDocuments<WorkerDocument>(
        WORKERS,
        { limit: 100, descending: false, withoutTotal: true, after },
        workerKey,
      );
      for (const stored of page.documents) {
        const before = seen.get(stored.document.id);
        const isSame = before?.stored.version === stored.version;
        found.set(stored.document.id, isSame ? before : { stored, since: now });
      }
      after = page.next;
      if (after === undefined) break;
    }
    seen = found;
    for (const { stored, since } of found.values()) {
      const { document } = stored;
      if (document.id !== id && document.lost !== true && now - since >= LEASE_MS) await giveUp(stored);
    }
  }

  /** Of several processes that notice, one succeeds. */
  async function giveUp({ document, version }: Stored<WorkerDocument>): Promise<void> {
    const lost: WorkerDocument = { ...document, lost: true };
    const change: Change = { key: workerKey(document.id), document: lost, expected: version };
    try {
      await store.commit([change]);
    } catch (error) {
      if (isStepwellError(error, "conflict")) return;
      throw error;
    }
    givenUp++;
    seen.set(document.id, { stored: { document: lost, version: version + 1 }, since: elapsedOf(clock) });
    logger.warn("a process of the cluster does not respond; others take over its runs", {
      worker: document.id,
      name: document.name,
    });
  }

  return {
    get id() {
      return id;
    },

    async isAlive(workerId) {
      if (workerId === id) return true;
      const known = seen.get(workerId);
      if (known !== undefined) return known.stored.document.lost !== true;
      // It may have joined since the last beat.
      const found = await store.get<WorkerDocument>(workerKey(workerId));
      return found !== null && found.document.lost !== true;
    },

    lost: () => [...seen.values()].flatMap(({ stored: { document } }) => (document.lost === true ? [document.id] : [])),

    get givenUp() {
      return givenUp;
    },

    async forget(workerId) {
      const known = seen.get(workerId);
      if (known === undefined) return;
      const expected = known.stored.version;
      const rows = [{ list: WORKERS, delete: workerId }];
      await store.commit([{ key: workerKey(workerId), document: null, expected, rows }]).catch((error: unknown) => {
        if (!isStepwellError(error, "conflict")) throw error;
      });
      seen.delete(workerId);
    },

    async beat() {
      if (hasLeft) return;
      await writeOwn();
      await readAll();
    },

    members: () => [...seen.values()].flatMap(({ stored: { document } }) => (document.lost === true ? [] : [document])),

    async leave() {
      hasLeft = true;
      if (own !== null) await write({ lost: true, running: 0 });
    },
  };
}
