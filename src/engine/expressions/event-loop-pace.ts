/** How much expressions may do between two turns of the event loop: a workflow may have thousands, one behind the other. */

import type { Clock } from "../../ports/clock.ts";
import { inNextTurn } from "../../time/system-clock.ts";

export interface Pace {
  /** Whether they have done as much in this turn. */
  isDue(): boolean;
  /** Settles in a turn in which they may do more; who asked first comes first. */
  nextTurn(): Promise<void>;
}

/** What is under way when they are done is finished first. */
const OPERATIONS_PER_TURN = 1_000_000;

/** Of what has no expressions. */
export const FREE: Pace = { isDue: () => false, nextTurn: () => Promise.resolve() };

/**
 * A timer of 0 ms would not do: where a turn takes longer than its millisecond, the next timer is due before anything else
 * of the event loop has had its turn.
 * @param operations How many there were so far.
 */
export function createPace(operations: () => number, clock: Clock): Pace {
  const waiting: (() => void)[] = [];
  let before = 0;
  let isScheduled = false;

  const isSpent = () => operations() - before >= OPERATIONS_PER_TURN;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    inNextTurn(clock, () => void turn());
  }

  async function turn(): Promise<void> {
    isScheduled = false;
    before = operations();
    while (waiting.length > 0 && !isSpent()) {
      waiting.shift()?.();
      await undefined; // it continues now
    }
    if (waiting.length > 0) schedule();
  }

  return {
    isDue() {
      if (operations() > before) schedule();
      return isSpent();
    },
    nextTurn() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        schedule();
      });
    },
  };
}
