/** Evaluates the rules on many records again, as a job. */
import * as v from "valibot";
import { foldText, searchQuery } from "../../documents/pagination.ts";
import type { Receipt } from "../../documents/receipt.ts";
import { cut, isStepwellError, missingText } from "../../errors.ts";
import type { Job, JobProblem } from "../../jobs/job.ts";
import type { Batch } from "../../jobs/job-kind.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { ListQuery, Store } from "../../ports/store.ts";
import { list, strictObject } from "../../schema.ts";
import { unlessAborted } from "../../time/unless-aborted.ts";
import type { Collections } from "../collections.ts";
import type { RecordDocument } from "../records/record.ts";
import { recordKey, recordsOf } from "../records/record-rows.ts";
import type { CollectionPlace, Records } from "../records/records.ts";
import type { RuleRunner } from "../records/run-rules.ts";
import { Author, type Writer } from "../records/writer.ts";
import { TagIds } from "../tag.ts";
import type { Tags } from "../tags.ts";

/** Records in one batch. They are evaluated at the same time, and again after a crash. */
const RECORDS_PER_BATCH = 20;

export const RecordsEvaluate = strictObject({
  /** Only records with any of these tags, at most 100 ids. @default all records */
  tags: v.exactOptional(TagIds),
  /** Only records with this text in any field. @default all records */
  search: v.exactOptional(searchQuery.search.wrapped),
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
  ids: v.nullable(v.array(v.string())),
  /** Those tags of the selection that exist; null for any. */
  tags: v.nullable(v.array(v.string())),
  search: v.nullable(v.string()),
  /** Newest record when the job started. Later ones are evaluated when they are created. */
  until: v.nullable(v.string()),
  /** Who started the job, and how deeply it is nested in runs. */
  writer: v.object({ author: Author, depth: v.number() }),
});
type Task = v.InferOutput<typeof Task>;

/** Number of `ids` that are done, or the position in the list. */
const Position = v.object({ index: v.number(), after: v.nullable(v.string()) });
type Position = v.InferOutput<typeof Position>;

export interface Evaluations {
  /** @throws StepwellError `invalid` for unknown tags; `not_found`, also for a deleted collection; `too_many_requests` */
  start(at: CollectionPlace, input: RecordsEvaluate, receipt: Receipt, writer: Writer): Promise<Job>;
}

export function createEvaluations(parts: {
  store: Store;
  collections: Pick<Collections, "forWriting">;
  tags: Pick<Tags, "check">;
  records: Pick<Records, "evaluate">;
  rules: Pick<RuleRunner, "evaluate">;
  jobs: Pick<Jobs, "register">;
}): Evaluations {
  const { store, collections, tags, records, rules, jobs } = parts;

  function selection({ tags, search, until }: Task): Omit<ListQuery, "limit"> {
    const marks = tags === null ? [] : [tags.map((tag) => `tag:${tag}`)];
    return { descending: false, search: search ?? undefined, until: until ?? undefined, marks };
  }

  /** The problem with the record; null if there is none, or if the record was deleted meanwhile. */
  async function evaluateOne(at: CollectionPlace, id: string, task: Task) {
    try {
      await records.evaluate({ ...at, record_id: id }, task.writer);
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
      await collections.forWriting(at.app_id, at.collection_id); // fails the job if the collection was deleted
      return task.ids === null ? null : problem(id, "not_found", missingText("record", id));
    }
    const read = () => store.get<RecordDocument>(recordKey(id));
    const found = await read();
    if (found !== null) await rules.evaluate(found.document);
    const failed = (await read())?.document.rule_results.find(({ result }) => result === "ERROR");
    return failed === undefined
      ? null
      : problem(id, failed.error?.code ?? "internal", `Rule ${JSON.stringify(failed.key)}: ${failed.error?.message}`);
  }

  async function nextIds(task: Task, { index, after }: Position) {
    const { collection_id, ids } = task;
    if (ids !== null) {
      const end = index + RECORDS_PER_BATCH;
      return { ids: ids.slice(index, end), position: { index: end, after }, isLast: end >= ids.length };
    }
    const query = { ...selection(task), limit: RECORDS_PER_BATCH, after: after ?? undefined, withoutTotal: true };
    const page = await store.list(recordsOf(collection_id), query);
    const position = { index: index + page.ids.length, after: page.next ?? null };
    return { ids: page.ids, position, isLast: page.next === undefined };
  }

  const start = jobs.register<Task, Position>({
    name: "records.evaluate",
    task: Task,
    position: Position,
    async execute({ appId, task, position, signal }): Promise<Batch<Position>> {
      const at = { app_id: appId, collection_id: task.collection_id };
      await collections.forWriting(at.app_id, at.collection_id);
      const { ids, ...next } = await nextIds(task, position ?? { index: 0, after: null });
      const found = await unlessAborted(Promise.all(ids.map((id) => evaluateOne(at, id, task))), signal);
      const problems = found.filter((one) => one !== null);
      return { ...next, done: ids.length, problems };
    },
  });

  return {
    async start(at, { tags: wanted, search, ids }, receipt, writer) {
      if (ids !== undefined && (wanted !== undefined || search !== undefined)) {
        throw invalid([{ pointer: "/ids", message: "Must not be combined with tags or search." }]);
      }
      await collections.forWriting(at.app_id, at.collection_id);
      const errors = await tags.check(at.app_id, wanted ?? []);
      if (errors.length > 0) throw invalid(errors);
      const all = recordsOf(at.collection_id);
      const [until = null] = (await store.list(all, { limit: 1 })).ids;
      const task: Task = {
        ...{ collection_id: at.collection_id, until, writer, tags: wanted ?? null },
        ...{ ids: ids === undefined ? null : [...new Set(ids)], search: foldText(search ?? "") || null },
      };
      const { total = null } = task.ids === null ? await store.list(all, { ...selection(task), limit: 1 }) : {};
      return start(at.app_id, task, task.ids?.length ?? total, receipt);
    },
  };
}

const MAX_MESSAGE_CHARS = 300;

function problem(record_id: string, code: string, message: string): JobProblem {
  return { line: null, record_id, code, message: cut(message, MAX_MESSAGE_CHARS) };
}
