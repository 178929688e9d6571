/**
 * Queues runs that would exceed the concurrency limits, and decides which run gets the next slot. Apps take turns, so that no
 * app starves another. Within an app, runs with a higher priority come first.
 *
 * Each nesting level has separate slots. A run keeps its slot for a while after its steps have started child runs, and
 * while a step waits for the rules of a record. Child runs and the runs of rules are on deeper levels, so no run waits
 * for a slot that its ancestors hold, and runs on the deepest level always make progress.
 *
 * A queue entry is a token: only its holder can release it, and only once. An operation that loses a race releases the
 * entry that it made and cannot release the winner's.
 */
import { StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { createFairQueue, type FairQueue } from "../../queues/fair-queue.ts";
import { elapsedOf } from "../../time/system-clock.ts";
import {
  type ConcurrencyCounts,
  type CountedRun,
  createConcurrencyCounts,
  type SlotLimits,
} from "../admission/concurrency-counts.ts";
import { createStartRates } from "../admission/start-rates.ts";
import type { RateLimit } from "../state/stored-admission.ts";

export interface RunQueueLimits extends SlotLimits {
  /** Maximum number of queued runs, not counting child runs. */
  readonly queuedRuns: number;
}

export interface QueueableRun extends CountedRun {
  /** Set for a child run. */
  readonly parent_run_id: string | null;
  /** Number of ancestors: parent runs, and runs whose records triggered this run. */
  readonly depth: number;
  /** Which queued runs of the app get a slot first. @default 0 */
  readonly priority?: number;
  /** The rate limit of a run that has not started. */
  readonly rate_limit?: RateLimit;
}

/** A run in the queue, or one with a slot, which executes. */
export interface QueueEntry {
  /** Whether the run has a slot. Otherwise it is queued. */
  readonly hasSlot: boolean;
  /**
   * Sets the handler to call once when the run gets a slot, or immediately if it has one. Until a handler is set, a
   * queued entry keeps its position but is passed over, so that no run begins before it is stored. A later call replaces
   * the handler.
   */
  onSlot(handler: () => void): void;
  /** Gives the slot back, or leaves the queue. Further calls have no effect on the counts. */
  release(): void;
}

/** How many runs have a slot and how many wait for one. */
export interface QueueLoad {
  readonly running: number;
  readonly queued: number;
  /** How long the first of them has waited, in milliseconds; 0 if there is none. */
  readonly oldestQueuedMs: number;
}

export interface RunQueue {
  /**
   * Enters a new run. A child run may always be queued, because its parent was accepted.
   * @throws StepwellError `too_many_requests` if the run needs to be queued and the queue is full.
   */
  enter(run: QueueableRun): QueueEntry;
  /** Enters a run that was accepted before. It may be queued even if the queue is full. */
  reenter(run: QueueableRun): QueueEntry;
  /** Gives a slot to a run, beyond the limits and even while the queue is paused. */
  enterWithSlot(run: QueueableRun): QueueEntry;
  /** Gives no slots until {@link resume}, except through {@link enterWithSlot}. */
  pause(): void;
  resume(): void;
  load(): QueueLoad;
}

/** Value of `Retry-After` for a rejected run. */
const RETRY_AFTER_SECONDS = "1";

interface QueuedRun {
  readonly run: QueueableRun;
  /** Elapsed milliseconds when it entered the queue. */
  readonly since: number;
  /** Whether the run is stored and can take the slot. */
  isReady(): boolean;
  /** Called when it gets the slot. */
  onSlot(): void;
}

interface Level {
  readonly counts: ConcurrencyCounts;
  /** Queued runs, grouped by app. */
  readonly queue: FairQueue<QueuedRun>;
  /** When the first one may start that its rate limit holds back. */
  nextTry: { readonly moment: number; cancel(): void };
}

/** The rate limits that hold runs back. */
interface HeldBack {
  readonly keys: Set<string>;
  /** When the first run may start, in milliseconds since 1970. */
  until: number;
}

const NEVER = { moment: Number.POSITIVE_INFINITY, cancel: () => undefined };

/** @param queuedElsewhere Returns the number of runs that wait for any process. @default those that wait here */
export function createRunQueue(
  limits: RunQueueLimits,
  clock: Pick<Clock, "now" | "after" | "elapsed">,
  queuedElsewhere?: () => number,
): RunQueue {
  const levels = new Map<number, Level>();
  const rates = createStartRates(clock);
  /** In the order in which they entered. */
  const waiting = new Set<QueuedRun>();
  let isPaused = false;

  function levelOf({ depth }: QueueableRun): Level {
    let level = levels.get(depth);
    if (level === undefined) {
      level = { counts: createConcurrencyCounts(limits), queue: createFairQueue(), nextTry: NEVER };
      levels.set(depth, level);
    }
    return level;
  }

  function createEntry(run: QueueableRun, hasSlotNow: boolean): QueueEntry {
    const level = levelOf(run);
    const { counts, queue } = level;
    let isReleased = false;
    let slotHandler: (() => void) | undefined;
    /** Undoes the start of a run that is not stored yet. */
    let undoStart = () => {};
    const queued: QueuedRun = {
      run,
      since: elapsedOf(clock),
      isReady: () => slotHandler !== undefined,
      onSlot() {
        entry.hasSlot = true;
        waiting.delete(queued);
        slotHandler?.();
      },
    };
    const entry = {
      hasSlot: hasSlotNow,
      onSlot(handler: () => void) {
        undoStart = () => {};
        if (entry.hasSlot) return handler();
        slotHandler = handler;
        if (counts.hasCapacityFor(run)) giveSlots(level);
      },
      release() {
        if (entry.hasSlot) counts.remove(run);
        else if (!isReleased) queue.remove(run.app_id, queued);
        undoStart();
        waiting.delete(queued);
        isReleased = true;
        entry.hasSlot = false;
        giveSlots(level);
      },
    };
    if (hasSlotNow) undoStart = start(counts, run);
    else {
      queue.add(run.app_id, queued, run.priority);
      waiting.add(queued);
    }
    return entry;
  }

  function start(counts: ConcurrencyCounts, run: QueueableRun): () => void {
    counts.add(run);
    return rates.onStart(run);
  }

  function giveSlots(level: Level): void {
    const { counts, queue } = level;
    while (!isPaused && queue.size > 0 && counts.hasCapacity()) {
      const held: HeldBack = { keys: new Set(), until: Number.POSITIVE_INFINITY };
      const found = queue.take(({ run, isReady }) => isReady() && counts.hasCapacityFor(run) && !isHeldBack(run, held));
      if (found === undefined) {
        giveSlotsLater(level, held.until);
        return;
      }
      start(counts, found.run);
      found.onSlot();
    }
  }

  /** @param held What is known so far; adds to it. */
  function isHeldBack(run: QueueableRun, held: HeldBack): boolean {
    const { key } = run.rate_limit ?? {};
    if (key === undefined || held.keys.has(key)) return key !== undefined;
    const until = rates.heldUntil(run);
    if (until === null) return false;
    held.keys.add(key);
    held.until = Math.min(held.until, until);
    return true;
  }

  /** @param moment Milliseconds since 1970; infinite if only a slot is missing. */
  function giveSlotsLater(level: Level, moment: number): void {
    if (!Number.isFinite(moment) || moment >= level.nextTry.moment) return;
    level.nextTry.cancel();
    const cancel = clock.after(moment - clock.now(), () => {
      level.nextTry = NEVER;
      giveSlots(level);
    });
    level.nextTry = { moment, cancel };
  }

  function canStart(run: QueueableRun): boolean {
    const { counts, queue } = levelOf(run);
    // A run doesn't overtake earlier runs of its app.
    return !isPaused && !queue.has(run.app_id) && counts.hasCapacityFor(run) && rates.heldUntil(run) === null;
  }

  const reenter = (run: QueueableRun) => createEntry(run, canStart(run));

  return {
    reenter,

    enter(run) {
      const size = queuedElsewhere?.() ?? levelOf(run).queue.size;
      if (run.parent_run_id === null && !canStart(run) && size >= limits.queuedRuns) {
        const detail = `The queue is full: ${size} runs are queued. Try again later.`;
        throw new StepwellError("too_many_requests", detail, { headers: { "retry-after": RETRY_AFTER_SECONDS } });
      }
      return reenter(run);
    },

    enterWithSlot: (run) => createEntry(run, true),

    pause() {
      isPaused = true;
    },

    resume() {
      isPaused = false;
      for (const level of levels.values()) giveSlots(level);
    },

    load() {
      const [first] = waiting;
      const running = [...levels.values()].reduce((sum, { counts }) => sum + counts.total, 0);
      const oldestQueuedMs = first === undefined ? 0 : elapsedOf(clock) - first.since;
      return { running, queued: waiting.size, oldestQueuedMs };
    },
  };
}

/** A queue that gives no slots: every run is offered to all processes, because limits hold for all of them together. */
export function offeringQueue(queue: RunQueue): RunQueue {
  const offered: QueueEntry = { hasSlot: false, onSlot: () => undefined, release: () => undefined };
  return {
    ...queue,
    enter(run) {
      queue.enter(run).release();
      return offered;
    },
    reenter: () => offered,
  };
}
