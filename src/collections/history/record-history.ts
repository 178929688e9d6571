/** The history of a record: an entry for each change of its data or tags, its creation and its deletion. */
import * as v from "valibot";
import { pageQuery, tokenQuery, wholeNumber } from "../../documents/pagination.ts";
import type { JsonValue } from "../../json.ts";
import { jsonValue, list, strictObject } from "../../schema.ts";
import type { RecordData } from "../records/record.ts";
import { Author } from "../records/writer.ts";

export const HistoryQuery = strictObject({ ...pageQuery, ...tokenQuery });
export interface HistoryQuery extends v.InferOutput<typeof HistoryQuery> {}

export const RecordQueryOne = strictObject({
  /** Version to return instead of the current one. */
  version: v.exactOptional(wholeNumber(1, 999_999_999_999_999)),
});
export interface RecordQueryOne extends v.InferOutput<typeof RecordQueryOne> {}

const FieldChange = v.object({
  /** `entity:field` */
  path: v.string(),
  /** Value before the change; null if there was none. Absent if it is too large for the history. */
  before: v.exactOptional(jsonValue),
  /** Value after the change; null if there is none. Absent if it is too large for the history. */
  after: v.exactOptional(jsonValue),
});
/** A field that changed. A value that is longer than 4,096 characters of JSON is absent. */
export interface FieldChange extends Readonly<v.InferOutput<typeof FieldChange>> {
  /** Value before the change; null if there was none. */
  readonly before?: JsonValue;
  /** Value after the change; null if there is none. */
  readonly after?: JsonValue;
}

export const HistoryEntry = v.object({
  /** Version of the record after the change. A deletion counts as one. */
  version: v.number(),
  /** Kind of the change. */
  type: v.picklist(["created", "updated", "deleted"]),
  /** Who made the change. */
  who: Author,
  /** ISO 8601. */
  when: v.string(),
  /** The fields that changed. */
  changes: list(FieldChange),
  /** Whether more fields changed than `changes` contains. */
  changes_truncated: v.boolean(),
  /** Ids of the tags before and after the change; null if they did not change. */
  tags: v.nullable(
    v.object({
      /** Ids before the change. */
      before: list(v.string()),
      /** Ids after the change. */
      after: list(v.string()),
    }),
  ),
});
/** A change of a record. */
export interface HistoryEntry extends Readonly<v.InferOutput<typeof HistoryEntry>> {
  /** Who made the change. */
  readonly who: Author;
  /** The fields that changed, with at most 64 KiB of paths and values. */
  readonly changes: readonly FieldChange[];
}

/** What a version of a record contains. */
export interface VersionContent {
  readonly data: RecordData;
  readonly tags: readonly string[];
}

/** An entry as stored. */
export interface HistoryDocument extends HistoryEntry {
  /** Whether the version is stored as a whole: if the changes are incomplete, or to limit the entries to read. */
  readonly is_snapshot: boolean;
}

/** The deletion of a record. It refers to the history until that expires. */
export interface DeletedRecord {
  readonly id: string;
  readonly app_id: string;
  readonly collection_id: string;
  /** Version of the deletion. */
  readonly version: number;
  readonly created_at: string;
  /** ISO 8601. Then the history is deleted. */
  readonly expires_at: string;
}
