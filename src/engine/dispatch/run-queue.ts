/**
 * The queue in front of the concurrency limits: who gets a slot, and who comes next. Apps take turns, so that none
 * starves another.
 *
 * A slot is a token: only its holder can give it back, and only once. An operation that loses a race gives back the slot
 * that it took itself and cannot touch the winner's.
 */
import { StepwellError } from "../../errors.ts";
import { type ConcurrencyLimits, type CountedRun, createConcurrencyCounts } from "./concurrency-limits.ts";

export interface RunQueueLimits extends ConcurrencyLimits {
  /** Runs that wait in the queue. */
  readonly queuedRuns: number;
}

export interface QueueableRun extends CountedRun {
  /** Set for a run within another: it is not counted, because its parent has a slot and waits for it. */
  readonly parent_run_id: string | null;
}

export interface Slot {
  /** Whether its run may be active; else it waits in the queue. */
  readonly isAdmitted: boolean;
  /**
   * Calls `begin` once, as soon as the run is admitted: right away if it is. Until this is called a waiting slot keeps
   * its position but is passed over, so that no run begins that is not stored. A later call replaces `begin`.
   */
  onAdmitted(begin: () => void): void;
  /** Gives the slot, or the position in the queue, back. Calling it again does nothing. */
  release(): void;
}

export interface RunQueue {
  /** A slot for a new run. @throws StepwellError `too_many_requests` when it would have to wait and no more may. */
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
const RETRY_AFTER = "1";

interface QueuedRun {
  readonly run: QueueableRun;
  /** Takes the slot; false for a run that is not stored yet. */
  isReady(): boolean;
  admit(): void;
}

/** Of a run within another, unless the queue is paused. */
const FREE: Slot = { isAdmitted: true, onAdmitted: (begin) => begin(), release: () => undefined };

export function createRunQueue(limits: RunQueueLimits): RunQueue {
  const counts = createConcurrencyCounts(limits);
  /** By app, in the order in which they are asked next. */
  const queues = new Map<string, QueuedRun[]>();
  /** Runs within others that came while the queue was paused. */
  const held = new Set<() => void>();
  let waiting = 0;
  let isPaused = false;

  function createSlot(run: QueueableRun, isAdmittedNow: boolean): Slot {
    let state: "queued" | "admitted" | "released" = isAdmittedNow ? "admitted" : "queued";
    let begin: (() => void) | undefined;
    const queued: QueuedRun = {
      run,
      isReady: () => begin !== undefined,
      admit() {
        state = "admitted";
        begin?.();
      },
    };
    if (isAdmittedNow) counts.add(run);
    else append(queued);
    return {
      get isAdmitted() {
        return state === "admitted";
      },
      onAdmitted(callback) {
        if (state === "admitted") return callback();
        begin = callback;
        if (counts.hasRoomFor(run)) admitNext();
      },
      release() {
        if (state === "admitted") counts.remove(run);
        if (state === "queued") remove(queued);
        state = "released";
        admitNext();
      },
    };
  }

  function createHeldSlot(): Slot {
    let isAdmitted = false;
    let begin: (() => void) | undefined;
    const admit = () => {
      isAdmitted = true;
      begin?.();
    };
    held.add(admit);
    return {
      get isAdmitted() {
        return isAdmitted;
      },
      onAdmitted(callback) {
        if (isAdmitted) return callback();
        begin = callback;
      },
      release: () => void held.delete(admit),
    };
  }

  function append(queued: QueuedRun): void {
    waiting++;
    const queue = queues.get(queued.run.app_id);
    if (queue === undefined) queues.set(queued.run.app_id, [queued]);
    else queue.push(queued);
  }

  function remove(queued: QueuedRun): void {
    const { app_id } = queued.run;
    const queue = queues.get(app_id) ?? [];
    const index = queue.indexOf(queued);
    if (index < 0) return;
    waiting--;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(app_id);
  }

  /** The next run that there is room for, of the app that was asked longest ago. */
  function takeNext(): QueuedRun | undefined {
    for (const [appId, queue] of queues) {
      const found = queue.find((queued) => queued.isReady() && counts.hasRoomFor(queued.run));
      if (found === undefined) continue;
      remove(found);
      if (queues.delete(appId)) queues.set(appId, queue); // at the end: the other apps come first now
      return found;
    }
    return undefined;
  }

  function admitNext(): void {
    while (!isPaused && waiting > 0 && counts.hasRoom()) {
      const found = takeNext();
      if (found === undefined) return;
      counts.add(found.run);
      found.admit();
    }
  }

  // Nobody passes those of the same app who came before.
  const canBegin = (run: QueueableRun) => !isPaused && !queues.has(run.app_id) && counts.hasRoomFor(run);

  function reenter(run: QueueableRun): Slot {
    if (run.parent_run_id === null) return createSlot(run, canBegin(run));
    return isPaused ? createHeldSlot() : FREE;
  }

  return {
    reenter,

    enter(run) {
      if (run.parent_run_id === null && !canBegin(run) && waiting >= limits.queuedRuns) {
        const detail = `${waiting} runs are queued already, and no more may be; try again later.`;
        throw new StepwellError("too_many_requests", detail, { headers: { "retry-after": RETRY_AFTER } });
      }
      return reenter(run);
    },

    admit: (run) => (run.parent_run_id === null ? createSlot(run, true) : FREE),

    pause() {
      isPaused = true;
    },

    resume() {
      isPaused = false;
      const admitted = [...held];
      held.clear();
      for (const admit of admitted) admit();
      admitNext();
    },
  };
}
