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
  let share = 1;
  let credit = 0;
  let isHurried = true;
  const waiting: (() => void)[] = [];
  let isWaking = false;

  function release(calls: number): void {
    const called = waiting.splice(0, calls);
    credit += calls - called.length;
    for (const call of called) call();
  }

  /** Allows a few calls at a time while no commits arrive. */
  function releaseWhenIdle(): void {
    if (isWaking) return;
    isWaking = true;
    clock.after(IDLE_INTERVAL_MS, () => {
      isWaking = false;
      release(CALLS_WHEN_IDLE);
      credit = 0;
      if (waiting.length > 0) releaseWhenIdle();
    });
  }

  return {
    start(calls, commits) {
      share = Math.max(1, Math.ceil(calls / Math.max(1, commits)));
      credit = 0;
      isHurried = false;
    },

    async waitForTurn() {
      if (isHurried) return;
      if (credit > 0) {
        credit--;
        return;
      }
      releaseWhenIdle();
      await new Promise<void>((resolve) => waiting.push(resolve));
    },

    onCommit() {
      if (isHurried) return;
      credit = 0;
      release(share);
    },

    stopPacing() {
      isHurried = true;
      release(waiting.length);
    },
  };
}
