/**
 * Refuses to create anything in a deleted app. A call that began before the deletion may otherwise commit after the purge
 * has passed, and nothing would find what it stored. Changes of existing documents pass: the purge deletes them.
 */
import { notFound } from "../errors.ts";
import { type Change, changesDocument, type DerivedChange, type Store } from "../ports/store.ts";

/** @param deleted Apps that this process has deleted. Calls of earlier processes can no longer commit. */
export function refuseCreations(store: Store, deleted: ReadonlySet<string>): Store {
  function appOf(change: Change | DerivedChange): string | null {
    if (!changesDocument(change)) return null;
    const { document, expected = null } = change;
    if (document === null || expected !== null || !("app_id" in document)) return null;
    const { app_id } = document;
    return typeof app_id === "string" && deleted.has(app_id) ? app_id : null;
  }

  return {
    get isFailing() {
      return store.isFailing;
    },
    probe: store.probe,
    get: store.get,
    getMany: store.getMany,
    commit(changes) {
      if (deleted.size === 0) return store.commit(changes);
      const gone = changes.map(appOf).find((appId) => appId !== null);
      return gone == null ? store.commit(changes) : Promise.reject(notFound("app", gone));
    },
    list: store.list,
    listDocuments: store.listDocuments,
    close: store.close,
  };
}
