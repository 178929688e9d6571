/**
 * Spreads background work over the commits that come meanwhile, so that none of them waits for all of it: so many calls
 * for each commit, and a few now and then while none comes.
 */
import type { Clock } from "../../ports/clock.ts";

export interface Pace {
  /** From now on, so many calls are to be done by the time that so many commits have come. */
  begin(calls: number, commits: number): void;
  /** Settles when one call more may be made. */
  turn(): Promise<void>;
  /** A commit was stored. */
  tick(): void;
  /** Somebody waits for the work to be done: nothing is held back until the next beginning. */
  hurry(): void;
}

/** Milliseconds without a commit after which the work goes on by itself. */
const PATIENCE = 2;
/** Calls that are made then. */
const FEW = 16;

export function createPace(clock: Clock): Pace {
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
  function wake(): void {
    if (isWaking) return;
    isWaking = true;
    clock.after(PATIENCE, () => {
      isWaking = false;
      release(FEW);
      credit = 0;
      if (waiting.length > 0) wake();
    });
  }

  return {
    begin(calls, commits) {
      share = Math.max(1, Math.ceil(calls / Math.max(1, commits)));
      credit = 0;
      isHurried = false;
    },

    async turn() {
      if (isHurried) return;
      if (credit > 0) {
        credit--;
        return;
      }
      wake();
      await new Promise<void>((resolve) => waiting.push(resolve));
    },

    tick() {
      if (isHurried) return;
      credit = 0;
      release(share);
    },

    hurry() {
      isHurried = true;
      release(waiting.length);
    },
  };
}
