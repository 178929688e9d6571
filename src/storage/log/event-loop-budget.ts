/**
 * Yields to the event loop during consecutive commits. A driver that answers synchronously, such as the one in memory,
 * would otherwise keep everything in microtasks. Timers and requests would then starve until all runs are done.
 */

import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { Clock } from "../../ports/clock.ts";
import { elapsedOf, inNextTurn } from "../../time/system-clock.ts";

export interface EventLoopBudget {
  /** Records work. @param characters Total length of the commits. */
  spend(commits: number, characters: number): void;
  /** Resolves in a later turn. Null if this turn has budget left. */
  nextTurnIfSpent(): Promise<void> | null;
}

/** Limits for one turn of the event loop. The first one that is reached applies. */
const MAX_COMMITS_PER_TURN = 256;
const MAX_CHARS_PER_TURN = MEBIBYTE;
const MAX_TURN_MS = 10;
/** Parts of long reads. Each takes about a millisecond. */
const READS_PER_TURN = 4;

export function createEventLoopBudget(clock: Clock): EventLoopBudget {
  /** Resolves in the next turn. Null if no work was done in this turn. */
  let next: Promise<void> | null = null;
  let since = 0;
  let commits = 0;
  let characters = 0;

  function begin(): void {
    commits = 0;
    characters = 0;
    since = elapsedOf(clock);
    let hasTurned = false;
    const turned = new Promise<void>((resolve) => {
      inNextTurn(clock, () => {
        hasTurned = true;
        next = null;
        resolve();
      });
    });
    next = hasTurned ? null : turned;
  }

  return {
    spend(more, size) {
      if (next === null) begin();
      commits += more;
      characters += size;
    },

    nextTurnIfSpent() {
      const isFull =
        commits >= MAX_COMMITS_PER_TURN || characters >= MAX_CHARS_PER_TURN || elapsedOf(clock) - since >= MAX_TURN_MS;
      return isFull ? next : null;
    },
  };
}

/** Records a part of a long read of rows. Resolves in a later turn; null if this turn has budget left. */
export function pauseReading(eventLoop: EventLoopBudget): Promise<void> | null {
  eventLoop.spend(0, MAX_CHARS_PER_TURN / READS_PER_TURN);
  return eventLoop.nextTurnIfSpent();
}
