/**
 * Lets the event loop turn while commits follow each other. Where the driver answers without a turn, as the one in memory
 * does, everything would go on in microtasks: no timer would fire and no request be read until all runs are over.
 */

import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { Clock } from "../../ports/clock.ts";
import { elapsedOf, inNextTurn } from "../../time/system-clock.ts";

export interface EventLoopBudget {
  /** Work was done: how many commits, of how many characters. */
  spend(commits: number, characters: number): void;
  /** Settles in a later turn; null while this turn may go on. */
  nextTurnIfSpent(): Promise<void> | null;
}

/** What one turn of the event loop may take, whichever is reached first. */
const MAX_COMMITS_PER_TURN = 256;
const MAX_CHARS_PER_TURN = MEBIBYTE;
const MAX_TURN_MS = 10;

export function createEventLoopBudget(clock: Clock): EventLoopBudget {
  /** Settles with the next turn; null when nothing was done in this one. */
  let next: Promise<void> | null = null;
  let since = 0;
  let commits = 0;
  let characters = 0;

  function begin(): void {
    commits = 0;
    characters = 0;
    since = elapsedOf(clock);
    let isOver = false;
    const turned = new Promise<void>((resolve) => {
      inNextTurn(clock, () => {
        isOver = true;
        next = null;
        resolve();
      });
    });
    next = isOver ? null : turned;
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
