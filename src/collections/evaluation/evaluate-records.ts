/** Evaluates the rules on many records again, as a job. */
import * as v from "valibot";
import { foldText, searchQuery } from "../../documents/pagination.ts";
import type { Receipt } from "../../documents/receipt.ts";
import { cut, isStepwellError, missingText } from "../../errors.ts";
import type { Job, JobProblem } from "../../jobs/job.ts";
import { type Batch, handleItems } from "../../jobs/job-kind.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Hash } from "../../ports/hash.ts";
import type { ListQuery, Store } from "../../ports/store.ts";
import { list, strictObject } from "../../schema.ts";
import { unlessAborted } from "../../time/unless-aborted.ts";
import type { Collections } from "../collections.ts";
import type { RecordConditions } from "../records/find/match-record.ts";
import { contentConditions } from "../records/find/record-query.ts";
import { rowConditions } from "../records/find/row-conditions.ts";
import type { RecordDocument } from "../records/record.ts";
import { recordKey, recordsOf } from "../records/record-rows.ts";
import type { CollectionRef, Records } from "../records/records.ts";
import type { RuleRunner } from "../records/rules/run-rules.ts";
import { Writer } from "../records/writer.ts";
import { TagIds } from "../tag.ts";
import type { Tags } from "../tags.ts";
import { selectRecords } from "./select-records.ts";

/** Records in one batch. They are evaluated at the same time, and again after a crash. */
const RECORDS_PER_BATCH = 20;

export const RecordsEvaluate = strictObject({
  /** Only records with any of these tags, at most 100 ids. @default all records */
  tags: v.exactOptional(TagIds),
  /** Only records with this text in any field. @default all records */
  search: v.exactOptional(searchQuery.search.wrapped),
  /** Only records that meet all of these conditions on fields, at most 10. @default all records */
  filter: v.exactOptional(contentConditions.filter),
  /** Only records with this result of the rule, by its key: `{ credit: "FAIL" }`. @default all records */
  rule_result: v.exactOptional(contentConditions.rule_result),
  /** Only records that were created or changed after this time, ISO 8601. @default all records */
  updated_after: v.exactOptional(contentConditions.updated_after),
  /** Only these records, at most 1,000 ids. Cannot be combined with the others. @default all records */
  ids: v.exactOptional(
    v.pipe(
      list(v.pipe(v.string(), v.regex(/^rec_[0-9a-z]{1,100}$/, "Must be the id of a record (rec_…)."))),
      v.maxLength(1_000, "Must have at most 1000 ids."),
    ),
  ),
});
export interface RecordsEvaluate extends v.InferOutput<typeof RecordsEvaluate> {}

const Task = v.object({
  collection_id: v.string(),
  /** The records; null for those that the other fields select. */
  ids: v.nullable(list(v.string())),
  /** Those tags of the selection that exist; null for any. */
  tags: v.nullable(list(v.string())),
  search: v.nullable(v.string()),
  /** Absent in tasks of earlier versions, as the next two. */
  filter: v.optional(contentConditions.filter, []),
  rule_result: v.optional(contentConditions.rule_result, {}),
  updated_after: v.optional(v.nullable(v.string()), null),
  /** Newest record when the job started. Later ones are evaluated when they are created. */
  until: v.nullable(v.string()),
  /** Who started the job, and how deeply it is nested in runs. */
  writer: Writer,
});
type Task = v.InferOutput<typeof Task>;

const Position = v.object({
  /** Number of records that are done. */
  index: v.number(),
  /** Position in the list of records. */
  after: v.nullable(v.string()),
  /** Records that met the conditions, to be evaluated next. Evaluating them changes what `rule_result` selects. */
  selected: v.optional(v.nullable(v.object({ ids: list(v.string()), is_last: v.boolean() })), null),
});
type Position = v.InferOutput<typeof Position>;

export interface Evaluations {
  /** @throws StepwellError `invalid` for unknown tags; `not_found`, including for a deleted collection; `too_many_requests` */
  start(at: CollectionRef, input: RecordsEvaluate, receipt: Receipt, writer: Writer): Promise<Job>;
}

