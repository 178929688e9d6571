/**
 * The registry of all runs in this process and their state. A run is registered just before it is stored or takes a
 * slot, and remains registered until it has been evicted and has no slot.
 */

import type { Stored } from "../ports/store.ts";
import type { QueueEntry, RunQueue } from "./dispatch/run-queue.ts";
import type { EngineHandlers } from "./engine-events.ts";
import type { Execution, LoadedRun } from "./execution/execution-types.ts";
import type { RunDocument } from "./state/run-document.ts";
import { closingError } from "./step-error.ts";

export interface RunRegistry {
  /**
   * Whether the run is in memory or in the queue. If it is being stored, waits until that has succeeded or failed: it may
   * be an attempt to start a run again that an earlier process has stored.
   */
  has(runId: string): Promise<boolean>;
  get(runId: string): Execution | undefined;
  /** Adds a run that was just stored or loaded. */
  add(loaded: LoadedRun): Execution;
  /** Loads a stored run, once for concurrent calls. Returns null if it has ended. */
  load(runId: string): Promise<Execution | null>;
  /**
   * Sends a request to a run. If the run is evicted before it answers, it is loaded again.
   * @param request Receives null if the run has ended. Returns false if the run was evicted.
   */
  send(runId: string, request: (execution: Execution | null) => Promise<boolean>): Promise<void>;
  /** Removes a run from memory. It keeps its slot until {@link releaseSlot}. */
  evict(runId: string): void;

  /**
   * Stores a run that begins, and executes it as soon as it has a slot. Gives its queue entry back if that fails.
   * @param run As it will be stored.
   * @param queueEntry Null for a run that needs no slot.
   * @param commit Stores the document.
   * @param loaded The run if it has a slot and is in memory. @default it is loaded
   */
  store<T>(
    run: Stored<RunDocument>,
    queueEntry: QueueEntry | null,
    commit: () => Promise<T>,
    loaded?: LoadedRun,
  ): Promise<T>;

  /** Sets the queue entry of a stored run. If it already has one, keeps the one with a slot and releases the other. */
  setQueueEntry(runId: string, queueEntry: QueueEntry): void;
  /** Returns the queue entry of a run that is about to continue. Enters it if it has none. */
  queueEntryOf(document: RunDocument): QueueEntry;
  /** Gives back the slot of a run, or its place in the queue. Does nothing if it has neither. */
  releaseSlot(runId: string): void;
  /** Continues a stored run, immediately or when it gets a slot: here, or in a cluster in any worker. */
  enqueue(run: Stored<RunDocument>, queueEntry: QueueEntry): void;
  /** Continues a stored run here. Resolves with false if this process has no slot for it until the time is up. */
  executeHere(run: Stored<RunDocument>, timeUp: Promise<void>): Promise<boolean>;
  /** Resolves when the run is neither in memory nor in the queue. */
  untilGone(runId: string): Promise<void>;

  /** Stops all runs in memory without storing anything more. The stored state decides how they go on. */
  abandonAll(): void;

  isClosed(): boolean;
  /** Prevents further loads. Resolves when current loads have finished. */
  close(): Promise<void>;
  /** Suspends all runs in memory. */
  suspend(timeUp: Promise<void>): Promise<void>;
}

interface Entry {
  /** Settles when the run has been stored, or could not be. Never rejects. */
  storing: Promise<void> | undefined;
  queueEntry: QueueEntry | undefined;
  loading: Promise<Execution | null> | undefined;
  execution: Execution | undefined;
}

