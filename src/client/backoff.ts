/** Delays before a request is repeated. */
import { unlessAborted } from "../time/unless-aborted.ts";

/** The longest delay of a timer. It takes a longer one for none. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** A server that asks for more time gets no repeat: the caller knows better what to do meanwhile. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Milliseconds before the next attempt: exponential, with jitter, at least what `Retry-After` says (RFC 9110 §10.2.3).
 * Null if that is too long.
 * @param attempt Number of attempts that have failed, from 1.
 */
export function retryDelay(attempt: number, retryAfter: string | undefined): number | null {
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  const asked = askedDelay(retryAfter);
  return asked > MAX_RETRY_AFTER_MS ? null : Math.max(backoff, asked);
}

/** Milliseconds that a server asks for with `Retry-After`; 0 if it does not, or says nothing that can be read. */
export function askedDelay(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(asked) ? 0 : Math.max(0, asked);
}

/** Waits. Rejects with the reason of the signal if it aborts, and then leaves no timer behind. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}

/** A signal that aborts with any of these. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
