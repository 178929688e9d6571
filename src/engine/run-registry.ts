/**
 * The registry of all runs in this process and their state. A run is registered from the moment before it is stored or
 * takes a slot, until it was evicted and has no slot.
 */
import type { RunQueue, Slot } from "./dispatch/run-queue.ts";
import type { EngineHandlers } from "./engine-events.ts";
import type { Execution, LoadedRun } from "./execution/execution-types.ts";
import type { RunDocument } from "./state/run-document.ts";
import { closingError } from "./step-error.ts";

export interface RunRegistry {
  /** Whether the run is in memory, in the queue, or about to be stored. */
  has(runId: string): boolean;
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

  /** Registers a run that is about to be stored for the first time. */
  beginCreation(runId: string): void;
  /** Reports that the run is stored, or could not be. */
  endCreation(runId: string): void;

  /** Assigns a slot to a stored run. If it already has one, keeps the admitted one and releases the other. */
  assignSlot(runId: string, slot: Slot): void;
  /** Returns the slot of a run that is about to continue. Takes one if it has none. */
  slotOf(document: RunDocument): Slot;
  releaseSlot(runId: string): void;
  /** Continues a stored run, immediately or when its slot is admitted. */
  enqueue(document: RunDocument, slot: Slot): void;

  isClosed(): boolean;
  /** Prevents further loads. Resolves when current loads have finished. */
  close(): Promise<void>;
  /** Suspends all runs in memory. */
  suspend(timeUp: Promise<void>): Promise<void>;
}

interface Entry {
  isBeingCreated: boolean;
  slot: Slot | undefined;
  loading: Promise<Execution | null> | undefined;
  execution: Execution | undefined;
}

export function createRunRegistry(parts: {
  queue: RunQueue;
  load(runId: string): Promise<LoadedRun | null>;
  createExecution(loaded: LoadedRun): Execution;
  handlers: Pick<EngineHandlers, "onRunAdmitted">;
}): RunRegistry {
  const { queue, load, createExecution, handlers } = parts;
  const entries = new Map<string, Entry>();
  let isClosed = false;

  function entryOf(runId: string): Entry {
    let entry = entries.get(runId);
    if (entry === undefined) {
      entry = { isBeingCreated: false, slot: undefined, loading: undefined, execution: undefined };
      entries.set(runId, entry);
    }
    return entry;
  }

  /** Removes the entry once it is empty. */
  function forget(runId: string, { isBeingCreated, slot, loading, execution }: Entry): void {
    if (!isBeingCreated && slot === undefined && loading === undefined && execution === undefined)
      entries.delete(runId);
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

  function assignSlot(runId: string, slot: Slot): void {
    const entry = entryOf(runId);
    const before = entry.slot;
    if (before === slot) return;
    if (before?.isAdmitted === true) {
      slot.release();
    } else {
      entry.slot = slot;
      before?.release();
    }
  }

  function slotOf(document: RunDocument): Slot {
    const entry = entryOf(document.id);
    entry.slot ??= queue.reenter(document);
    return entry.slot;
  }

  return {
    has(runId) {
      const entry = entries.get(runId);
      return entry !== undefined && (entry.isBeingCreated || entry.slot !== undefined || entry.execution !== undefined);
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

    beginCreation(runId) {
      entryOf(runId).isBeingCreated = true;
    },

    endCreation(runId) {
      const entry = entryOf(runId);
      entry.isBeingCreated = false;
      forget(runId, entry);
    },

    assignSlot,
    slotOf,

    releaseSlot(runId) {
      const entry = entries.get(runId);
      if (entry === undefined) return;
      const { slot } = entry;
      entry.slot = undefined;
      forget(runId, entry);
      slot?.release();
    },

    enqueue(document, slot) {
      assignSlot(document.id, slot);
      slotOf(document).onAdmitted(() => handlers.onRunAdmitted(document));
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
