/** Runs many calls with limited concurrency. */

/** Maximum number of concurrent driver calls for one purpose. */
const MAX_CONCURRENT_CALLS = 8;

/** Starts the calls in order. After a failure, waits for calls in progress and rejects with the first error. */
export async function forEachParallel<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next()) {
      try {
        await act(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, worker));
  if (failures.length > 0) throw failures[0];
}
