/** The limit for bodies that come slowly: the sender must make progress while somebody waits for it. */
import { KIBIBYTE } from "../encoding/bytes.ts";
import type { Clock } from "../ports/clock.ts";
import { elapsedOf } from "./system-clock.ts";

/** Fewer bytes than these are no progress: a sender of one byte every so often would hold us for days. */
export const MIN_PROGRESS_BYTES = KIBIBYTE;

export interface IdleTimer {
  /** A read of the body begins. */
  startWaiting(): void;
  /** It gave bytes. */
  receive(bytes: number): void;
  stop(): void;
}

/**
 * Only the time spent waiting counts, not what is done with the bytes.
 * @param idleMs Waiting in which {@link MIN_PROGRESS_BYTES} or the end must come.
 * @param onIdle Called once when they did not.
 */
export function createIdleTimer(clock: Clock, idleMs: number, onIdle: () => void): IdleTimer {
  let waitedMs = 0;
  let progress = 0;
  let waitingSince: number | null = null;
  /** One timer for many reads; undefined when none is set. */
  let cancel: (() => void) | undefined;

  const waitingMs = () => (waitingSince === null ? 0 : elapsedOf(clock) - waitingSince);

  function check(): void {
    cancel = undefined;
    // Nobody waits: the next read sets the timer again, and a body that was left halfway keeps none.
    if (waitingSince === null) return;
    const leftMs = idleMs - waitedMs - waitingMs();
    if (leftMs <= 0) onIdle();
    else cancel = clock.after(leftMs, check);
  }

  return {
    startWaiting() {
      waitingSince = elapsedOf(clock);
      cancel ??= clock.after(idleMs - waitedMs, check);
    },
    receive(bytes) {
      progress += bytes;
      waitedMs += waitingMs();
      if (progress >= MIN_PROGRESS_BYTES) waitedMs = progress = 0;
      waitingSince = null;
    },
    stop: () => cancel?.(),
  };
}
