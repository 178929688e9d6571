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
  const asked = [...settlers].map(async ([what, settle]) => ((await inTime(settle())) ? null : what));
  const lost = (await Promise.all(asked)).filter((what) => what !== null);
  // Other tabs, also closed ones, may have kept drafts, whose screens this page need not have loaded.
  const isLost = !lost.includes("drafts") && (await inTime(haveDrafts().catch(() => false)));
  return isLost ? ["drafts", ...lost] : lost;
}

/** Whether the browser has drafts that the server does not have. */
function haveDrafts(): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.open(DATABASE);
    // There is none. It is made where drafts are kept.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () => resolve(false);
    request.onsuccess = () => {
      const { result } = request;
      const counted = result.transaction(DRAFTS).objectStore(DRAFTS).count();
      counted.onsuccess = () => resolve(counted.result > 0);
      counted.onerror = () => resolve(false);
      result.close(); // once its transactions have ended
    };
  });
}

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
