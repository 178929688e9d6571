/**
 * Spreads a checkpoint's work over the commits that arrive meanwhile, so that no commit waits for all of it. Each
 * commit allows a number of calls; without commits, a timer allows a few.
 */
import type { Clock } from "../../ports/clock.ts";

export interface CheckpointPacer {
  /** Spreads a number of calls over a number of commits. */
  start(calls: number, commits: number): void;
  /** Resolves when one more call may be made. */
  waitForTurn(): Promise<void>;
  /** Reports a stored commit. */
  onCommit(): void;
  /** Stops delaying calls until the next `start`, because something waits for the work. */
  stopPacing(): void;
}

/** Milliseconds without a commit after which the timer allows calls. */
const IDLE_INTERVAL_MS = 2;
/** Number of calls that the timer allows. */
const CALLS_WHEN_IDLE = 16;

export function createCheckpointPacer(clock: Clock): CheckpointPacer {
  let callsPerCommit = 1;
  let unusedCalls = 0;
  let isUnpaced = true;
  const waiting: (() => void)[] = [];
  let hasTimer = false;

  function release(calls: number): void {
    const released = waiting.splice(0, calls);
    unusedCalls += calls - released.length;
    for (const call of released) call();
  }

  /** Allows a few calls at a time while no commits arrive. */
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
    start(calls, commits) {
      callsPerCommit = Math.max(1, Math.ceil(calls / Math.max(1, commits)));
      unusedCalls = 0;
      isUnpaced = false;
    },

    async waitForTurn() {
      if (isUnpaced) return;
      if (unusedCalls > 0) {
        unusedCalls--;
        return;
      }
      releaseWhenIdle();
      await new Promise<void>((resolve) => waiting.push(resolve));
    },

    onCommit() {
      if (isUnpaced) return;
      unusedCalls = 0;
      release(callsPerCommit);
    },

    stopPacing() {
      isUnpaced = true;
      release(waiting.length);
    },
  };
}
