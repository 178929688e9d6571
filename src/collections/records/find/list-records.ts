/** Lists the records of a collection: all of them, or those that meet conditions. */
import { listPage } from "../../../documents/documents.ts";
import type { Page } from "../../../documents/pagination.ts";
import { omitUndefined } from "../../../json.ts";
import { invalid } from "../../../messages/field-errors.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { Store } from "../../../ports/store.ts";
import type { Collections } from "../../collections.ts";
import { indexesOf, type OnIndexIncomplete } from "../../indexes/usable-indexes.ts";
import type { Tags } from "../../tags.ts";
import type { CollectionRecord, RecordDocument } from "../record.ts";
import { recordKey, recordsOf } from "../record-rows.ts";
import type { RecordViews } from "../record-view.ts";
import { type FindQuery, type FoundRecords, findRecords, needsDocuments } from "./find-records.ts";
import type { RecordQuery } from "./record-query.ts";
import { createSortTokens } from "./sort-token.ts";

interface Place {
  readonly app_id: string;
  readonly collection_id: string;
}

/** Newest first, or sorted as the query specifies. */
export type ListRecords = (at: Place, query: RecordQuery) => Promise<Page<CollectionRecord>>;

export function createListRecords(parts: {
  store: Store;
  hash: Hash;
  collections: Pick<Collections, "get">;
  tags: Pick<Tags, "find">;
  views: RecordViews;
  onIndexIncomplete: OnIndexIncomplete;
}): ListRecords {
  const { store, hash, collections, tags, views, onIndexIncomplete } = parts;

  /** An index whose rows are removed meanwhile looks as if it had come to its end. The others are then asked. */
  async function findBy(collectionId: string, query: FindQuery): Promise<FoundRecords> {
    for (;;) {
      const indexes = await indexesOf(store, collectionId, onIndexIncomplete);
      const [outcome] = await Promise.allSettled([findRecords({ store, hash }, collectionId, indexes.find, query)]);
      if (!(await indexes.areKept())) continue;
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    }
  }

  async function listFound(at: Place, query: RecordQuery, known: readonly string[]) {
    const { page, take } = query;
    if (page > 1) {
      const message = "Must be 1 with filter, sort, rule_result or updated_after. Continue with page_token.";
      throw invalid([{ in: "query", pointer: "/page", message }]);
    }
    const ofTags = query.tags.length === 0 ? null : known;
    const { documents, next, incomplete } = await findBy(at.collection_id, { ...query, tags: ofTags });
    const items = await views.all(at.app_id, documents);
    return { items, page, take, more: next !== undefined, incomplete, ...omitUndefined({ next_page_token: next }) };
  }

  return async (at, query) => {
    await collections.get(at.app_id, at.collection_id, false);
    const known = [...(await tags.find(at.app_id, query.tags)).keys()];
    if (needsDocuments(query)) return listFound(at, query, known);
    if (query.page_token !== undefined) createSortTokens(hash, undefined).positionOf(query.page_token);
    const marks = query.tags.length === 0 ? [] : [known.map((tag) => `tag:${tag}`)];
    const rows = { ...query, marks };
    const found = await listPage<RecordDocument, RecordDocument>(
      store,
      recordsOf(at.collection_id),
      rows,
      recordKey,
      (document) => document,
    );
    return { ...found, items: await views.all(at.app_id, found.items) };
  };
}
