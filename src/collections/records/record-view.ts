/** Converts a record for callers, with its current tags and files. */
import type { Tag } from "../tag.ts";
import type { Tags } from "../tags.ts";
import { findReferences } from "./files/file-references.ts";
import type { ShowFiles } from "./files/show-files.ts";
import type { CollectionRecord, RecordData, RecordDocument } from "./record.ts";
import { resultView } from "./rules/rule-result.ts";

export interface RecordViews {
  one(document: RecordDocument): Promise<CollectionRecord>;
  /** Takes one lookup for all tags, and one for all files. */
  all(appId: string, documents: readonly RecordDocument[]): Promise<CollectionRecord[]>;
}

export function createRecordViews(parts: { tags: Pick<Tags, "find">; showFiles: ShowFiles }): RecordViews {
  const { tags, showFiles } = parts;

  async function all(appId: string, documents: readonly RecordDocument[]): Promise<CollectionRecord[]> {
    const [found, data] = await Promise.all([
      tags.find(appId, [...new Set(documents.flatMap((document) => document.tags))]),
      showFiles(
        appId,
        documents.map((document) => document.data),
      ),
    ]);
    return documents.map((document, index) => toRecord(document, found, data[index] ?? document.data));
  }

  return {
    all,
    async one(document) {
      const { app_id, tags: tagIds } = document;
      const [found, [data = document.data]] = await Promise.all([
        tags.find(app_id, tagIds),
        showFiles(app_id, [document.data]),
      ]);
      return toRecord(document, found, data);
    },
  };
}

/** Records that are shown without tags that were deleted. They change without a new version. */
const withoutDeletedTags = new WeakSet<CollectionRecord>();

/** Whether a record as shown follows from its version alone, so that a reader who has this version has it. */
export function isWholeVersion(record: CollectionRecord): boolean {
  const { rule_results, tags, data } = record;
  return rule_results.length + tags.length + findReferences(data).length === 0 && !withoutDeletedTags.has(record);
}

function toRecord(document: RecordDocument, tags: ReadonlyMap<string, Tag>, data: RecordData): CollectionRecord {
  const { id, collection_id, version, rule_results, created_at, updated_at } = document;
  // Deleted tags stay in the document until it changes.
  const shownTags = document.tags.flatMap((tag) => tags.get(tag) ?? []);
  const results = rule_results.map(resultView);
  const record = { id, collection_id, version, data, tags: shownTags, rule_results: results, created_at, updated_at };
  if (shownTags.length < document.tags.length) withoutDeletedTags.add(record);
  return record;
}