export function createRunRegistry(parts: {
  queue: RunQueue;
  /** For runs that this process has taken from the others. @default the same */
  queueHere?: Pick<RunQueue, "reenter">;
  load(runId: string): Promise<LoadedRun | null>;
  createExecution(loaded: LoadedRun): Execution;
  /** Offers a stored run to other workers. Returns false if there are none. */
  offer(run: Stored<RunDocument>): boolean;
  handlers: Pick<EngineHandlers, "onRunSlot">;
}): RunRegistry {
  const { queue, queueHere = queue, load, createExecution, offer, handlers } = parts;
  const entries = new Map<string, Entry>();
  const goneListeners = new Map<string, (() => void)[]>();
  let isClosed = false;

  function entryOf(runId: string): Entry {
    let entry = entries.get(runId);
    if (entry === undefined) {
      entry = { storing: undefined, queueEntry: undefined, loading: undefined, execution: undefined };
      entries.set(runId, entry);
    }
    return entry;
  }

  /** Removes the entry once it is empty. */
  function forget(runId: string, { storing, queueEntry, loading, execution }: Entry): void {
    if (storing !== undefined || queueEntry !== undefined || loading !== undefined || execution !== undefined) return;
    entries.delete(runId);
    const listeners = goneListeners.get(runId) ?? [];
    goneListeners.delete(runId);
    for (const listener of listeners) listener();
  }

  function add(loaded: LoadedRun): Execution {
    const execution = createExecution(loaded);
    entryOf(loaded.document.id).execution = execution;
    return execution;
  }

  async function loadAndAdd(runId: string, entry: Entry): Promise<Execution | null> {
    try {
      const loaded = await load(runId);
      return loaded === null ? null : add(loaded);
    } finally {
      entry.loading = undefined;
      forget(runId, entry);
    }
  }

  function loadOnce(runId: string): Promise<Execution | null> {
    const known = entries.get(runId);
    if (known?.execution !== undefined) return Promise.resolve(known.execution);
    if (known?.loading !== undefined) return known.loading;
    if (isClosed) return Promise.reject(closingError());
    const entry = entryOf(runId);
    entry.loading = loadAndAdd(runId, entry);
    return entry.loading;
  }

  function setQueueEntry(runId: string, queueEntry: QueueEntry): void {
    const entry = entryOf(runId);
    const before = entry.queueEntry;
    if (before === queueEntry) return;
    if (before?.hasSlot === true) {
      queueEntry.release();
    } else {
      entry.queueEntry = queueEntry;
      before?.release();
    }
  }

  function queueEntryOf(document: RunDocument): QueueEntry {
    const entry = entryOf(document.id);
    entry.queueEntry ??= queue.reenter(document);
    return entry.queueEntry;
  }

  function enqueueHere({ document }: Stored<RunDocument>): void {
    queueEntryOf(document).onSlot(() => handlers.onRunSlot(document));
  }

  function enqueue(run: Stored<RunDocument>, queueEntry: QueueEntry): void {
    const { document } = run;
    setQueueEntry(document.id, queueEntry);
    if (!queueEntryOf(document).hasSlot && offer(run)) releaseSlot(document.id);
    else enqueueHere(run);
  }

  function releaseSlot(runId: string): void {
    const entry = entries.get(runId);
    if (entry === undefined) return;
    const { queueEntry } = entry;
    entry.queueEntry = undefined;
    forget(runId, entry);
    queueEntry?.release();
  }

  return {
    async has(runId) {
      for (let entry = entries.get(runId); entry !== undefined; entry = entries.get(runId)) {
        if (entry.queueEntry !== undefined || entry.execution !== undefined) return true;
        if (entry.storing === undefined) return false;
        await entry.storing;
      }
      return false;
    },

    get: (runId) => entries.get(runId)?.execution,
    add,
    load: loadOnce,

    async send(runId, request) {
      while (!(await request(await loadOnce(runId)))) {
        if (isClosed) throw closingError();
      }
    },

    evict(runId) {
      const entry = entryOf(runId);
      entry.execution = undefined;
      forget(runId, entry);
    },

    async store(run, queueEntry, commit, loaded) {
      const { id } = run.document;
      // As soon as it is stored, a start that resumes all runs may find it.
      let settle = () => {};
      const storing = new Promise<void>((resolve) => {
        settle = resolve;
      });
      entryOf(id).storing = storing;
      try {
        const result = await commit();
        if (queueEntry !== null && loaded === undefined) enqueue(run, queueEntry);
        if (queueEntry !== null && loaded !== undefined) {
          setQueueEntry(id, queueEntry);
          if (!isClosed) void add(loaded).execute();
        }
        return result;
      } catch (error) {
        queueEntry?.release();
        throw error;
      } finally {
        const entry = entryOf(id);
        if (entry.storing === storing) entry.storing = undefined;
        settle();
        forget(id, entry);
      }
    },

    setQueueEntry,
    queueEntryOf,

    releaseSlot,
    enqueue,

    executeHere: (run, timeUp) =>
      new Promise((resolve) => {
        const { document } = run;
        const queueEntry = queueHere.reenter(document);
        function begin(): void {
          setQueueEntry(document.id, queueEntry);
          enqueueHere(run);
          resolve(true);
        }
        if (queueEntry.hasSlot) return begin();
        queueEntry.onSlot(begin);
        void timeUp.then(() => {
          if (queueEntry.hasSlot) return;
          queueEntry.release();
          resolve(false);
        });
      }),

    untilGone: (runId) =>
      entries.has(runId)
        ? new Promise((resolve) => goneListeners.set(runId, [...(goneListeners.get(runId) ?? []), resolve]))
        : Promise.resolve(),

    abandonAll() {
      for (const { execution } of [...entries.values()]) execution?.abandon();
    },

    isClosed: () => isClosed,

    async close() {
      isClosed = true;
      await Promise.allSettled([...entries.values()].map(({ loading }) => loading));
    },

    async suspend(timeUp) {
      await Promise.all([...entries.values()].map(({ execution }) => execution?.suspend(timeUp)));
    },
  };
}
