/** Decides whether and when a failed attempt is retried: exponential backoff with jitter. Pure. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../time/units.ts";
import { hiddenCause, type StepError } from "../../step-error.ts";
import type { Executable, RetryPolicy } from "../step-context.ts";

/** The largest part of a declared interval that is added to it. Declared intervals are never shortened. */
const DECLARED_JITTER = 0.1;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = MINUTE_MS;
/** Attempts while the storage does not answer an action, for as long as the run's own commits are retried: about 35 seconds. */
const MAX_OUTAGE_ATTEMPTS = 8;
const MAX_OUTAGE_DELAY_MS = 10 * SECOND_MS;
/** Upper bound for a server's `Retry-After`. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Returns the milliseconds until the next attempt, or null if there is none.
 * @param attempts Number of attempts so far.
 * @param key Idempotency key of the step, for {@link jitterOf}.
 */
export function nextAttemptDelay(
  executable: Executable,
  error: StepError,
  attempts: number,
  key: string,
): number | null {
  if (executable.kind !== "effect") return null;
  const { retry, maxAttempts } = executable;
  const { retryable, retryAfterMs = 0 } = error;
  const jitter = jitterOf(`${key} ${attempts}`);
  if (retry === undefined) {
    // An action that is never repeated has one attempt.
    const isOutage = maxAttempts > 1 && hiddenCause(error)?.code === "unavailable";
    if (!retryable || attempts >= (isOutage ? Math.max(maxAttempts, MAX_OUTAGE_ATTEMPTS) : maxAttempts)) return null;
    const longest = Math.min(isOutage ? MAX_OUTAGE_DELAY_MS : MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));
    return Math.max(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), longest / 2 + (jitter * longest) / 2);
  }
  if (attempts >= retry.maxAttempts || !isRetried(error, retry)) return null;
  const interval = Math.min(retry.maxMs, retry.firstMs * retry.backoff ** (attempts - 1));
  return Math.max(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), interval * (1 + jitter * DECLARED_JITTER));
}

function isRetried({ code, retryable }: StepError, { on }: RetryPolicy): boolean {
  if (on === "any") return true;
  return on === "transient" ? retryable : on.includes(code);
}

/**
 * Returns a deterministic fraction that spreads retries over time: runs differ, and repeating an attempt gives the same
 * delay. Uses FNV-1a with a final mix, so that keys that differ only in the last character get very different values.
 */
function jitterOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
