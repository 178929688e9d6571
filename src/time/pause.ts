/** Pauses long work, so that everything else gets its turn. */
import type { Clock } from "../ports/clock.ts";
import { inNextTurn } from "./system-clock.ts";

/** Returns a function that resumes one caller in each turn of the event loop: together, they would block it. */
export function createPause(clock: Clock): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => inNextTurn(clock, resolve)));
    return last;
  };
}
