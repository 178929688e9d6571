/** Converts a record for callers, with its current tags. */
import type { Tag } from "../tag.ts";
import type { Tags } from "../tags.ts";
import type { CollectionRecord, RecordDocument } from "./record.ts";
import { resultView } from "./rule-result.ts";

export interface RecordViews {
  one(document: RecordDocument): Promise<CollectionRecord>;
  /** Takes one lookup for all tags. */
  all(appId: string, documents: readonly RecordDocument[]): Promise<CollectionRecord[]>;
}

export function createRecordViews(tags: Pick<Tags, "find">): RecordViews {
  async function all(appId: string, documents: readonly RecordDocument[]): Promise<CollectionRecord[]> {
    const found = await tags.find(appId, [...new Set(documents.flatMap((document) => document.tags))]);
    return documents.map((document) => toRecord(document, found));
  }

  return { all, one: async (document) => toRecord(document, await tags.find(document.app_id, document.tags)) };
}

function toRecord(document: RecordDocument, tags: ReadonlyMap<string, Tag>): CollectionRecord {
  const { id, collection_id, version, data, rule_results, created_at, updated_at } = document;
  return {
    id,
    collection_id,
    version,
    data,
    // Deleted tags stay in the document until it changes; the view omits them.
    tags: document.tags.flatMap((tag) => tags.get(tag) ?? []),
    rule_results: rule_results.map(resultView),
    created_at,
    updated_at,
  };
}
