/** Reads once for all who ask at the same time. */

/** @returns What a read returns that begins after the call. */
export type SharedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

export function createSharedReads<T>(): SharedReads<T> {
  /** Reads that have not begun. Joining one that has could miss what the caller was notified of. */
  const starting = new Map<string, Promise<T>>();

  return (key, read) => {
    const known = starting.get(key);
    if (known !== undefined) return known;
    const begin = () => {
      starting.delete(key);
      return read();
    };
    const shared = Promise.resolve().then(begin);
    starting.set(key, shared);
    return shared;
  };
}
