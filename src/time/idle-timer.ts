/** Times out slow request and response bodies: the sender must make progress while it is waited for. */
import { KIBIBYTE } from "../encoding/bytes.ts";
import type { Clock } from "../ports/clock.ts";
import { elapsedOf } from "./system-clock.ts";

/**
 * Fewer bytes don't count as progress. Otherwise, sending one byte now and then would keep a connection open for days.
 */
export const MIN_PROGRESS_BYTES = KIBIBYTE;

export interface IdleTimer {
  /** Call this before each read of the body. */
  startWaiting(): void;
  /** Call this when a read has returned bytes. */
  receive(bytes: number): void;
  stop(): void;
}

/**
 * Counts only the time spent waiting, not the time spent processing bytes.
 * @param idleMs Maximum milliseconds of waiting until {@link MIN_PROGRESS_BYTES} or the end must arrive.
 * @param onIdle Called once on timeout.
 */
export function createIdleTimer(clock: Clock, idleMs: number, onIdle: () => void): IdleTimer {
  let waitedMs = 0;
  let progress = 0;
  let waitingSince: number | null = null;
  /** One timer for many reads, or undefined if none is set. */
  let cancel: (() => void) | undefined;

  const waitingMs = () => (waitingSince === null ? 0 : elapsedOf(clock) - waitingSince);

  function check(): void {
    cancel = undefined;
    // No read is pending. The next read sets the timer again, and an abandoned body keeps none.
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
