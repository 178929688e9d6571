/** How many threads an adapter may start. */

/** @throws RangeError for a number with which nothing would ever run */
export function threadCount(threads: number): number {
  if (Number.isSafeInteger(threads) && threads >= 1) return threads;
  throw new RangeError(`threads cannot be ${String(threads)}. Expected a whole number of at least 1.`);
}
