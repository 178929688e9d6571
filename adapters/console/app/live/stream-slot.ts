/**
 * Over HTTP/1.1, a browser has six connections to a server for all its windows, and a stream keeps one. With a stream for each
 * window, a few windows side by side would leave none for what people do. So four windows have streams until they are hidden
 * or closed, and the others poll.
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
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined || !isShared()) return NONE;
  for (let slot = 1; slot <= STREAMS; slot++) {
    const taken = await take(locks, `stepwell-stream-${slot}`);
    if (taken !== null) return taken;
  }
  return null;
}

const NONE: StreamSlot = () => undefined;

/** A lock ends with its page, also if that crashes. A page in a sandboxed frame may have none. */
function take(locks: LockManager, name: string): Promise<StreamSlot | null> {
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(NONE));
  });
}
