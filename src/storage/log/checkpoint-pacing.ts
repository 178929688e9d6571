/**
 * Spreads a checkpoint's work over the log records that are stored meanwhile, so that no commit waits for all of it. Each
 * record allows a number of calls; without records, a timer allows a few.
 */
import type { Clock } from "../../ports/clock.ts";

/** What the steps of a checkpoint wait for. */
export interface CheckpointTurns {
  /** Resolves when the next call of the driver may be made. */
  call(): Promise<void>;
  /** Call this after processing characters. Lets the event loop turn when they were many. */
  work(characters: number): Promise<void>;
}

/** Waits for nothing, for a repair. */
export const NO_TURNS: CheckpointTurns = { call: async () => undefined, work: async () => undefined };

export interface CheckpointPacer {
  /** Spreads a number of calls over half of the records until the next checkpoint. */
  start(calls: number): void;
  /** Resolves when one more call may be made. */
  waitForTurn(): Promise<void>;
  /**
   * Reports a stored record.
   * @param share Its share of what may be stored until the next checkpoint.
   */
  onRecord(share: number): void;
  /** Stops delaying calls until the next `start`, because something waits for the work. */
  stopPacing(): void;
  /** Resolves when this share of the calls has been allowed. The last call to it counts. */
  waitForProgress(share: number): Promise<void>;
}

/** Milliseconds without a record after which the timer allows calls. */
const IDLE_INTERVAL_MS = 2;
/** Number of calls that the timer allows. */
const CALLS_WHEN_IDLE = 16;

export function createCheckpointPacer(clock: Clock): CheckpointPacer {
  let callsInAll = 0;
  let callsAllowed = 0;
  /** Called when this number of calls has been allowed. */
  let progress = { calls: Number.POSITIVE_INFINITY, onReached: () => {} };
  /** Calls that records have allowed, less than one. */
  let rest = 0;
  let unusedCalls = 0;
  let isUnpaced = true;
  const waiting: (() => void)[] = [];
  let hasTimer = false;

  function allow(): void {
    callsAllowed++;
    if (callsAllowed >= progress.calls) progress.onReached();
  }

  function release(calls: number): void {
    const released = waiting.splice(0, calls);
    unusedCalls += calls - released.length;
    for (const call of released) call();
  }

  /** Allows a few calls at a time while no records are stored. */
  function releaseWhenIdle(): void {
    if (hasTimer) return;
    hasTimer = true;
    clock.after(IDLE_INTERVAL_MS, () => {
      hasTimer = false;
      release(CALLS_WHEN_IDLE);
      unusedCalls = 0;
      if (waiting.length > 0) releaseWhenIdle();
    });
  }

  return {
    start(calls) {
      callsInAll = calls;
      callsAllowed = 0;
      rest = 0;
      unusedCalls = 0;
      isUnpaced = false;
    },

    async waitForTurn() {
      if (!isUnpaced && unusedCalls === 0) {
        releaseWhenIdle();
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else if (!isUnpaced) unusedCalls--;
      allow();
    },

    onRecord(share) {
      if (isUnpaced) return;
      const allowed = Math.max(1, rest + 2 * share * callsInAll);
      rest = allowed % 1;
      unusedCalls = 0;
      release(Math.floor(allowed));
    },

    stopPacing() {
      isUnpaced = true;
      release(waiting.length);
    },

    async waitForProgress(share) {
      const calls = share * callsInAll;
      if (callsAllowed >= calls) return;
      await new Promise<void>((resolve) => {
        progress = { calls, onReached: resolve };
      });
    },
  };
}
