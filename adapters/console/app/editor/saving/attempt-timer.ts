/** When a draft is stored next: a little after a change, and later after each failure. */

const PATIENCE_MS = 1_000;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000, 30_000] as const;

/** @returns Cancels. */
export type Later = (milliseconds: number, call: () => void) => () => void;

export function createAttemptTimer(later: Later) {
  let cancel = () => {};
  let failures = 0;
  function start(milliseconds: number, call: () => void): void {
    cancel();
    cancel = later(milliseconds, call);
  }
  return {
    /** After a change. */
    soon(call: () => void): void {
      failures = 0;
      start(PATIENCE_MS, call);
    },
    /** After a failure. */
    again(call: () => void): void {
      start(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? PATIENCE_MS, call);
      failures++;
    },
    succeed(): void {
      failures = 0;
    },
    cancel: () => cancel(),
  };
}
