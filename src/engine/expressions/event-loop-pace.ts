/** Limits how long expressions block the event loop, because a workflow may evaluate thousands in sequence. */

import type { Clock } from "../../ports/clock.ts";
import { inNextTurn } from "../../time/system-clock.ts";

export interface Pace {
  /** Whether expressions have used up the current turn. */
  isDue(): boolean;
  /** Resolves in a turn in which expressions may continue, in the order of the calls. */
  nextTurn(): Promise<void>;
}

/** Default. Checked between evaluations, so a turn may exceed it. */
const OPERATIONS_PER_TURN = 1_000_000;

/** The pace of a plan without expressions. */
export const UNLIMITED: Pace = { isDue: () => false, nextTurn: () => Promise.resolve() };

/**
 * Doesn't use a timer of 0 ms. If a turn takes longer than a millisecond, the next timer would be due before the event
 * loop handles other events.
 * @param operations Returns the number of operations so far.
 * @param perTurn Operations of one turn.
 */
export function createPace(operations: () => number, clock: Clock, perTurn = OPERATIONS_PER_TURN): Pace {
  const waiting: (() => void)[] = [];
  let before = 0;
  let isScheduled = false;

  const isSpent = () => operations() - before >= perTurn;

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
      await undefined; // lets the resolved caller continue before the next check
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
