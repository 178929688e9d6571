/** A record of a collection: fields by entity, tags, and the results of the rules. */
import * as v from "valibot";
import { wholeNumber as versionInQuery } from "../../documents/pagination.ts";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { isRecord, type JsonValue, jsonProblem, MAX_DEPTH } from "../../json.ts";
import type { Key } from "../../ports/store.ts";
import type { Nesting } from "../../runs/run-executor.ts";
import { jsonValue, list, map, strictObject, wholeNumber } from "../../schema.ts";
import { FieldPath } from "../mapping.ts";
import { Tag, TagIds } from "../tag.ts";
import { checkWholeFirst } from "./check-whole-first.ts";
import { withoutShownFiles } from "./files/file-references.ts";
import type { Author } from "./writer.ts";

/** Bytes of the data of one record as JSON, after the mappings. */
export const MAX_RECORD_BYTES = MEBIBYTE;
/**
 * Fields of all entities of one record together, after the mappings. Each is an entry of the index that `upsert`
 * searches.
 */
export const MAX_FIELDS = 10_000;
/** Levels of nesting that are reserved for values that contain a record, such as a list in the output of a step. */
const LEVELS_AROUND = 10;

/** The name of an entity or a field: one side of the colon in a path. */
const name = v.pipe(
  v.string(),
  v.maxLength(512, "Must have at most 512 characters."),
  v.check(
    (text) => text !== "" && text === text.trim() && !text.includes(":"),
    'Must not be empty, contain ":", or start or end with white space.',
  ),
);

const fields = map(v.pipe(jsonValue, v.transform(withoutShownFiles)), name);
const TOO_DEEP = `Must not be nested deeper than ${MAX_DEPTH - LEVELS_AROUND} levels.`;
const isShallow = (data: object) =>
  jsonProblem(Array.from({ length: LEVELS_AROUND }).reduce<object>((inner) => [inner], data)) === null;

/** Counts the fields of all entities. Values that are not entities have none. */
export function countFields(data: unknown): number {
  const entities = isRecord(data) ? Object.values(data) : [];
  return entities.reduce<number>((sum, fields) => sum + (isRecord(fields) ? Object.keys(fields).length : 0), 0);
}

export const tooManyFields = (fields: number) =>
  `Must have at most ${MAX_FIELDS} fields. It has ${fields}, including the fields that mappings write.`;

const TOO_MANY_FIELDS = `Must have at most ${MAX_FIELDS} fields.`;
/** Limits entities to the same number: each has a field, except one that a patch deletes. */
const isWithinFieldLimit = (data: unknown) =>
  !isRecord(data) || (countFields(data) <= MAX_FIELDS && Object.keys(data).length <= MAX_FIELDS);

/** Values by entity and field. Null means no value and is not stored. `{ file_id }` refers to a file. */
const data = v.pipe(
  checkWholeFirst(map(fields, name), isWithinFieldLimit, TOO_MANY_FIELDS),
  v.check((given) => isShallow(given), TOO_DEEP),
);
/** Replaces fields; null deletes a field or a whole entity. */
const dataPatch = v.pipe(
  checkWholeFirst(map(v.nullable(fields), name), isWithinFieldLimit, TOO_MANY_FIELDS),
  v.check((given) => isShallow(given), TOO_DEEP),
);
/** Values by entity and field. */
export type RecordData = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
export type RecordPatch = Readonly<Record<string, Readonly<Record<string, JsonValue>> | null>>;

export const RecordCreate = strictObject({
  /**
   * Values by entity and field, at most 10,000 fields and 1 MiB of JSON. Null means no value. `{ file_id: "afile_…" }`
   * refers to a file of the app, at any level, at most 100 times.
   * @default {}
   */
  data: v.exactOptional(data, () => ({})),
  /** Ids of tags, at most 100. @default [] */
  tags: v.exactOptional(TagIds, () => []),
  /**
   * Idempotency key, 1 to 1,024 characters: calls with the same key return the same record until you delete it.
   * @default none: each call creates a record
   */
  key: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(1_024))),
});
export interface RecordCreate extends v.InferOutput<typeof RecordCreate> {}

export const RecordUpdate = strictObject({
  /** Values to write, by entity and field. Null deletes a field or an entity; omitted fields keep their values. */
  data: v.exactOptional(dataPatch),
  /** Ids of tags that replace the stored ones, at most 100. */
  tags: v.exactOptional(TagIds),
  /** Version that the record must have; otherwise the call rejects with `precondition_failed`. @default any version */
  expected_version: v.exactOptional(wholeNumber(0)),
});
export interface RecordUpdate extends v.InferOutput<typeof RecordUpdate> {}

