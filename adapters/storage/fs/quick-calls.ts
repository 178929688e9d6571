/**
 * Short calls of the file system. On a local disk, the system only copies to or from its memory, which takes microseconds:
 * handing the call to a thread of the pool, and back, costs more. So the event loop makes it. Where calls have turned out to
 * be slow, as on a network file system, threads make them.
 */

/** Makes a call on the event loop, whose answer is there at once, or on a thread. */
export type QuickCall = <Answer>(
  onEventLoop: () => Answer,
  onThread: () => Promise<Answer>,
) => Answer | Promise<Answer>;

const SLOW_MS = 1;
/** One slow call may be that of a busy machine. */
const MAX_SLOW_IN_A_ROW = 4;
/** Number of calls on threads before the event loop tries again. */
const CALLS_ON_THREADS = 1_000;

export function createQuickCall(): QuickCall {
  let slowInARow = 0;
  let leftOnThreads = 0;

  return (onEventLoop, onThread) => {
    if (leftOnThreads > 0) {
      leftOnThreads--;
      return onThread();
    }
    const since = performance.now();
    try {
      return onEventLoop();
    } finally {
      slowInARow = performance.now() - since < SLOW_MS ? 0 : slowInARow + 1;
      if (slowInARow >= MAX_SLOW_IN_A_ROW) {
        slowInARow = 0;
        leftOnThreads = CALLS_ON_THREADS;
      }
    }
  };
}
