/** What screens keep in the browser beyond a page, and forget when the session ends. */
import { sleep } from "../../../../src/client/backoff.ts";

/** The only database of the console, with the drafts that the server does not have. */
export const DATABASE = "stepwell-console";
export const DRAFTS = "drafts";

/** What may not be stored yet when somebody signs out. */
export type Unstored = "drafts" | "exports" | "forms";

/** Somebody who signs out does not wait longer for a server that does not respond. */
const PATIENCE_MS = 5_000;

const settlers = new Map<Unstored, () => Promise<boolean>>();

/** @param settle Stores what can be stored. Resolves to whether nothing is left that would be lost. */
export function settleBeforeForgetting(what: Unstored, settle: () => Promise<boolean>): void {
  settlers.set(what, settle);
}

/** Stores what can be stored. Resolves to what would be lost if it were forgotten now. */
export async function unstoredData(): Promise<readonly Unstored[]> {
  const settling = [...settlers].map(async ([what, settle]) => ((await inTime(settle())) ? null : what));
  const lost = (await Promise.all(settling)).filter((what) => what !== null);
  // Other tabs, also closed ones, may have kept drafts, whose screens this page need not have loaded.
  const isLost = !lost.includes("drafts") && (await inTime(haveDrafts().catch(() => false)));
  return isLost ? ["drafts", ...lost] : lost;
}

/** Whether the browser has drafts of this person that the server does not have. */
async function haveDrafts(): Promise<boolean> {
  const database = await openExisting();
  if (database === null) return false;
  try {
    return (await asked(database.transaction(DRAFTS).objectStore(DRAFTS).index("place").count(ofOwner()))) > 0;
  } finally {
    database.close();
  }
}

/** The database if there is one. It is made where drafts are kept. */
function openExisting(): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    const request = indexedDB.open(DATABASE);
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () => resolve(null);
    request.onsuccess = () => resolve(request.result);
  });
}

function asked<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The places of all drafts of this person, which begin with the owner. */
const ofOwner = () => IDBKeyRange.bound(`${owner} `, `${owner} \uffff`);

function inTime(settled: Promise<boolean>): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, patience.signal).then(() => false);
  return Promise.race([settled, late]).finally(() => patience.abort());
}

let owner = "";

/** Whose it is what is kept now. */
export const ownerNow = (): string => owner;

const receivers = new Set<(before: string, now: string) => Promise<void>>();

/** @param pass Makes what this tab has kept for one owner that of another one. */
export function onHandOver(pass: (before: string, now: string) => Promise<void>): void {
  receivers.add(pass);
}

/** Somebody goes on with what was kept in this tab for somebody else. */
export async function handOver(now: string): Promise<void> {
  const before = owner;
  owner = now;
  await Promise.all([...receivers].map((pass) => pass(before, now)));
}

/** Somebody has signed in. What others have kept stays out of sight. */
export function setOwner(now: string): void {
  owner = now;
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

/** Deletes what this person has kept, in all tabs. What others have kept waits for them, and nobody else sees it. */
export async function forgetKeptData(): Promise<void> {
  await closeKeptData();
  // A browser without storage has nothing to forget.
  const isEmpty = await deleteOwn().catch(() => true);
  if (isEmpty) await deleteDatabase().catch(() => undefined);
}

/** Resolves to whether nothing of anybody is left. */
async function deleteOwn(): Promise<boolean> {
  const database = await openExisting();
  if (database === null) return true;
  try {
    const store = database.transaction(DRAFTS, "readwrite").objectStore(DRAFTS);
    for (const key of await asked(store.index("place").getAllKeys(ofOwner()))) await asked(store.delete(key));
    return (await asked(store.count())) === 0;
  } finally {
    database.close();
  }
}

function deleteDatabase(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => resolve();
    request.onblocked = () => resolve();
  });
}
