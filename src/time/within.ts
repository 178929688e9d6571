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
  if (timeoutMs === undefined) return wait(signal);
  const deadline = new AbortController();
  const cancelTimer = clock.after(timeoutMs, () => deadline.abort());
  try {
    return await wait(signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]));
  } catch (error) {
    if (error !== deadline.signal.reason) throw error;
    return null;
  } finally {
    cancelTimer();
  }
}
