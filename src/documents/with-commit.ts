/** A store in which something happens before or after commits. */
import type { Store } from "../ports/store.ts";

/** @param commit Replaces the commit of the store, and usually calls it. */
export function withCommit(store: Store, commit: Store["commit"]): Store {
  return {
    get isFailing() {
      return store.isFailing;
    },
    get isLost() {
      return store.isLost;
    },
    isVolatile: store.isVolatile,
    probe: store.probe,
    get: store.get,
    getMany: store.getMany,
    getText: store.getText,
    commit,
    list: store.list,
    totals: store.totals,
    listDocuments: store.listDocuments,
    close: store.close,
  };
}
