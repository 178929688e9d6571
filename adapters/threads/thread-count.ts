/** Validates the number of threads of an adapter. */

/** @throws RangeError if it is not a whole number of at least 1. */
export function threadCount(threads: number): number {
  if (Number.isSafeInteger(threads) && threads >= 1) return threads;
  throw new RangeError(`threads must be a whole number of at least 1, not ${String(threads)}.`);
}
