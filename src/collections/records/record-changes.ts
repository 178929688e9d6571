/** Computes the record after a write: applies mappings, checks limits, resets rule results. Pure. */
import { StepwellError } from "../../errors.ts";
import { minJsonLength } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { DerivedChange } from "../../ports/store.ts";
import type { CollectionDocument } from "../collection.ts";
import { applyMappings } from "./apply-mappings.ts";
import { checkFileCount } from "./files/check-files.ts";
import { findReferences } from "./files/file-references.ts";
import {
  countFields,
  MAX_FIELDS,
  MAX_RECORD_BYTES,
  type RecordData,
  type RecordDocument,
  type RecordPatch,
  type RecordUpsert,
  tooManyFields,
} from "./record.ts";
import { parsePath, valueAt } from "./record-data.ts";
import { createBasisOf } from "./rules/rule-basis.ts";
import { pendingResults, resultsAfterChange, resultsAfterReset } from "./rules/rule-result.ts";
import type { Writer } from "./writer.ts";

/** Changes to the data and tags of a record. */
export interface RecordChange {
  readonly data?: RecordPatch | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface WriteContext extends Writer {
  readonly collection: Pick<CollectionDocument, "id" | "app_id" | "config" | "indexes">;
  /** Commit these with the record: they reject what was decided before the collection got other indexes. */
  readonly guards: readonly DerivedChange[];
  /** ISO 8601. */
  readonly now: string;
  /** Returns the digest of a text. */
  readonly sha256: (text: string) => string;
}

type NewRecord = Pick<RecordDocument, "id" | "unique_keys">;

/** @throws StepwellError `too_large` */
export function createRecord(
  { id, unique_keys }: NewRecord,
  change: RecordChange,
  context: WriteContext,
): RecordDocument {
  const { author, collection, nesting, now } = context;
  const nothing: RecordDocument = {
    id,
    app_id: collection.app_id,
    collection_id: collection.id,
    version: 1,
    data: {},
    tags: [],
    rule_results: [],
    evaluation: 1,
    nesting,
    unique_keys,
    created_by: author,
    created_at: now,
    updated_at: now,
  };
  return { ...nothing, ...contentOf(nothing, change, context), rule_results: pendingResults(collection.config.rules) };
}

/**
 * The record after a change. Returns the same object if nothing changes; no rule runs then. So a rule that writes the
 * same values again does not trigger itself forever. A rule with `when` keeps its result until it is due.
 * @throws StepwellError `too_large`
 */
export function applyChange(before: RecordDocument, change: RecordChange, context: WriteContext): RecordDocument {
  const content = contentOf(before, change, context);
  if (JSON.stringify([content.data, content.tags]) === JSON.stringify([before.data, before.tags])) return before;
  const changed = { ...before, ...content, version: before.version + 1, updated_at: context.now };
  const basisOf = createBasisOf(changed.data, context.sha256);
  const { rules } = context.collection.config;
  return evaluated(changed, resultsAfterChange(before.rule_results, rules, context.nesting, basisOf), context);
}

/** The record with all rules pending, including those that are not due. */
export function reevaluate(before: RecordDocument, context: WriteContext): RecordDocument {
  const { rules } = context.collection.config;
  return evaluated(before, resultsAfterReset(before.rule_results, rules, context.nesting), context);
}

function evaluated(
  before: RecordDocument,
  rule_results: RecordDocument["rule_results"],
  { nesting }: WriteContext,
): RecordDocument {
  return { ...before, rule_results, evaluation: before.evaluation + 1, nesting };
}

function contentOf(before: RecordDocument, change: RecordChange, { collection }: WriteContext) {
  const data = applyMappings(before.data, change.data ?? {}, collection.config.mappings);
  checkSize(data);
  checkFileCount(findReferences(data));
  return { data, tags: change.tags === undefined ? before.tags : [...new Set(change.tags)] };
}

/** Checks the size before serializing, because a mapping may copy a large value to thousands of fields. */
function checkSize(data: RecordData): void {
  const fields = countFields(data);
  if (fields > MAX_FIELDS) throw invalid([{ pointer: "/data", message: tooManyFields(fields) }]);
  const isLarge =
    minJsonLength(data, MAX_RECORD_BYTES) > MAX_RECORD_BYTES ||
    new TextEncoder().encode(JSON.stringify(data)).length > MAX_RECORD_BYTES;
  if (!isLarge) return;
  const message = `The record would exceed ${MAX_RECORD_BYTES} bytes of JSON, including the values that mappings copy.`;
  throw new StepwellError("too_large", message);
}

/** The change of an upsert, including the value that identifies the record. */
export function upsertChange({ path, value, data, tags }: RecordUpsert): RecordChange {
  const [entity, field] = parsePath(path);
  const fields = Object.hasOwn(data, entity) ? data[entity] : {};
  const given = fields !== undefined && fields !== null && Object.hasOwn(fields, field) ? fields[field] : value;
  if (fields === null || given !== value) {
    const message = `Must equal the value that the record is looked up by, ${JSON.stringify(value)}, or be omitted.`;
    throw invalid([{ pointer: `/data/${entity}${fields === null ? "" : `/${field}`}`, message }]);
  }
  return { data: { ...data, [entity]: { ...fields, [field]: value } }, tags };
}

/** @throws StepwellError `invalid` if the record could not be found by this value again */
export function checkFindable({ data }: RecordDocument, { path, value }: RecordUpsert): void {
  if (valueAt(data, path) === value) return;
  const message = `A mapping of the collection overwrites ${JSON.stringify(path)}, so a record cannot be looked up by it.`;
  throw invalid([{ pointer: "/path", message }]);
}
