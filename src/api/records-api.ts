/** The functions of `stepwell.records`. */
import type * as v from "valibot";
import type { BulkResult, RecordOperationInput } from "../collections/bulk/record-operation.ts";
import type { RecordsEvaluate as RecordsEvaluateSchema } from "../collections/evaluation/evaluate-records.ts";
import type { HistoryEntry } from "../collections/history/record-history.ts";
import type {
  CollectionRecord,
  RecordCreate as RecordCreateSchema,
  RecordUpdate as RecordUpdateSchema,
  RecordUpsert as RecordUpsertSchema,
} from "../collections/records/record.ts";
import type { Page } from "../documents/pagination.ts";
import type { Job } from "../jobs/job.ts";
import type {
  HistoryOptions,
  RecordExportOptions,
  RecordImportOptions,
  RecordListOptions,
  RecordRemovalOptions,
  RecordVersionOptions,
} from "./list-options.ts";
import type { WithData } from "./typed/typed-data.ts";

/** A new record. */
export interface RecordCreate extends v.InferInput<typeof RecordCreateSchema> {}
/** Changes to a record. Omitted fields keep their values; null deletes a field or an entity. */
export interface RecordUpdate extends v.InferInput<typeof RecordUpdateSchema> {}
/** The record with `value` at `path`, and the changes to it. */
export interface RecordUpsert extends v.InferInput<typeof RecordUpsertSchema> {}
/** The records to evaluate: those that meet all conditions, or those with the given ids. @default all records */
export interface RecordsEvaluate extends v.InferInput<typeof RecordsEvaluateSchema> {}

/** The functions that write data, as they are implemented: with data whose type has an index signature. */
interface DataWriters {
  create(appId: string, collectionId: string, input: RecordCreate): Promise<CollectionRecord>;
  upsert(appId: string, collectionId: string, input: RecordUpsert): Promise<CollectionRecord>;
  update(appId: string, collectionId: string, recordId: string, input: RecordUpdate): Promise<CollectionRecord>;
}
/** {@link RecordsApi}, as it is implemented. */
export type RecordFunctions = Omit<RecordsApi, keyof DataWriters> & DataWriters;

/**
 * Writing a record copies its fields according to the mappings of the collection, and runs its rules. The functions wait
 * 10 seconds for the rules; the results of slower rules are `PENDING`.
 */
export interface RecordsApi {
  /**
   * Creates a record.
   * @throws StepwellError `invalid`, including for unknown tags and files; `too_large` for a record beyond its limits
   * @example
   * ```ts
   * const record = await stepwell.records.create(app.id, collection.id, { data: { loan: { amount: 250_000 } } });
   * console.log(record.rule_results.map(({ key, result }) => `${key}: ${result}`));
   * ```
   */
  create<Data extends object>(
    appId: string,
    collectionId: string,
    input: WithData<RecordCreate, Data>,
  ): Promise<CollectionRecord>;
  /** Lists the records of a collection. */
  list(appId: string, collectionId: string, options?: RecordListOptions): Promise<Page<CollectionRecord>>;
  /**
   * Updates the record that has a value in a field, or creates it. Concurrent calls with the same value create one record.
   * @throws StepwellError as {@link create}; `conflict` if another call changed the record meanwhile
   */
  upsert<Data extends object>(
    appId: string,
    collectionId: string,
    input: WithData<RecordUpsert, Data, null>,
  ): Promise<CollectionRecord>;
  /**
   * Returns a record with the results of its rules, or an earlier version of it without them.
   * @throws StepwellError `not_found`, including for a version that is no longer stored: a record keeps at least its last 1,000
   * versions
   */
  get(appId: string, collectionId: string, recordId: string, options?: RecordVersionOptions): Promise<CollectionRecord>;
  /**
   * Lists the changes of the data and tags of a record, newest first, with its creation and deletion. The history of a
   * deleted record can be read for 30 days.
   */
  history(appId: string, collectionId: string, recordId: string, options?: HistoryOptions): Promise<Page<HistoryEntry>>;
  /**
   * Changes fields and tags of a record.
   * @throws StepwellError as {@link create}; `precondition_failed` if the record does not have `expected_version`
   */
  update<Data extends object>(
    appId: string,
    collectionId: string,
    recordId: string,
    input: WithData<RecordUpdate, Data, null>,
  ): Promise<CollectionRecord>;
  /**
   * Executes up to 1,000 operations, each in a commit of its own: `create`, `update` and `upsert`, in this order as far as
   * they concern the same record. A failed operation does not stop the others. Does not wait for rules.
   * @example
   * ```ts
   * const { outcomes } = await stepwell.records.bulk(app.id, collection.id, {
   *   operations: [{ op: "upsert", path: "loan:number", value: "A-7", data: { loan: { amount: 90_000 } } }],
   * });
   * console.log(outcomes.map(({ index, status }) => `${index}: ${status}`));
   * ```
   */
  bulk(appId: string, collectionId: string, input: { operations: RecordOperationInput[] }): Promise<BulkResult>;
  /**
   * Imports CSV (RFC 4180) or lines of JSON as a job. Each row creates a record, or with `key` changes the one that has the
   * row's value in this field. The report of the job has the rows that failed, by line. Rules run, but the job does not wait
   * for them.
   *
   * The header of CSV names a field for each column, as `entity:field`. A cell that is a number, true, false, null, or a list,
   * object or string in JSON has that value; other cells are text. An empty cell says nothing about its field. A line of
   * JSON has `data` and optionally `tags`.
   * @throws StepwellError `too_large` above 100 MiB; `malformed` for bytes that are invalid in the charset;
   * `too_many_requests` if 20 jobs of the app are running. Rejects with what the body throws, and with the reason of `signal`.
   * @example
   * ```ts
   * const job = await stepwell.records.import(app.id, collection.id, "loan:number,loan:amount\nA-7,90000\n", {
   *   key: "loan:number",
   * });
   * ```
   */
  import(
    appId: string,
    collectionId: string,
    body: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: RecordImportOptions,
  ): Promise<Job>;
  /**
   * Exports records as they are now, oldest first, in a form that `import` reads without loss. In CSV, text that a spreadsheet
   * would execute as a formula begins with an apostrophe, which `import` removes. Tags, and records without fields, are only in
   * lines of JSON. In CSV, a change during the export may show only in the columns that existed when it began. Records that
   * refer to deleted files are not imported again.
   * @throws StepwellError `invalid` if the records have more than 10,000 different fields, too many for CSV
   */
  export(appId: string, collectionId: string, options?: RecordExportOptions): Promise<ReadableStream<Uint8Array>>;
  /** Runs the rules again on the record as it is. */
  evaluate(appId: string, collectionId: string, recordId: string): Promise<CollectionRecord>;
  /**
   * Runs the rules again on all records or some, as a job. It waits for the rules of a record before it counts the record as
   * done. Its report has the records on which a rule gave `ERROR`.
   * @throws StepwellError `too_many_requests` if 20 jobs of the app are running
   */
  evaluateMany(appId: string, collectionId: string, input?: RecordsEvaluate): Promise<Job>;
  /**
   * Deletes a record. Runs of its rules continue.
   * @throws StepwellError `precondition_failed` if the record does not have `expected_version`
   */
  remove(appId: string, collectionId: string, recordId: string, options?: RecordRemovalOptions): Promise<void>;
}
