/**
 * Calls a driver, which may fail, hang or answer synchronously. Every call returns a result or an error within the timeout.
 */

import { isStepwellError, StepwellError, systemErrorCode } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import { isAlreadyExists } from "../../ports/driver.ts";

/** Milliseconds after which a call fails. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The action that opens the storage. */
export const TAKE_OVER = "taking over";

/**
 * Calls a driver.
 *
 * @throws StepwellError `unavailable` if the call fails or times out. The error of an exclusive write to an existing
 * item is passed through.
 */
export type CallDriver = <T>(action: string, key: string, call: () => T | Promise<T>) => Promise<T>;

export function createCallDriver(driver: Driver, clock: Clock, timeoutMs: number): CallDriver {
  const name = driver.name ?? "unnamed";

  function withTimeout<T>(action: string, key: string, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(timeoutMs, () => {
        const seconds = timeoutMs / 1_000;
        const message = `The storage driver "${name}" did not respond within ${seconds} seconds (${action} "${key}").`;
        reject(new StepwellError("unavailable", message));
      });
      answer.then(
        (value) => {
          cancel();
          resolve(value);
        },
        (error) => {
          cancel();
          reject(error);
        },
      );
    });
  }

  return async (action, key, call) => {
    try {
      const answer = call();
      return answer instanceof Promise ? await withTimeout(action, key, answer) : answer;
    } catch (cause) {
      if (isAlreadyExists(cause) || isStepwellError(cause)) throw cause;
      const reason = isFull(cause) ? "the storage is full" : reasonOf(cause);
      const message =
        action === TAKE_OVER
          ? `Cannot open the storage: ${reason}`
          : `The storage driver "${name}" failed (${action} "${key}"): ${reason}`;
      throw new StepwellError("unavailable", message, { cause });
    }
  };
}

/** Recognizes the errors of Node.js for disks and quotas, and of Redis for memory. */
function isFull(cause: unknown): boolean {
  const code = systemErrorCode(cause);
  return code === "ENOSPC" || code === "EDQUOT" || (cause instanceof Error && cause.message.startsWith("OOM "));
}

/** Errors of lost connections often have no message, but a code or errors within. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const [first]: unknown[] = cause instanceof AggregateError ? cause.errors : [];
  return cause.message || (first instanceof Error ? first.message : "") || systemErrorCode(cause) || cause.name;
}
