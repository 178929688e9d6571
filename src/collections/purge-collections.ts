/** Deletes the collections and tags of a deleted app. */
import { deleteAllListed } from "../documents/documents.ts";
import { useRows } from "../documents/uses.ts";
import type { Change, Store } from "../ports/store.ts";
import type { CollectionDocument } from "./collection.ts";
import { collectionKey, listOf, usesOf } from "./collection-rows.ts";
import { INDEXING_LIST } from "./indexes/record-index.ts";
import type { TagDocument } from "./tag.ts";
import { tagKey, tagsOf } from "./tags.ts";

type Purge = (appId: string, isStopped: () => boolean) => Promise<void>;

/** Must run after the records have been deleted, because they are found by their collection. */
export function createPurgeCollections({ store }: { store: Store }): Purge {
  function deleteCollection(document: CollectionDocument, expected: number): Change {
    const { id, app_id } = document;
    const lists = [listOf(app_id, false), listOf(app_id, true), INDEXING_LIST];
    const rows = [...lists.map((list) => ({ list, delete: id })), ...useRows(id, usesOf(document), [])];
    return { key: collectionKey(id), document: null, expected, rows };
  }
  return async (appId, isStopped) => {
    for (const deleted of [false, true]) {
      const list = listOf(appId, deleted);
      await deleteAllListed<CollectionDocument>(store, list, collectionKey, deleteCollection, isStopped);
    }
  };
}

export function createPurgeTags({ store }: { store: Store }): Purge {
  function deleteTag({ id, app_id }: TagDocument, expected: number): Change {
    return { key: tagKey(id), document: null, expected, rows: [{ list: tagsOf(app_id), delete: id }] };
  }
  return (appId, isStopped) => deleteAllListed<TagDocument>(store, tagsOf(appId), tagKey, deleteTag, isStopped);
}