export const RecordRemoval = strictObject({
  /** Version that the record must have; otherwise the call rejects with `precondition_failed`. @default any version */
  expected_version: v.exactOptional(versionInQuery(0, Number.MAX_SAFE_INTEGER)),
});

const UPSERT_VALUE = "Must be a string of at most 1024 characters, a number or a boolean.";

export const RecordUpsert = strictObject({
  /** Field to search, as `entity:field`. */
  path: FieldPath,
  /** Value that identifies the record: a string of at most 1,024 characters, a number or a boolean. */
  value: v.union([v.pipe(v.string(), v.maxLength(1_024, UPSERT_VALUE)), v.number(), v.boolean()], UPSERT_VALUE),
  /** Values to write, by entity and field. Null deletes a field or an entity. @default {} */
  data: v.exactOptional(dataPatch, () => ({})),
  /** Ids of tags that replace the stored ones, at most 100. */
  tags: v.exactOptional(TagIds),
});
export interface RecordUpsert extends v.InferOutput<typeof RecordUpsert> {}

/** `PENDING`: the rule has not finished. `ERROR`: its workflow failed. */
export const RULE_OUTCOMES = ["PENDING", "PASS", "WARN", "FAIL", "ERROR"] as const;

export const RuleResult = v.object({
  /** Key of the rule. */
  key: v.string(),
  /** Name of the rule. */
  name: v.string(),
  /** Result: `PENDING` until the rule has finished, `ERROR` if its workflow failed. */
  result: v.picklist(RULE_OUTCOMES),
  /** Run of the workflow; null if there is none. */
  run_id: v.nullable(v.string()),
  /** Why the result is `ERROR`, or null. */
  error: v.nullable(
    v.object({
      /** Error code of the run, such as `timeout`. */
      code: v.string(),
      /** What went wrong, at most 4,000 characters. */
      message: v.string(),
    }),
  ),
  /** When the run of the workflow started, ISO 8601, or null. */
  started_at: v.nullable(v.string()),
  /** When the result was known, ISO 8601, or null. */
  finished_at: v.nullable(v.string()),
});
/** The result of a rule for a record. */
export interface RuleResult extends Readonly<v.InferOutput<typeof RuleResult>> {}

export const CollectionRecord = v.object({
  /** `rec_…` */
  id: v.string(),
  /** Collection that the record belongs to. */
  collection_id: v.string(),
  /** Version of the record: 1 at first, plus 1 with each change of the data or tags. */
  version: v.number(),
  /** Values by entity and field. References to files have `file`. */
  data: map(map(jsonValue)),
  /** Tags of the record. */
  tags: list(Tag),
  /** Results of the enabled rules, in the order in which they run. */
  rule_results: list(RuleResult),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601. */
  updated_at: v.string(),
});
/** A record of a collection, with the results of its rules. */
export interface CollectionRecord extends Readonly<Omit<v.InferOutput<typeof CollectionRecord>, "data">> {
  /**
   * Values by entity and field. A reference to a file has `file` beside `file_id`: its id, name, size, mime_type and
   * sha256, or null if the file was deleted.
   */
  readonly data: RecordData;
  /** Tags of the record. */
  readonly tags: readonly Tag[];
  /** Results of the enabled rules, in the order in which they run. */
  readonly rule_results: readonly RuleResult[];
}

/** The result of a rule as stored. */
export interface StoredResult extends RuleResult {
  /** Digest of the rule and its values, for a rule with `when` (`rule-basis.ts`). Absent for others. */
  readonly basis?: string;
  /**
   * Where its run is nested, or its descendants: the topmost run, and the number of runs above. Absent without a run.
   */
  readonly nesting?: Nesting;
  /** Run for an earlier version of the record, to be canceled before the rule runs. */
  readonly superseded_run_id?: string;
}

/** A record as stored. */
export interface RecordDocument extends Omit<CollectionRecord, "tags" | "rule_results"> {
  readonly app_id: string;
  readonly tags: readonly string[];
  readonly rule_results: readonly StoredResult[];
  /** Number of the evaluation that the results belong to. Each evaluation adds 1. */
  readonly evaluation: number;
  /** Where the write is nested that led to this evaluation. */
  readonly nesting: Nesting;
  /** Keys of the documents of its unique keys, which are deleted with the record. */
  readonly unique_keys: readonly Key[];
  /**
   * Who created it. The history entry of the first version follows from this. Absent in records of earlier releases.
   */
  readonly created_by?: Author;
}

export function isPending({ rule_results }: Pick<RecordDocument, "rule_results">): boolean {
  return rule_results.some(({ result }) => result === "PENDING");
}
