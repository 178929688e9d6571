/** What screens keep in the browser beyond a page, and forget when the session ends. */

/** The only database of the console. */
export const DATABASE = "stepwell-console";

const closers = new Set<() => Promise<void>>();

/** @param close Lets go of the database. */
export function onForget(close: () => Promise<void>): void {
  closers.add(close);
}

/** Lets go of what is open of it. It stays in the browser for who comes back. */
export async function closeKeptData(): Promise<void> {
  await Promise.all([...closers].map((close) => close()));
}

/** Deletes everything. Other tabs that have it open lose it as well. */
export async function forgetKeptData(): Promise<void> {
  await closeKeptData();
  await new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => resolve();
    request.onblocked = () => resolve();
  }).catch(() => undefined); // a browser without storage has nothing to forget
}
