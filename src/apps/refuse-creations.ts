/**
 * Refuses to create anything in a deleted app. A call that began before the deletion may otherwise commit after the purge
 * has passed, and nothing would find what it stored. Changes of existing documents pass: the purge deletes them.
 */
import { createGuards, versionIn } from "../documents/guards.ts";
import { withCommit } from "../documents/with-commit.ts";
import { notFound } from "../errors.ts";
import { type Change, changesDocument, type DerivedChange, type Store } from "../ports/store.ts";
import { appKey } from "./apps.ts";

/**
 * @param deleted Apps that are known to be deleted. Calls of earlier processes can no longer commit.
 * @param isShared Whether other processes delete apps, too. Then each creation has a guard on its app.
 */
export function refuseCreations(store: Store, deleted: ReadonlySet<string>, isShared = false): Store {
  const guards = createGuards(versionIn(store));

  function appOf(change: Change | DerivedChange): string | null {
    if (!changesDocument(change)) return null;
    const { document, expected = null } = change;
    if (document === null || expected !== null || !("app_id" in document)) return null;
    const { app_id } = document;
    return typeof app_id === "string" && (isShared || deleted.has(app_id)) ? app_id : null;
  }

  /** The deletion of an app deletes its document. So what was stored before can be found by the purge. */
  function commitGuarded(changes: readonly (Change | DerivedChange)[], appIds: readonly string[]): Promise<void> {
    return guards.run(appIds.map(appKey), (found) => {
      const gone = appIds.find((appId) => !found.some(({ key }) => key === appKey(appId)));
      return gone === undefined ? store.commit([...changes, ...found]) : Promise.reject(notFound("app", gone));
    });
  }

  return withCommit(store, (changes) => {
    if (deleted.size === 0 && !isShared) return store.commit(changes);
    const appIds = [...new Set(changes.map(appOf).filter((appId) => appId !== null))];
    if (appIds.length === 0) return store.commit(changes);
    const gone = appIds.find((appId) => deleted.has(appId));
    return gone === undefined ? commitGuarded(changes, appIds) : Promise.reject(notFound("app", gone));
  });
}
