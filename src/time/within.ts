import type { Clock } from "../ports/clock.ts";

/**
 * Waits for at most a time.
 * @param timeoutMs Milliseconds; undefined for no limit.
 * @param wait Gets a signal that aborts when the time is up, or when the caller's signal aborts.
 * @returns Null if the time is up. Rejects with the reason of the caller's signal.
 */
export async function within<T>(
  clock: Pick<Clock, "after">,
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
  wait: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T | null> {
  const deadline = new AbortController();
  const cancelTimer = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, () => deadline.abort());
  const signals = [...(timeoutMs === undefined ? [] : [deadline.signal]), ...(signal === undefined ? [] : [signal])];
  try {
    return await wait(signals.length === 0 ? undefined : AbortSignal.any(signals));
  } catch (error) {
    if (error !== deadline.signal.reason) throw error;
    return null;
  } finally {
    cancelTimer();
  }
}