export function createEvaluations(parts: {
  store: Store;
  hash: Hash;
  collections: Pick<Collections, "forWriting">;
  tags: Pick<Tags, "check">;
  records: Pick<Records, "evaluate">;
  rules: Pick<RuleRunner, "evaluate">;
  jobs: Pick<Jobs, "register">;
}): Evaluations {
  const { store, hash, collections, tags, records, rules, jobs } = parts;

  function selection(task: Task): Omit<ListQuery, "limit"> {
    const { tags, until } = task;
    return { ...rowConditions(conditionsOf(task), tags, hash), descending: false, until: until ?? undefined };
  }

  /**
   * The problem with the record; null if there is none, or if the record was deleted meanwhile. Rejects when `aborted` does
   * while rules run: they go on, as their results are those of the record.
   */
  async function evaluateOne(at: CollectionRef, id: string, task: Task, aborted: Promise<void>) {
    try {
      await records.evaluate({ ...at, record_id: id }, task.writer);
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
      await collections.forWriting(at.app_id, at.collection_id); // fails the job if the collection was deleted
      return task.ids === null ? null : problem(id, "not_found", missingText("record", id));
    }
    const read = () => store.get<RecordDocument>(recordKey(id));
    const found = await read();
    if (found !== null) await Promise.race([rules.evaluate(found.document), aborted]);
    const failed = (await read())?.document.rule_results.find(({ result }) => result === "ERROR");
    return failed === undefined
      ? null
      : problem(id, failed.error?.code ?? "internal", `Rule ${JSON.stringify(failed.key)}: ${failed.error?.message}`);
  }

  /** The records to evaluate in this batch. None if the batch selects those of the next one. */
  async function nextIds(task: Task, { index, after, selected }: Position, signal: AbortSignal): Promise<Chosen> {
    const { collection_id, ids } = task;
    if (ids !== null) {
      const end = index + RECORDS_PER_BATCH;
      return { ids: ids.slice(index, end), position: { index: end, after, selected }, isLast: end >= ids.length };
    }
    if (selected !== null) {
      const position = { index: index + selected.ids.length, after, selected: null };
      return { ids: selected.ids, position, isLast: selected.is_last };
    }
    if (hasContentConditions(task)) {
      const query = { tags: task.tags, until: task.until, after, most: RECORDS_PER_BATCH, signal };
      const found = await selectRecords({ store, hash }, collection_id, conditionsOf(task), query);
      const next = { ids: [...found.ids], is_last: found.isLast };
      const position = { index, after: found.after, selected: next.ids.length === 0 ? null : next };
      return { ids: [], position, isLast: found.isLast && next.ids.length === 0 };
    }
    const query = { ...selection(task), limit: RECORDS_PER_BATCH, after: after ?? undefined, withoutTotal: true };
    const page = await store.list(recordsOf(collection_id), query);
    const position = { index: index + page.ids.length, after: page.next ?? null, selected };
    return { ids: page.ids, position, isLast: page.next === undefined };
  }

  const start = jobs.register<Task, Position>({
    name: "records.evaluate",
    task: Task,
    position: Position,
    async execute({ appId, task, position, signal }): Promise<Batch<Position>> {
      const at = { app_id: appId, collection_id: task.collection_id };
      await collections.forWriting(at.app_id, at.collection_id);
      const { ids, ...next } = await nextIds(task, position ?? START, signal);
      let end = () => {};
      const inProgress = new Promise<void>((resolve) => {
        end = resolve;
      });
      // One listener for all records.
      const aborted = unlessAborted(inProgress, signal);
      aborted.catch(() => undefined);
      const handled = await handleItems(ids, signal, (id) => evaluateOne(at, id, task, aborted));
      end();
      return { ...next, ...handled };
    },
  });

  return {
    async start(at, { ids, ...conditions }, receipt, writer) {
      const { tags: wanted, search, filter = [], rule_result = {}, updated_after = null } = conditions;
      if (ids !== undefined && Object.keys(conditions).length > 0) {
        throw invalid([{ pointer: "/ids", message: "Must not be combined with conditions." }]);
      }
      await collections.forWriting(at.app_id, at.collection_id);
      const errors = await tags.check(at.app_id, wanted ?? []);
      if (errors.length > 0) throw invalid(errors);
      const all = recordsOf(at.collection_id);
      const [until = null] = (await store.list(all, { limit: 1 })).ids;
      const task: Task = {
        ...{ collection_id: at.collection_id, until, writer, tags: wanted ?? null },
        ...{ ids: ids === undefined ? null : [...new Set(ids)], search: foldText(search ?? "") || null },
        ...{ filter, rule_result, updated_after },
      };
      const isCounted = task.ids === null && !hasContentConditions(task);
      const { total = null } = isCounted ? await store.list(all, { ...selection(task), limit: 1 }) : {};
      return start(at.app_id, task, task.ids?.length ?? total, receipt);
    },
  };
}

const START: Position = { index: 0, after: null, selected: null };

/** What a batch does. */
interface Chosen {
  readonly ids: readonly string[];
  /** The position after the batch. */
  readonly position: Position;
  readonly isLast: boolean;
}

/** Whether the records must be read to select them. */
function hasContentConditions({ filter, rule_result, updated_after }: Task): boolean {
  return filter.length > 0 || Object.keys(rule_result).length > 0 || updated_after !== null;
}

function conditionsOf({ filter, rule_result, updated_after, search }: Task): RecordConditions {
  return { filter, rule_result, updated_after: updated_after ?? undefined, search: search ?? undefined };
}

const MAX_MESSAGE_CHARS = 300;

function problem(record_id: string, code: string, message: string): JobProblem {
  return { line: null, record_id, code, message: cut(message, MAX_MESSAGE_CHARS) };
}
