/**
 * The history entries that are committed with each write of a record. The first version has no entry of its own until there is
 * a second: it follows from the record. So a record that never changes is one document, and an import writes half as much.
 */
import type { References } from "../../documents/documents.ts";
import type { Change, Document, Key, Store } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { DAY_MS } from "../../time/units.ts";
import type { RecordDocument } from "../records/record.ts";
import type { WriteContext } from "../records/record-changes.ts";
import { recordKey } from "../records/record-rows.ts";
import type { Author } from "../records/writer.ts";
import type { DeletedRecord, HistoryDocument, HistoryEntry, VersionContent } from "./record-history.ts";
import { differenceOf, NOTHING } from "./version-changes.ts";

/** Every version with this distance is stored as a whole, so that reading a version takes a bounded number of entries. */
export const VERSIONS_PER_SNAPSHOT = 50;
/** Minimum number of versions that a record keeps. Later writes delete older ones. */
const KEPT_VERSIONS = 1_000;
/** Milliseconds for which the history of a deleted record can be read. */
const DELETED_RETENTION_MS = 30 * DAY_MS;
/** Documents that one commit deletes. */
const DELETIONS_PER_COMMIT = 200;

export const entryKey = (recordId: string, version: number): Key => `record-change:${recordId}.${version}`;
export const snapshotKey = (recordId: string, version: number): Key => `record-version:${recordId}.${version}`;
export const deletedKey = (recordId: string): Key => `record-deleted:${recordId}`;
/** The deleted records of all apps by the time when their history expires. */
export const FORGOTTEN_LIST = "records.deleted";
export const deletedOf = (collectionId: string) => `records.${collectionId}.deleted`;

/** For repairs: a history belongs to its record, or to what is left of a deleted one. */
const ofRecord = (_: Document, key: string): readonly Key[] => {
  const id = key.slice(key.indexOf(":") + 1, key.lastIndexOf("."));
  return [recordKey(id), deletedKey(id)];
};
export const historyReferences: References = { "record-change": ofRecord, "record-version": ofRecord };

/** Who makes a change, and when. */
export type WriteOrigin = Pick<WriteContext, "author" | "now">;

export interface HistoryWrites {
  /** Empty if the version is the same. */
  update(before: RecordDocument, after: RecordDocument, origin: WriteOrigin): Promise<readonly Change[]>;
  /** The history remains readable for 30 days. */
  deletion(before: RecordDocument, origin: WriteOrigin): Promise<readonly Change[]>;
  /** Deletes the entries of a record up to this version. Can be repeated. */
  forget(recordId: string, version: number): Promise<void>;
}

/** The first version that the history contains when this is the last. */
export function oldestKept(version: number): number {
  return Math.max(1, startOfBlock(version) - KEPT_VERSIONS);
}

/** The last version at or before this one that is stored as a whole. */
export function startOfBlock(version: number): number {
  return version - ((version - 1) % VERSIONS_PER_SNAPSHOT);
}

/** The entry of the first version; null if the record has others, or an earlier release has stored it. */
export function firstEntryOf({ version, created_by, created_at, data, tags }: RecordDocument): HistoryDocument | null {
  if (version > 1 || created_by === undefined) return null;
  return entryOf([NOTHING, { data, tags }], { version, type: "created", who: created_by, when: created_at });
}

function entryOf(
  [before, after]: readonly [VersionContent, VersionContent],
  about: Pick<HistoryEntry, "version" | "type" | "who" | "when">,
): HistoryDocument {
  const { isComplete, ...difference } = differenceOf(before, after);
  const { type, version } = about;
  // The first version follows from its own changes.
  const startsBlock = version === startOfBlock(version) && version > 1;
  return { ...about, ...difference, is_snapshot: type !== "deleted" && (!isComplete || startsBlock) };
}

function entryChanges(recordId: string, entry: HistoryDocument, { data, tags }: VersionContent): readonly Change[] {
  const { version, is_snapshot } = entry;
  const content: VersionContent = { data, tags };
  const snapshot = is_snapshot ? [{ key: snapshotKey(recordId, version), document: content }] : [];
  return [{ key: entryKey(recordId, version), document: entry }, ...snapshot];
}

function firstChanges(document: RecordDocument): readonly Change[] {
  const entry = firstEntryOf(document);
  return entry === null ? [] : entryChanges(document.id, entry, document);
}

export function createHistoryWrites({ store }: { store: Store }): HistoryWrites {
  /** The deletion of a block of versions that are no longer kept once `version` is written. */
  async function expire(recordId: string, version: number): Promise<readonly Change[]> {
    const oldest = oldestKept(version);
    if (version !== startOfBlock(version) || oldest === 1) return [];
    return deletions(recordId, oldest - VERSIONS_PER_SNAPSHOT, oldest);
  }

  /** @param until The first version to keep. */
  async function deletions(recordId: string, from: number, until: number): Promise<Change[]> {
    const versions = Array.from({ length: until - from }, (_, index) => from + index);
    const keys = versions.flatMap((version) => [entryKey(recordId, version), snapshotKey(recordId, version)]);
    const found = await store.getMany(keys);
    return keys.flatMap((key, index) => {
      const stored = found[index];
      return stored ? [{ key, document: null, expected: stored.version }] : [];
    });
  }

  return {
    async update(before, after, { author, now }) {
      if (after.version === before.version) return [];
      const about = { version: after.version, type: "updated", who: inRule(author, before), when: now } as const;
      return [
        ...firstChanges(before),
        ...entryChanges(after.id, entryOf([before, after], about), after),
        ...(await expire(after.id, after.version)),
      ];
    },

    async deletion(before, { author, now }) {
      const { id, app_id, collection_id, created_at } = before;
      const version = before.version + 1;
      const about = { version, type: "deleted", who: inRule(author, before), when: now } as const;
      const expires_at = instant(Date.parse(now) + DELETED_RETENTION_MS);
      const document: DeletedRecord = { id, app_id, collection_id, version, created_at, expires_at };
      const rows = [
        { list: FORGOTTEN_LIST, put: { id, order: expires_at } },
        { list: deletedOf(collection_id), put: { id } },
      ];
      return [
        ...firstChanges(before),
        ...entryChanges(id, entryOf([before, NOTHING], about), NOTHING),
        { key: deletedKey(id), document, rows },
        ...(await expire(id, version)),
      ];
    },

    async forget(recordId, version) {
      // Two documents for each version.
      const step = DELETIONS_PER_COMMIT / 2;
      for (let from = oldestKept(version); from <= version; from += step) {
        const changes = await deletions(recordId, from, Math.min(from + step, version + 1));
        if (changes.length > 0) await store.commit(changes);
      }
    },
  };
}

/** The author, with the rule of this record that its run executes. */
function inRule(author: Author, { rule_results }: RecordDocument): Author {
  if (author.type !== "step") return author;
  const rule = rule_results.find(({ run_id }) => run_id === author.run_id);
  return { ...author, rule_key: rule?.key ?? null };
}
