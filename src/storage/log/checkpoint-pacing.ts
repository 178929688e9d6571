/**
 * Spreads background work over the commits that come meanwhile, so that none of them waits for all of it: so many calls
 * for each commit, and a few now and then while none comes.
 */
import type { Clock } from "../../ports/clock.ts";

export interface CheckpointPacer {
  /** From now on, so many calls are to be done by the time that so many commits have come. */
  start(calls: number, commits: number): void;
  /** Settles when one call more may be made. */
  waitForTurn(): Promise<void>;
  /** A commit was stored. */
  onCommit(): void;
  /** Somebody waits for the work to be done: nothing is held back until the next beginning. */
  stopPacing(): void;
}

/** Milliseconds without a commit after which the work goes on by itself. */
const IDLE_INTERVAL_MS = 2;
/** Calls that are made then. */
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

  /** Lets a few go on, as long as nothing else does. */
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
