/** A record of a collection: fields by entity, tags, and what the rules made of it. */
import * as v from "valibot";
import { pageQuery, searchQuery, tokenQuery } from "../../documents/pagination.ts";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { isRecord, type JsonValue, jsonProblem, MAX_DEPTH } from "../../json.ts";
import type { Key } from "../../ports/store.ts";
import { jsonValue, list, map, strictObject, wholeNumber } from "../../schema.ts";
import { FieldPath } from "../mapping.ts";
import { Tag, TagIds, tagsQuery } from "../tag.ts";
import { checkWholeFirst } from "./check-whole-first.ts";

/** Bytes of the data of one record as JSON, after the mappings. */
export const MAX_RECORD_BYTES = MEBIBYTE;
/**
 * Fields of all entities of one record together, after the mappings. Each is an entry
 * of the index by which `upsert` finds the record.
 */
export const MAX_FIELDS = 10_000;
/** Levels that are left for what records stand in: runs, lists in the outputs of steps. */
const LEVELS_AROUND = 10;

/** What can stand on one side of the colon of a path. */
const name = v.pipe(
  v.string(),
  v.maxLength(512, "Must have at most 512 characters."),
  v.check(
    (text) => text !== "" && text === text.trim() && !text.includes(":"),
    'Must not be empty, contain ":", or start or end with white space.',
  ),
);

const fields = map(jsonValue, name);
const TOO_DEEP = `Must not be nested deeper than ${MAX_DEPTH - LEVELS_AROUND} levels.`;
const isShallow = (data: object) =>
  jsonProblem(Array.from({ length: LEVELS_AROUND }).reduce<object>((inner) => [inner], data)) === null;

/** Fields of all entities; of what is no entity, none. */
export function countFields(data: unknown): number {
  const entities = isRecord(data) ? Object.values(data) : [];
  return entities.reduce<number>((sum, fields) => sum + (isRecord(fields) ? Object.keys(fields).length : 0), 0);
}

export const tooManyFields = (fields: number) =>
  `Must have at most ${MAX_FIELDS} fields. It has ${fields}, including the fields that mappings write.`;

const TOO_MANY_FIELDS = `Must have at most ${MAX_FIELDS} fields.`;
/** As many entities may be there as fields: none is without one, but where it is given to be taken away. */
const isWithinFieldLimit = (data: unknown) =>
  !isRecord(data) || (countFields(data) <= MAX_FIELDS && Object.keys(data).length <= MAX_FIELDS);

/** Values by entity and field, at most {@link MAX_FIELDS}. Null is the same as no value, and is not kept. */
const data = v.pipe(
  checkWholeFirst(map(fields, name), isWithinFieldLimit, TOO_MANY_FIELDS),
  v.check((given) => isShallow(given), TOO_DEEP),
);
/** What is given is put in the place of what is there; null takes it away, a field or a whole entity. */
const dataPatch = v.pipe(
  checkWholeFirst(map(v.nullable(fields), name), isWithinFieldLimit, TOO_MANY_FIELDS),
  v.check((given) => isShallow(given), TOO_DEEP),
);
export type RecordData = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
export type RecordPatch = Readonly<Record<string, Readonly<Record<string, JsonValue>> | null>>;

export const RecordCreate = strictObject({
  data: v.exactOptional(data, () => ({})),
  tags: v.exactOptional(TagIds, () => []),
  /** What the record is made for: the same key gives the same record, as long as that is there. Left out, a new one. */
  key: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(1_024))),
});
export interface RecordCreate extends v.InferOutput<typeof RecordCreate> {}

export const RecordUpdate = strictObject({
  data: v.exactOptional(dataPatch),
  tags: v.exactOptional(TagIds),
  /** Refuses the change with `precondition_failed` where the record has another version by now. */
  expected_version: v.exactOptional(wholeNumber(0)),
});
export interface RecordUpdate extends v.InferOutput<typeof RecordUpdate> {}

const UPSERT_VALUE = "Must be a string of at most 1024 characters, a number or a boolean.";

export const RecordUpsert = strictObject({
  /** The record that has this value here is changed; where there is none, one is created. */
  path: FieldPath,
  value: v.union([v.pipe(v.string(), v.maxLength(1_024, UPSERT_VALUE)), v.number(), v.boolean()], UPSERT_VALUE),
  data: v.exactOptional(dataPatch, () => ({})),
  tags: v.exactOptional(TagIds),
});
export interface RecordUpsert extends v.InferOutput<typeof RecordUpsert> {}

export const RecordQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  ...searchQuery,
  ...tagsQuery,
});
export interface RecordQuery extends v.InferOutput<typeof RecordQuery> {}

/** PENDING: not known yet. ERROR: the workflow of the rule gave no answer. */
export const RULE_OUTCOMES = ["PENDING", "PASS", "WARN", "FAIL", "ERROR"] as const;

export const RuleResult = v.object({
  /** Of the rule. */
  key: v.string(),
  name: v.string(),
  result: v.picklist(RULE_OUTCOMES),
  /** The run of its workflow; null where there is none. */
  run_id: v.nullable(v.string()),
  /** Why there is an ERROR. */
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  /** When its workflow was started, and when its answer came: ISO 8601. */
  started_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
});
export interface RuleResult extends Readonly<v.InferOutput<typeof RuleResult>> {
  readonly error: { readonly code: string; readonly message: string } | null;
}

export const CollectionRecord = v.object({
  /** `rec_…` */
  id: v.string(),
  collection_id: v.string(),
  /** Starts at 1 and grows by 1 with each change of the data or tags. */
  version: v.number(),
  data: map(map(jsonValue)),
  tags: list(Tag),
  /** Of the rules that were not disabled when it was last written or evaluated, in their order. */
  rule_results: list(RuleResult),
  /** ISO 8601. */
  created_at: v.string(),
  updated_at: v.string(),
});
export interface CollectionRecord extends Readonly<Omit<v.InferOutput<typeof CollectionRecord>, "data">> {
  readonly data: RecordData;
  readonly tags: Tag[];
  readonly rule_results: RuleResult[];
}

/** As stored. */
export interface RecordDocument extends Omit<CollectionRecord, "tags" | "rule_results"> {
  readonly app_id: string;
  readonly tags: readonly string[];
  readonly rule_results: readonly RuleResult[];
  /** Which evaluation the results are of: grows with each. */
  readonly evaluation: number;
  /** How many runs within runs have led to this evaluation. */
  readonly depth: number;
  /** Documents by which it is found again; they go with it. */
  readonly claims: readonly Key[];
}

export function isPending({ rule_results }: Pick<RecordDocument, "rule_results">): boolean {
  return rule_results.some(({ result }) => result === "PENDING");
}
