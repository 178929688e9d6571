/** Many calls, a few at a time. */

/** Calls of a driver that are under way at the same time for one purpose. */
const MAX_CONCURRENT_CALLS = 8;

/** Runs them all, in order of their start; rejects with the first failure once nothing is under way any more. */
export async function forEachParallel<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next()) {
      try {
        await act(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, lane));
  if (failures.length > 0) throw failures[0];
}
