/** How much expressions may do between two turns of the event loop: a workflow may have thousands, one behind the other. */

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

/** @param operations How many there were so far. */
export function createPace(operations: () => number): Pace {
  const waiting: (() => void)[] = [];
  let before = 0;
  let isScheduled = false;

  const isSpent = () => operations() - before >= OPERATIONS_PER_TURN;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(turn, 0);
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
      schedule();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
