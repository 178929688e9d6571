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

/** Returns a function that looks up the index of a field. */
export async function indexesOf(store: Store, collectionId: string, onIncomplete: OnIndexIncomplete) {
  const found = await store.get<CollectionDocument>(collectionKey(collectionId));
  const indexes = found?.document.indexes ?? [];
  return async (path: string): Promise<UsableIndex> => {
    const index = indexes.find((one) => one.path === path && one.state !== "removing");
    if (index === undefined) return { state: "none" };
    if (index.state !== "ready") return { state: "building" };
    if (await isComplete(store, collectionId, index.id)) return { state: "ready", list: indexList(index.id) };
    onIncomplete(collectionId);
    return { state: "building" };
  };
}
