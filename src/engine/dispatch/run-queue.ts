/**
 * Queues runs that would exceed the concurrency limits, and decides which run gets the next slot. Apps take turns, so that no
 * app starves another.
 *
 * Each nesting level has separate slots. A run keeps its slot while it waits for a child run, or for rules of a record
 * that it wrote. These run on deeper levels, so no run waits for a slot that its ancestors hold, and runs on the
 * deepest level always make progress.
 *
 * A slot is a token: only its holder can release it, and only once. An operation that loses a race releases the slot
 * that it took and cannot release the winner's.
 */
import { StepwellError } from "../../errors.ts";
import { createFairQueue, type FairQueue } from "../../queues/fair-queue.ts";

interface ConcurrencyLimits {
  /** Maximum number of active runs. */
  readonly concurrentRuns: number;
  /** Maximum number of active runs per app. */
  readonly concurrentRunsPerApp: number;
  /** Maximum number of active runs per workflow. */
  readonly concurrentRunsPerWorkflow: number;
}

/** The fields that a run is counted by. */
interface CountedRun {
  readonly app_id: string;
  readonly workflow_id: string;
}

interface ConcurrencyCounts {
  /** Whether the total limit allows one more run. */
  hasRoom(): boolean;
  /** Whether all limits allow this run. */
  hasRoomFor(run: CountedRun): boolean;
  add(run: CountedRun): void;
  remove(run: CountedRun): void;
}

export interface RunQueueLimits extends ConcurrencyLimits {
  /** Maximum number of queued runs, not counting child runs. */
  readonly queuedRuns: number;
}

export interface QueueableRun extends CountedRun {
  /** Set for a child run. */
  readonly parent_run_id: string | null;
  /** Number of ancestors: parent runs, and runs whose records triggered this run. */
  readonly depth: number;
}

export interface Slot {
  /** Whether the run may be active. Otherwise it waits in the queue. */
  readonly isAdmitted: boolean;
  /**
   * Sets the handler to call once when the run is admitted, or immediately if it already is. Until a handler is set, a
   * queued slot keeps its position but is passed over, so that no run begins before it is stored. A later call replaces
   * the handler.
   */
  onAdmitted(handler: () => void): void;
  /** Releases the slot, or leaves the queue. Further calls have no effect on the counts. */
  release(): void;
}

export interface RunQueue {
  /**
   * Creates a slot for a new run. A child run may always wait, because its parent was accepted.
   * @throws StepwellError `too_many_requests` if the run would have to wait and the queue is full.
   */
  enter(run: QueueableRun): Slot;
  /** Creates a slot for a run that was accepted before. It may wait even if the queue is full. */
  reenter(run: QueueableRun): Slot;
  /** Creates an admitted slot, beyond the limits and even while the queue is paused. */
  admit(run: QueueableRun): Slot;
  /** Stops admitting runs until {@link resume}, except through {@link admit}. */
  pause(): void;
  resume(): void;
}

/** Value of `Retry-After` for a rejected run. */
const RETRY_AFTER_SECONDS = "1";

interface QueuedRun {
  readonly run: QueueableRun;
  /** Whether the run is stored and can take the slot. */
  isReady(): boolean;
  admit(): void;
}

interface Level {
  readonly counts: ConcurrencyCounts;
  /** Waiting runs, grouped by app. */
  readonly waiting: FairQueue<QueuedRun>;
}

export function createRunQueue(limits: RunQueueLimits): RunQueue {
  const levels = new Map<number, Level>();
  let isPaused = false;

  function levelOf({ depth }: QueueableRun): Level {
    let level = levels.get(depth);
    if (level === undefined) {
      level = { counts: createConcurrencyCounts(limits), waiting: createFairQueue() };
      levels.set(depth, level);
    }
    return level;
  }

  function createSlot(run: QueueableRun, isAdmittedNow: boolean): Slot {
    const level = levelOf(run);
    const { counts, waiting } = level;
    let state: "queued" | "admitted" | "released" = isAdmittedNow ? "admitted" : "queued";
    let admittedHandler: (() => void) | undefined;
    const queued: QueuedRun = {
      run,
      isReady: () => admittedHandler !== undefined,
      admit() {
        state = "admitted";
        admittedHandler?.();
      },
    };
    if (isAdmittedNow) counts.add(run);
    else waiting.add(run.app_id, queued);
    return {
      get isAdmitted() {
        return state === "admitted";
      },
      onAdmitted(callback) {
        if (state === "admitted") return callback();
        admittedHandler = callback;
        if (counts.hasRoomFor(run)) admitNext(level);
      },
      release() {
        if (state === "admitted") counts.remove(run);
        if (state === "queued") waiting.remove(run.app_id, queued);
        state = "released";
        admitNext(level);
      },
    };
  }

  function admitNext({ counts, waiting }: Level): void {
    while (!isPaused && waiting.size > 0 && counts.hasRoom()) {
      const found = waiting.take((queued) => queued.isReady() && counts.hasRoomFor(queued.run));
      if (found === undefined) return;
      counts.add(found.run);
      found.admit();
    }
  }

  function canStart(run: QueueableRun): boolean {
    const { counts, waiting } = levelOf(run);
    // A run doesn't overtake earlier runs of its app.
    return !isPaused && !waiting.has(run.app_id) && counts.hasRoomFor(run);
  }

  const reenter = (run: QueueableRun) => createSlot(run, canStart(run));

  return {
    reenter,

    enter(run) {
      const { size } = levelOf(run).waiting;
      if (run.parent_run_id === null && !canStart(run) && size >= limits.queuedRuns) {
        const detail = `The queue is full: ${size} runs are queued. Try again later.`;
        throw new StepwellError("too_many_requests", detail, { headers: { "retry-after": RETRY_AFTER_SECONDS } });
      }
      return reenter(run);
    },

    admit: (run) => createSlot(run, true),

    pause() {
      isPaused = true;
    },

    resume() {
      isPaused = false;
      for (const level of levels.values()) admitNext(level);
    },
  };
}

/** Counts active runs in total, per app and per workflow. */
function createConcurrencyCounts(limits: ConcurrencyLimits): ConcurrencyCounts {
  const apps = new Map<string, number>();
  const workflows = new Map<string, number>();
  let total = 0;

  function count({ app_id, workflow_id }: CountedRun, by: 1 | -1): void {
    total += by;
    addTo(apps, app_id, by);
    addTo(workflows, workflow_id, by);
  }

  return {
    hasRoom: () => total < limits.concurrentRuns,
    hasRoomFor: ({ app_id, workflow_id }) =>
      total < limits.concurrentRuns &&
      (apps.get(app_id) ?? 0) < limits.concurrentRunsPerApp &&
      (workflows.get(workflow_id) ?? 0) < limits.concurrentRunsPerWorkflow,
    add: (run) => count(run, 1),
    remove: (run) => count(run, -1),
  };
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
