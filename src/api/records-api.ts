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
import type { AllOptions } from "./list-options.ts";
import type {
  HistoryOptions,
  RecordExportOptions,
  RecordImportOptions,
  RecordListOptions,
  RecordRemovalOptions,
  RecordVersionOptions,
} from "./record-options.ts";
import type { WithData } from "./typed/typed-data.ts";

/**
 * A new record.
 * @example { "data": { "loan": { "amount": 250000 } } }
 */
export interface RecordCreate extends v.InferInput<typeof RecordCreateSchema> {}
/** Changes to a record. Omitted fields keep their values; null deletes a field or an entity. */
export interface RecordUpdate extends v.InferInput<typeof RecordUpdateSchema> {}
/**
 * The record with `value` at `path`, and the changes to it.
 * @example { "path": "loan:number", "value": "A-7", "data": { "loan": { "amount": 250000 } } }
 */
export interface RecordUpsert extends v.InferInput<typeof RecordUpsertSchema> {}
/** The records to evaluate: those that meet all conditions, or those with the given ids. @default all records */
export interface RecordsEvaluate extends v.InferInput<typeof RecordsEvaluateSchema> {}

/** The writing functions as implemented: their data has an index signature. */
interface DataWriters {
  /** Creates a record. */
  create(appId: string, collectionId: string, input: RecordCreate): Promise<CollectionRecord>;
  /** Creates a record, or updates the one with `value` at `path`. */
  upsert(appId: string, collectionId: string, input: RecordUpsert): Promise<CollectionRecord>;
  /** Updates a record. */
  update(appId: string, collectionId: string, recordId: string, input: RecordUpdate): Promise<CollectionRecord>;
}
/** {@link RecordsApi}, as it is implemented. */
export type RecordFunctions = Omit<RecordsApi, keyof DataWriters> & DataWriters;

/**
 * Records of collections. Writing a record applies the mappings of the collection and runs its rules. The functions
 * wait up to 10 seconds for the rules; slower rules have the result `PENDING`.
 */
export interface RecordsApi {
  /**
   * Creates a record.
   * @throws StepwellError `invalid`, including for unknown tags and files; `too_large` for a record above 1 MiB of JSON
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
  /** Lists the records of a collection, newest first unless `sort` is set. */
  list(appId: string, collectionId: string, options?: RecordListOptions): Promise<Page<CollectionRecord>>;
  /**
   * Iterates over all records, as {@link list} lists them, page by page.
   * @example
   * ```ts
   * const filter: RecordFilter[] = [{ field: "loan:amount", op: "gte", value: 100_000 }];
   * for await (const { id, data } of stepwell.records.listAll(app.id, collection.id, { filter })) console.log(id, data);
   * ```
   */
  listAll(
    appId: string,
    collectionId: string,
    options?: AllOptions<RecordListOptions>,
  ): AsyncIterable<CollectionRecord>;
  /**
   * Updates the record that has a value in a field, or creates it. Concurrent calls with the same value create one
   * record.
   * @throws StepwellError as {@link create}; `conflict` if another call changed the record at the same time
   */
  upsert<Data extends object>(
    appId: string,
    collectionId: string,
    input: WithData<RecordUpsert, Data, null>,
  ): Promise<CollectionRecord>;
  /**
   * Returns a record with the results of its rules, or an earlier version of it without them.
   * @throws StepwellError `not_found`, including for a version that is no longer stored; Stepwell keeps at least the
   * last 1,000 versions of a record
   */
  get(appId: string, collectionId: string, recordId: string, options?: RecordVersionOptions): Promise<CollectionRecord>;
  /**
   * Lists the changes to the data and tags of a record, newest first, including its creation and deletion. The history
   * of a deleted record stays readable for 30 days.
   */
  history(appId: string, collectionId: string, recordId: string, options?: HistoryOptions): Promise<Page<HistoryEntry>>;
  /** Iterates over all changes of a record, as {@link history} lists them, page by page. */
  allHistory(
    appId: string,
    collectionId: string,
    recordId: string,
    options?: AllOptions<HistoryOptions>,
  ): AsyncIterable<HistoryEntry>;
  /**
   * Updates fields and tags of a record. Omitted fields keep their values; `null` removes a field.
   * @throws StepwellError as {@link create}; `precondition_failed` if its version is not `expected_version`
   */
  update<Data extends object>(
    appId: string,
    collectionId: string,
    recordId: string,
    input: WithData<RecordUpdate, Data, null>,
  ): Promise<CollectionRecord>;
  /**
   * Executes up to 1,000 `create`, `update` and `upsert` operations, each in its own commit. Operations on the same
   * record keep their order. A failed operation does not stop the others. Does not wait for rules.
   * @example
   * ```ts
   * const { outcomes } = await stepwell.records.bulk(app.id, collection.id, {
   *   operations: [{ op: "upsert", path: "loan:number", value: "A-7", data: { loan: { amount: 90_000 } } }],
   * });
   * console.log(outcomes.map(({ index, status }) => `${index}: ${status}`));
   * ```
   */
  bulk(
    appId: string,
    collectionId: string,
    input: {
      /** Operations to execute, at most 1,000. */
      operations: RecordOperationInput[];
    },
  ): Promise<BulkResult>;
  /**
   * Imports CSV (RFC 4180) or JSON Lines as a job. Each row creates a record or, with `key`, updates the record that
   * has the row's value in this field. The report of the job lists the rows that failed, by line. Rules run, but the
   * job does not wait for them.
   *
   * The CSV header names the field of each column, as `entity:field`, unless `columns` names them. A cell that is a number, true, false, null, or a
   * JSON list, object or string has that value. Any other cell is text, and so is a number that would lose digits. An
   * empty cell leaves its field unchanged. Each JSON line is an object with `data` and optional `tags`.
   * @throws StepwellError `too_large` above 100 MiB; `malformed` for bytes that are invalid in the charset;
   * `too_many_requests` if 20 jobs of the app are running. Also rejects with an error of the body, and with the reason
   * of `signal`.
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
   * Exports records, oldest first, in a format that `import` reads without loss. In CSV, an apostrophe precedes text
   * that a spreadsheet would execute as a formula; `import` removes it. CSV omits tags, records without fields, and
   * fields that appear during the export; JSON Lines contain them. You cannot import records again that refer to
   * deleted files.
   * @throws StepwellError `invalid` for CSV if the records have more than 10,000 different fields
   */
  export(appId: string, collectionId: string, options?: RecordExportOptions): Promise<ReadableStream<Uint8Array>>;
  /** Runs the rules on a record again, without changing it. */
  evaluate(appId: string, collectionId: string, recordId: string): Promise<CollectionRecord>;
  /**
   * Runs the rules again on all or selected records, as a job. The job counts a record as done once its rules have
   * ended. Its report lists the records for which a rule returned `ERROR`.
   * @throws StepwellError `too_many_requests` if 20 jobs of the app are running
   */
  evaluateMany(appId: string, collectionId: string, input?: RecordsEvaluate): Promise<Job>;
  /**
   * Deletes a record. Active runs of its rules continue.
   * @throws StepwellError `precondition_failed` if its version is not `expected_version`
   */
  remove(appId: string, collectionId: string, recordId: string, options?: RecordRemovalOptions): Promise<void>;
}
