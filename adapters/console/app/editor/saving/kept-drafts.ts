/** Changes of drafts that the server has not stored, in the storage of this browser: for each tab its own. */
import { DATABASE, DRAFTS, onForget, ownerNow } from "../../session/kept-data.ts";
import type { Kept } from "./autosave.ts";

export interface KeptDraft extends Kept {
  /** Whose it is, and of which workflow. */
  readonly place: string;
  /** The tab that wrote it. */
  readonly tab: string;
}

const idOf = (place: string, tab: string) => `${place} ${tab}`;
/** Nobody gets what others have kept in this browser. */
const ownPlace = (place: string, owner = ownerNow()) => `${owner} ${place}`;
export const placeOf = (appId: string, workflowId: string) => `${appId} ${workflowId}`;

/** A browser that has not opened its storage by then is taken to refuse it. */
const OPENING_MS = 10_000;

let opened: Promise<IDBDatabase> | null = null;

/** The database, opened again if the browser, another tab or an error has closed it. */
function open(): Promise<IDBDatabase> {
  if (opened !== null) return opened;
  const opening = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    const forget = () => {
      if (opened === opening) opened = null;
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      forget();
      reject(new Error("The browser does not open its storage."));
    }, OPENING_MS);
    request.onupgradeneeded = () => request.result.createObjectStore(DRAFTS).createIndex("place", "place");
    request.onsuccess = () => {
      clearTimeout(timer);
      const { result } = request;
      if (isLate) return result.close();
      // Another tab signs out.
      result.onversionchange = () => {
        result.close();
        forget();
      };
      // The browser closes it when somebody clears its storage.
      result.onclose = forget;
      resolve(result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      forget();
      reject(request.error);
    };
  });
  opened = opening;
  return opening;
}

async function close(): Promise<void> {
  const database = await opened?.catch(() => null);
  opened = null;
  database?.close();
}

onForget(close);

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function drafts(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await open()).transaction(DRAFTS, mode).objectStore(DRAFTS);
}

/** A browser may refuse storage, for example in a private window. The server has the changes a second later anyway. */
async function unlessRefused<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}

/** Resolves when the browser has what a request wrote: with its transaction. */
function untilCommitted({ transaction }: IDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    if (transaction === null) return resolve();
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

export interface Keeper {
  /** Writes are in order, and the last one of several that wait is enough. */
  readonly keep: (kept: Kept | null) => void;
  /** Resolves when nothing waits to be written. */
  readonly written: () => Promise<void>;
  /** What is kept is that of another owner from now on. */
  readonly pass: (owner: string) => void;
}

/**
 * Keeps changes for the person who has the session now, also after it has ended.
 * @param onWritten Hears after each write whether the browser has it.
 */
export function createKeeper(place: string, tab: string, onWritten: (isKept: boolean) => void): Keeper {
  let owner = ownerNow();
  let next: { readonly kept: Kept | null } | null = null;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (next !== null) {
      const { kept } = next;
      next = null;
      const isKept = await unlessRefused(async () => {
        const store = await drafts("readwrite");
        const own = ownPlace(place, owner);
        const id = idOf(own, tab);
        await untilCommitted(kept === null ? store.delete(id) : store.put({ ...kept, place: own, tab }, id));
        return true;
      }, false);
      onWritten(isKept);
    }
    writing = null;
  }

  return {
    keep(kept) {
      next = { kept };
      writing ??= write();
    },
    written: () => writing ?? Promise.resolve(),
    pass(now) {
      owner = now;
    },
  };
}

/** The changes of all tabs to one draft, newest first. */
export const keptDrafts = (place: string): Promise<readonly KeptDraft[]> =>
  unlessRefused(async () => {
    const found: readonly KeptDraft[] = await done((await drafts("readonly")).index("place").getAll(ownPlace(place)));
    return found.toSorted((one, other) => other.at - one.at);
  }, []);

/** Removes the changes that a tab has kept. */
export const forgetDraft = (place: string, tab: string): Promise<void> =>
  unlessRefused(
    async () => void (await done((await drafts("readwrite")).delete(idOf(ownPlace(place), tab)))),
    undefined,
  );

/** Makes the changes that a tab has kept for one owner those of another one. */
export const passDrafts = (tab: string, before: string, now: string): Promise<void> =>
  unlessRefused(async () => {
    const store = await drafts("readwrite");
    const all: readonly KeptDraft[] = await done(store.getAll());
    for (const kept of all.filter((one) => one.tab === tab && one.place.startsWith(`${before} `))) {
      const place = now + kept.place.slice(before.length);
      store.put({ ...kept, place }, idOf(place, tab));
      store.delete(idOf(kept.place, tab));
    }
  }, undefined);
