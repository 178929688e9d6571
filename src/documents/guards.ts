/**
 * Guards: a commit names the version of each document that it depends on but does not change, and is rejected if another
 * process has changed one since. Then the call looks again, and repeats.
 */
import { LRUCache } from "lru-cache";
import type { DerivedChange, Key, Store } from "../ports/store.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

export interface Guards {
  /**
   * Calls `act`, and again if one of the documents was changed before it committed.
   * @param keys Documents that `act` does not write.
   * @param act Reads what it depends on, and commits the guards with what it has decided. A document that does not exist has
   * no guard.
   */
  run<T>(keys: readonly Key[], act: (guards: readonly DerivedChange[]) => Promise<T>): Promise<T>;
}

/** For a process that has the store for itself. */
export const NO_GUARDS: Guards = { run: (_, act) => act([]) };

/** Documents whose versions are remembered. Others are read again. */
const MAX_VERSIONS = 10_000;

/** @param look Returns the version of a document, or null if there is none. Its result is used until a commit conflicts. */
export function createGuards(look: (key: Key) => Promise<number | null>): Guards {
  const versions = new LRUCache<Key, number>({ max: MAX_VERSIONS });

  async function guardOf(key: Key): Promise<DerivedChange[]> {
    const expected = versions.get(key) ?? (await look(key));
    if (expected === null) return [];
    versions.set(key, expected);
    return [{ key, expected, rows: [] }];
  }

  return {
    run(keys, act) {
      const isGuarded = (changed: string) => keys.some((key) => key === changed);
      return retryOnConflict(isGuarded, async () => {
        const guards = (await Promise.all(keys.map(guardOf))).flat();
        try {
          return await act(guards);
        } catch (error) {
          for (const { key } of guards) versions.delete(key);
          throw error;
        }
      });
    },
  };
}

/** Looks at nothing but whether a document exists. */
export function versionIn(store: Pick<Store, "get">): (key: Key) => Promise<number | null> {
  return async (key) => (await store.get(key))?.version ?? null;
}
