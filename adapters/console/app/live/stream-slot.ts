/**
 * Over HTTP/1.1, a browser has six connections to a server for all its windows, and a stream keeps one. With a stream for each
 * window, a few windows side by side would leave none for what people do. So streams take turns for four of them, and a page
 * without one polls.
 */
const STREAMS = 4;

/** Gives the connection back. */
export type StreamSlot = () => void;

const isShared = (): boolean => {
  const [page] = performance.getEntriesByType("navigation");
  return page instanceof PerformanceNavigationTiming && !/^h[23]/.test(page.nextHopProtocol);
};

/** @returns Null if all are taken. */
export async function takeStreamSlot(): Promise<StreamSlot | null> {
  // Without a secure origin, windows know nothing of each other.
  if (!("locks" in navigator) || !isShared()) return () => undefined;
  for (let slot = 1; slot <= STREAMS; slot++) {
    const taken = await take(`stepwell-stream-${slot}`);
    if (taken !== null) return taken;
  }
  return null;
}

/** A lock ends with its page, also if that crashes. */
function take(name: string): Promise<StreamSlot | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}
