/** Finds the indexes of a collection that queries can use. */
import type { Store } from "../../ports/store.ts";
import type { CollectionDocument } from "../collection.ts";
import { collectionKey } from "../collection-rows.ts";
import { recordsOf } from "../records/record-rows.ts";
import { indexList } from "./record-index.ts";

/** The list of a field's index, or its state if it cannot be used yet. */
export type UsableIndex = { readonly state: "ready"; readonly list: string } | { readonly state: "building" | "none" };

/** Called for a collection with an incomplete index, so that the index is built again. */
export type OnIndexIncomplete = (collectionId: string) => void;

/** Whether an index has a row for each record, including records without a value. */
export async function isComplete(store: Store, collectionId: string, indexId: string): Promise<boolean> {
  // As of one moment: a record that is created or deleted between two counts would make every index look incomplete.
  const [rows, records] = await store.totals([indexList(indexId), recordsOf(collectionId)]);
  return rows === records;
}

export interface UsableIndexes {
  /** Looks up the index of a field. */
  find(path: string): Promise<UsableIndex>;
  /** Whether none of the indexes found is being removed. Reads of one that is may have missed rows. */
  areKept(): Promise<boolean>;
}

export async function indexesOf(
  store: Store,
  collectionId: string,
  onIncomplete: OnIndexIncomplete,
): Promise<UsableIndexes> {
  const read = async () => (await store.get<CollectionDocument>(collectionKey(collectionId)))?.document.indexes ?? [];
  const indexes = await read();
  const used = new Set<string>();
  return {
    async find(path) {
      const index = indexes.find((one) => one.path === path && one.state !== "removing");
      if (index === undefined) return { state: "none" };
      if (index.state !== "ready") return { state: "building" };
      used.add(index.id);
      if (await isComplete(store, collectionId, index.id)) return { state: "ready", list: indexList(index.id) };
      onIncomplete(collectionId);
      return { state: "building" };
    },

    async areKept() {
      if (used.size === 0) return true;
      const ready = new Set((await read()).filter(({ state }) => state === "ready").map(({ id }) => id));
      return [...used].every((id) => ready.has(id));
    },
  };
}
