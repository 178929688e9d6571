/** Lets other work go first: long background work takes only a share of the time, so that callers hardly notice it. */
import type { Clock } from "../ports/clock.ts";
import { elapsedOf, inNextTurn } from "./system-clock.ts";

export interface WorkShare {
  /** Call this before the first piece of work. */
  begin(): void;
  /** Call this between two pieces of work. Resolves in a later turn of the event loop, when the next one may begin. */
  rest(): Promise<void>;
  /** Ends the current rest and all later ones. */
  stop(): void;
}

/** A rest is this many times as long as the work before it, so the work gets an eighth of the time. */
const REST_FACTOR = 7;
/** The longest rest, because the time that the work took includes waiting for the storage. */
const LONGEST_REST_MS = 100;

export function createWorkShare(clock: Clock): WorkShare {
  let since = 0;
  let isStopped = false;
  let endRest = () => {};

  /** A clock that cannot measure elapsed time, such as one of a test, gives no rest, only another turn. */
  function restMs(): number {
    return clock.elapsed === undefined ? 0 : Math.min((elapsedOf(clock) - since) * REST_FACTOR, LONGEST_REST_MS);
  }

  return {
    begin() {
      since = elapsedOf(clock);
    },

    async rest() {
      const milliseconds = restMs();
      await new Promise<void>((resolve) => {
        if (isStopped) return resolve();
        if (milliseconds < 1) return inNextTurn(clock, resolve);
        const cancel = clock.after(milliseconds, resolve);
        endRest = () => {
          cancel();
          resolve();
        };
      });
      since = elapsedOf(clock);
    },

    stop() {
      isStopped = true;
      endRest();
    },
  };
}
