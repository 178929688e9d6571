/** What screens keep in the browser beyond a page, and forget when the session ends. */

/** The only database of the console. */
export const DATABASE = "stepwell-console";

/** What may not be stored yet when somebody signs out. */
export type Unstored = "drafts" | "exports" | "forms";

const stores = new Map<Unstored, () => Promise<boolean>>();

/** @param store Stores what can be stored. Resolves to whether nothing is left that would be lost. */
export function storeBeforeForgetting(what: Unstored, store: () => Promise<boolean>): void {
  stores.set(what, store);
}

/** Stores what can be stored. Resolves to what would be lost if it were forgotten now. */
export async function unstoredData(): Promise<readonly Unstored[]> {
  const asked = [...stores].map(async ([what, store]) => ((await store()) ? null : what));
  return (await Promise.all(asked)).filter((what) => what !== null);
}

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
