/**
 * Keeps deletions and new uses of a resource apart. A commit that adds a use waits while the resource is being deleted, and
 * is refused afterwards. A deletion waits for the commits that began before it, so that it sees their uses. In memory, for a
 * process that has the store for itself; see shared-use-guard.ts.
 */
import { LRUCache } from "lru-cache";
import { StepwellError } from "../errors.ts";
import { type Change, changesDocument, type DerivedChange, type Store } from "../ports/store.ts";
import { usersOf } from "./uses.ts";
import { withCommit } from "./with-commit.ts";

export interface UseGuard {
  readonly store: Store;
  /**
   * Calls a function that uses a resource, unless the resource has been deleted. A deletion waits until the call settles.
   * @param act Commits the guards with what uses the resource. May be called several times.
   * @param onDeleted Returns the error for a deleted resource. @default `conflict`
   */
  using<T>(
    resourceId: string,
    act: (guards: readonly DerivedChange[]) => Promise<T>,
    onDeleted?: (resourceId: string) => StepwellError,
  ): Promise<T>;
  /**
   * Deletes a resource. Until this settles, nothing begins to use it; from then on only if `remove` has rejected.
   * @param remove Commits the changes with the deletion. May be called several times.
   */
  removing<T>(resourceId: string, remove: (alsoCommit: readonly Change[]) => Promise<T>): Promise<T>;
  /** Call this when a deleted resource was restored. */
  restored(resourceId: string): void;
}

const PREFIX = usersOf("");
/** More than can be deleted while one call is between its check and its commit. */
const MAX_REMOVED = 10_000;

export function createUseGuard(inner: Store): UseGuard {
  /** Lists of resources that are being deleted. The promises don't reject. */
  const closing = new Map<string, Promise<unknown>>();
  /** Lists of the resources that this process has deleted last. Commits that began before a deletion check them. */
  const removed = new LRUCache<string, true>({ max: MAX_REMOVED });
  /** Commits in progress that add a use, by list. */
  const adding = new Map<string, Set<Promise<unknown>>>();

  /** @param lists Lists of the resources that the call uses. */
  async function usingAll<T>(
    lists: readonly string[],
    act: () => Promise<T>,
    onDeleted: (resourceId: string) => StepwellError,
  ): Promise<T> {
    for (let busy = closing.get(lists.find((list) => closing.has(list)) ?? ""); busy !== undefined; ) {
      await busy;
      busy = closing.get(lists.find((list) => closing.has(list)) ?? "");
    }
    const gone = lists.find((list) => removed.has(list));
    if (gone !== undefined) throw onDeleted(gone.slice(PREFIX.length));
    const done = act();
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    for (const list of lists) adding.set(list, (adding.get(list) ?? new Set()).add(settled));
    try {
      return await done;
    } finally {
      for (const list of lists) {
        const others = adding.get(list);
        others?.delete(settled);
        if (others?.size === 0) adding.delete(list);
      }
    }
  }

  return {
    store: withCommit(inner, (changes) => {
      const lists = changes.flatMap(addedUses).map(usersOf);
      return lists.length === 0
        ? inner.commit(changes)
        : usingAll(lists, () => inner.commit(changes), deletedMeanwhile);
    }),

    using: (resourceId, act, onDeleted = deletedMeanwhile) => usingAll([usersOf(resourceId)], () => act([]), onDeleted),

    async removing(resourceId, remove) {
      const list = usersOf(resourceId);
      for (let other = closing.get(list); other !== undefined; other = closing.get(list)) await other;
      const earlier = [...(adding.get(list) ?? [])];
      const removal = Promise.all(earlier).then(() => remove([]));
      const settled = removal.then(
        () => void removed.set(list, true),
        () => undefined,
      );
      closing.set(list, settled);
      try {
        const result = await removal;
        await settled;
        return result;
      } finally {
        closing.delete(list);
      }
    },

    restored: (resourceId) => void removed.delete(usersOf(resourceId)),
  };
}

/** Ids of the resources that a change begins to use. */
export function addedUses(change: Change | DerivedChange): string[] {
  if (!changesDocument(change)) return [];
  return (change.rows ?? []).flatMap((row) =>
    "put" in row && row.list.startsWith(PREFIX) ? [row.list.slice(PREFIX.length)] : [],
  );
}

export function deletedMeanwhile(resourceId: string): StepwellError {
  return new StepwellError("conflict", `${resourceId} was deleted at the same time. Repeat the call without it.`);
}
