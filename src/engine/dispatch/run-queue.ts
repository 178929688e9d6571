/**
 * The queue in front of the concurrency limits: who gets a slot, and who comes next. Apps take turns, so that none
 * starves another.
 *
 * Each level of nesting has slots of its own. A run keeps its slot while it waits for a run within it, or for the rules of
 * a record that it wrote, which are levels further down: so none waits for a slot that those above it hold, and the runs
 * of the last level always go on.
 *
 * A slot is a token: only its holder can give it back, and only once. An operation that loses a race gives back the slot
 * that it took itself and cannot touch the winner's.
 */
import { StepwellError } from "../../errors.ts";
import { createFairQueue, type FairQueue } from "../../queues/fair-queue.ts";
import {
  type ConcurrencyCounts,
  type ConcurrencyLimits,
  type CountedRun,
  createConcurrencyCounts,
} from "./concurrency-limits.ts";

export interface RunQueueLimits extends ConcurrencyLimits {
  /** Runs that wait in the queue, without those within others. */
  readonly queuedRuns: number;
}

export interface QueueableRun extends CountedRun {
  /** Set for a run within another. */
  readonly parent_run_id: string | null;
  /** How many runs stand above it, or led to it as runs that wrote records of which it is a rule. */
  readonly depth: number;
}

export interface Slot {
  /** Whether its run may be active; else it waits in the queue. */
  readonly isAdmitted: boolean;
  /**
   * Calls the handler once, as soon as the run is admitted: right away if it is. Until this is called a waiting slot keeps
   * its position but is passed over, so that no run begins that is not stored. A later call replaces the handler.
   */
  onAdmitted(handler: () => void): void;
  /** Gives the slot, or the position in the queue, back. Calling it again does nothing. */
  release(): void;
}

export interface RunQueue {
  /**
   * A slot for a new run. One within another may always wait: its parent was accepted.
   * @throws StepwellError `too_many_requests` when it would have to wait and no more may.
   */
  enter(run: QueueableRun): Slot;
  /** A slot for a run that was accepted before: it may wait in the queue, however many do. */
  reenter(run: QueueableRun): Slot;
  /** A slot at once, beyond the limits and while the queue is paused. */
  admit(run: QueueableRun): Slot;
  /** Admits nobody until {@link resume}, other than by {@link admit}. */
  pause(): void;
  resume(): void;
}

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER_SECONDS = "1";

interface QueuedRun {
  readonly run: QueueableRun;
  /** Takes the slot; false for a run that is not stored yet. */
  isReady(): boolean;
  admit(): void;
}

interface Level {
  readonly counts: ConcurrencyCounts;
  /** Runs that wait, by their apps. */
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

  function canBegin(run: QueueableRun): boolean {
    const { counts, waiting } = levelOf(run);
    // Nobody passes those of the same app who came before.
    return !isPaused && !waiting.has(run.app_id) && counts.hasRoomFor(run);
  }

  const reenter = (run: QueueableRun) => createSlot(run, canBegin(run));

  return {
    reenter,

    enter(run) {
      const { size } = levelOf(run).waiting;
      if (run.parent_run_id === null && !canBegin(run) && size >= limits.queuedRuns) {
        const detail = `The queue is full: ${size} runs are waiting. Try again later.`;
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
