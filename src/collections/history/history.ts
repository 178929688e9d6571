/** Reads the history of records, and their earlier versions. */
import { NOT_NESTED } from "../../calls/caller.ts";
import { createPageSize, ITEMS_PER_READ } from "../../documents/page-size.ts";
import type { Page } from "../../documents/pagination.ts";
import { notFound, StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Store } from "../../ports/store.ts";
import type { CollectionRecord, RecordDocument } from "../records/record.ts";
import { recordKey } from "../records/record-rows.ts";
import type { RecordViews } from "../records/record-view.ts";
import type { RecordRef } from "../records/records.ts";
import { deletedKey, entryKey, firstEntryOf, oldestKept, snapshotKey, startOfBlock } from "./history-writes.ts";
import type { DeletedRecord, HistoryDocument, HistoryEntry, HistoryQuery, VersionContent } from "./record-history.ts";
import { applyEntry, NOTHING } from "./version-changes.ts";

/** The history of a deleted record can be read for 30 days, until the app is deleted. */
export interface RecordHistory {
  /** Newest first. @throws StepwellError `not_found`; `invalid` for an unknown page token */
  list(at: RecordRef, query: HistoryQuery): Promise<Page<HistoryEntry>>;
  /**
   * The record as it was in a version, without the results of its rules unless it is the current one.
   * @throws StepwellError `not_found`, including for a version that does not exist or is no longer stored
   */
  version(at: RecordRef, version: number): Promise<CollectionRecord>;
}

/** A record, or the remaining document of a deleted one. */
type Subject = Pick<DeletedRecord, "id" | "app_id" | "collection_id" | "version" | "created_at">;

const TOKEN = /^version_(\d{1,15})$/;

export function createRecordHistory({ store, views }: { store: Store; views: RecordViews }): RecordHistory {
  async function find(at: RecordRef): Promise<Subject | RecordDocument> {
    const id = at.record_id;
    const record = await store.get<RecordDocument>(recordKey(id));
    // A deletion commits both, so this order finds one of them.
    const found = record ?? (await store.get<DeletedRecord>(deletedKey(id)));
    const isOwn = found?.document.app_id === at.app_id && found.document.collection_id === at.collection_id;
    if (!isOwn) throw notFound("record", id);
    return found.document;
  }

  async function entries(id: string, from: number, to: number): Promise<HistoryDocument[]> {
    const keys = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => entryKey(id, from + index));
    const found = await store.getMany<HistoryDocument>(keys);
    return found.flatMap((stored) => (stored === null ? [] : [stored.document]));
  }

  /** Newest first. @throws StepwellError `invalid` if they are too large for one page */
  async function pageOf(id: string, from: number, to: number): Promise<HistoryDocument[]> {
    const page: HistoryDocument[] = [];
    const size = createPageSize();
    for (let end = to; end >= from; end -= ITEMS_PER_READ) {
      for (const entry of (await entries(id, Math.max(from, end - ITEMS_PER_READ + 1), end)).reverse()) {
        size.require(entry);
        page.push(entry);
      }
    }
    return page;
  }

  /** The content of a version; null if it is not stored. */
  async function contentOf(id: string, version: number): Promise<VersionContent | null> {
    const chain = await entries(id, startOfBlock(version), version);
    const base = chain.findLastIndex(({ is_snapshot }) => is_snapshot);
    const first = chain[Math.max(base, 0)];
    if (first === undefined || chain.at(-1)?.version !== version) return null;
    if (!first.is_snapshot && first.version !== 1) return null;
    if (chain.length - Math.max(base, 0) !== version - first.version + 1) return null;
    let content: VersionContent = NOTHING;
    if (first.is_snapshot) {
      const snapshot = await store.get<VersionContent>(snapshotKey(id, first.version));
      if (snapshot === null) return null;
      content = snapshot.document;
    } else content = applyEntry(content, first);
    for (const entry of chain.slice(Math.max(base, 0) + 1)) content = applyEntry(content, entry);
    return content;
  }

  return {
    async list(at, { page, take, page_token }) {
      const subject = await find(at);
      const { id, version: last } = subject;
      const oldest = oldestKept(last);
      const newest = page_token === undefined ? last - (page - 1) * take : Math.min(last, versionOf(page_token));
      const from = Math.max(oldest, newest - take + 1);
      const stored = await pageOf(id, from, newest);
      const first = "created_by" in subject && from === 1 && stored.length === 0 ? firstEntryOf(subject) : null;
      const found = first === null ? stored : [first];
      const more = from > oldest;
      return {
        items: found.map(({ is_snapshot: _, ...entry }) => entry),
        page,
        take,
        more,
        total: last - oldest + 1,
        ...omitUndefined({ next_page_token: more ? `version_${from - 1}` : undefined }),
      };
    },

    async version(at, version) {
      const subject = await find(at);
      if (subject.version === version && "rule_results" in subject) return views.one(subject);
      const content = version > subject.version ? null : await contentOf(subject.id, version);
      const entry = content === null ? undefined : (await entries(subject.id, version, version))[0];
      if (content === null || entry === undefined || entry.type === "deleted") throw noVersion(subject, version);
      const { id, app_id, collection_id, created_at } = subject;
      const document = { id, app_id, collection_id, version, ...content, created_at, updated_at: entry.when };
      return views.one({ ...document, rule_results: [], evaluation: 0, nesting: NOT_NESTED, unique_keys: [] });
    },
  };
}

/** @throws StepwellError `invalid` */
function versionOf(token: string): number {
  const [, digits] = TOKEN.exec(token) ?? [];
  if (digits !== undefined) return Number(digits);
  throw invalid([
    { in: "query", pointer: "/page_token", message: "Must be the next page token of the previous page." },
  ]);
}

function noVersion({ id, version: last }: Subject, version: number): StepwellError {
  const message = `There is no version ${version} of the record ${JSON.stringify(id)}. Stored versions: ${oldestKept(last)} to ${last}.`;
  return new StepwellError("not_found", message);
}
