/** Retries, replays, cancels or deletes many runs, as a job. */
import * as v from "valibot";
import type { Caller } from "../calls/caller.ts";
import { foldText, searchQuery } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { cut, isStepwellError, missingText, notFound, StepwellError } from "../errors.ts";
import type { Job, JobProblem } from "../jobs/job.ts";
import { type Batch, handleItems } from "../jobs/job-kind.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { ListQuery, Store } from "../ports/store.ts";
import { list, strictObject } from "../schema.ts";
import { instant } from "../time/iso.ts";
import { hasEnded, RUN_STATUSES, type RunStatus, type RunSummary } from "./run.ts";
import type { Executor } from "./run-executor.ts";
import type { RunTrigger } from "./run-labels.ts";
import { isRunId, rowsOf, runFilters } from "./run-query.ts";
import { appRuns, createdUntil, runKey, workflowRuns } from "./run-rows.ts";
import { type Runs, replayedId } from "./runs.ts";
import { triggeredBy } from "./triggered-by.ts";

/** Runs in one batch, at the same time, and again after a crash. */
const RUNS_PER_BATCH = 50;

export const RUN_ACTIONS = ["retry", "replay", "cancel", "delete"] as const;

const Filter = strictObject({
  ...runFilters,
  search: v.exactOptional(searchQuery.search.wrapped),
  workflow_id: v.exactOptional(v.string()),
});

export const RunsBulk = strictObject({
  /**
   * What to do with each run. `retry`: failed and canceled ones. `cancel`: open ones. `delete`: ended ones. `replay`: any.
   * Child runs are not retried or replayed by themselves.
   */
  action: v.picklist(RUN_ACTIONS),
  /** Which runs, as in the list of runs: all conditions must hold. Runs that are created later are not selected. */
  filter: v.optional(Filter, {}),
  /** These runs, at most 1,000 ids. Cannot be combined with `filter` and `all`. @default those that the filter selects */
  ids: v.exactOptional(
    v.pipe(
      list(v.pipe(v.string(), v.regex(/^run_[0-9a-z]{1,100}$/, "Must be the id of a run (run_…)."))),
      v.minLength(1, "Must have at least one id."),
      v.maxLength(1_000, "Must have at most 1000 ids."),
    ),
  ),
  /** Must be true if the filter is empty, because all runs of the app are selected then. @default false */
  all: v.exactOptional(v.boolean()),
});
/**
 * Which runs to change, and how.
 * @example { "action": "retry", "filter": { "status": ["failed"], "search": "demo" } }
 */
export interface RunsBulk extends v.InferOutput<typeof RunsBulk> {}

const Task = v.object({
  action: v.picklist(RUN_ACTIONS),
  filter: Filter,
  /** The runs, instead of those that the filter selects; null for these. Absent in tasks of earlier versions. */
  ids: v.optional(v.nullable(list(v.string())), null),
  /** Creation time of the newest run. */
  until: v.string(),
  /** Identifies the job: what it has done already is not done again. */
  key: v.string(),
  /** API key of the caller; null for none. */
  key_id: v.nullable(v.string()),
  /** Name of the key, or null. Absent in tasks of earlier versions, as the next one. */
  key_name: v.optional(v.nullable(v.string()), null),
  /** Id of the acting user, or null. */
  user_id: v.optional(v.nullable(v.string()), null),
});
type Task = v.InferOutput<typeof Task>;

const Position = v.object({
  /** Position in the list of runs, or the last one of the given runs that is done. */
  after: v.nullable(v.string()),
});
type Position = v.InferOutput<typeof Position>;

export interface BulkRuns {
  /**
   * @throws StepwellError `invalid` for an empty filter without `all` or `ids`; `not_found` for an unknown workflow;
   * `too_many_requests`
   */
  start(appId: string, bulk: RunsBulk, caller: Caller, receipt: Receipt): Promise<Job>;
}

export function createBulkRuns(parts: {
  store: Store;
  clock: Clock;
  ids: { next(prefix: string): string };
  executor: Pick<Executor, "retry">;
  runs: Pick<Runs, "cancel" | "list" | "remove" | "replayOnce">;
  requireWorkflow(appId: string, workflowId: string): Promise<unknown>;
  jobs: Pick<Jobs, "register">;
  hash: Hash;
}): BulkRuns {
  const { store, clock, hash, executor, runs, requireWorkflow, jobs } = parts;

  const nextId = (prefix: string) => parts.ids.next(prefix);

  async function apply(appId: string, runId: string, task: Task): Promise<unknown> {
    const { action, ids, key } = task;
    const found = await store.get<RunSummary>(runKey(runId));
    if (found === null || found.document.app_id !== appId) throw notFound("run", runId);
    // What a child run does belongs to its parent, which starts it again.
    if (found.document.parent_run_id !== null && (action === "retry" || action === "replay")) {
      if (ids !== null) throw onlyWithParent(action, found.document.parent_run_id);
      return;
    }
    if (action === "cancel") return runs.cancel(appId, runId);
    if (action === "delete") return runs.remove(appId, runId);
    if (action === "retry") return executor.retry(runId, { by: key });
    return runs.replayOnce(appId, runId, `${key}/${runId}`, triggerOf(task, runId));
  }

  /**
   * Returns the problem with the run; null if there is none, or if it was deleted meanwhile. A job that deletes runs may have
   * deleted it itself, before a crash.
   */
  async function problemOf(appId: string, runId: string, task: Task): Promise<JobProblem | null> {
    try {
      await apply(appId, runId, task);
      return null;
    } catch (error) {
      const isMissing = isStepwellError(error, "not_found");
      if (isMissing && (task.ids === null || task.action === "delete")) return null;
      const isRefused = isMissing || isStepwellError(error, "conflict") || isStepwellError(error, "invalid");
      if (!isRefused) throw error;
      return { line: null, record_id: null, run_id: runId, code: error.code, message: cut(error.message, MAX_CHARS) };
    }
  }

  async function requireParent(appId: string, runId: string): Promise<void> {
    const found = await store.get<RunSummary>(runKey(runId));
    if (found?.document.app_id === appId) return;
    throw invalid([{ pointer: "/filter/parent_run_id", message: missingText("run", runId) }]);
  }

  /** The run whose id is searched for, if the filter selects it, as in a list; null for any other search. */
  async function runOfSearch(appId: string, action: RunsBulk["action"], filter: RunsBulk["filter"]) {
    if (!isRunId(filter.search)) return null;
    const status = statusesFor(action, filter.status);
    return (await runs.list(appId, { ...filter, status, page: 1, take: 1 })).items.map(({ id }) => id);
  }

  function selection({ filter, until, action }: Task) {
    const chosen = { ...filter, status: statusesFor(action, filter.status), order: "asc" } as const;
    const created = createdUntil(Date.parse(until));
    const { until: before = created, ...rows } = rowsOf(chosen);
    const search = foldText(filter.search ?? "") || undefined;
    return { ...rows, search, until: before < created ? before : created };
  }

  const listOf = (appId: string, { filter: { workflow_id } }: Task) =>
    workflow_id === undefined ? appRuns(appId) : workflowRuns(workflow_id);

  /** The runs of the next batch. */
  async function nextRuns(appId: string, task: Task, after: string | null) {
    if (task.ids !== null) {
      const from = after === null ? 0 : task.ids.indexOf(after) + 1;
      const ids = task.ids.slice(from, from + RUNS_PER_BATCH);
      return { ids, after: ids.at(-1) ?? after, isLast: from + RUNS_PER_BATCH >= task.ids.length };
    }
    const query = { ...selection(task), limit: RUNS_PER_BATCH, withoutTotal: true, after: after ?? undefined };
    const list = listOf(appId, task);
    const { ids, next } = await (task.action === "replay" ? listOriginals(list, query, task) : store.list(list, query));
    return { ids, after: next ?? null, isLast: next === undefined };
  }

  /** Without the replays of the job itself: those of the millisecond in which it was created are selected as well. */
  async function listOriginals(list: string, query: ListQuery, { key }: Task) {
    const { documents, next } = await store.listDocuments<RunSummary>(list, query, runKey);
    const isOwn = ({ id, trigger }: RunSummary) =>
      trigger.type === "replay" && id === replayedId(hash, `${key}/${trigger.id}`);
    return { ids: documents.flatMap(({ document }) => (isOwn(document) ? [] : document.id)), next };
  }

  const start = jobs.register<Task, Position>({
    name: "runs.bulk",
    task: Task,
    position: Position,
    async execute({ appId, task, position, signal }): Promise<Batch<Position>> {
      const { ids, after, isLast } = await nextRuns(appId, task, position?.after ?? null);
      const handled = await handleItems(ids, signal, (id) => problemOf(appId, id, task));
      return { position: { after }, isLast, ...handled };
    },
  });

  return {
    async start(appId, { action, filter, ids, all }, caller, receipt) {
      const isUnfiltered = Object.values(filter).every(isEmpty);
      if (ids !== undefined && (!isUnfiltered || all === true)) {
        throw invalid([{ pointer: "/ids", message: "Must not be combined with filter and all." }]);
      }
      if (isUnfiltered && ids === undefined && all !== true) {
        throw invalid([
          { pointer: "/filter", message: "Must not be empty. To select all runs of the app, set all to true." },
        ]);
      }
      if (statusesFor(action, filter.status).length === 0) {
        const message = `Must contain a status of runs that the action ${action} applies to: ${APPLIES_TO[action].join(", ")}.`;
        throw invalid([{ pointer: "/filter/status", message }]);
      }
      if (filter.workflow_id !== undefined) await requireWorkflow(appId, filter.workflow_id);
      if (filter.parent_run_id !== undefined) await requireParent(appId, filter.parent_run_id);
      const { key_id = null, key_name = null, user_id = null } = triggeredBy(caller);
      const chosen = ids === undefined ? await runOfSearch(appId, action, filter) : [...new Set(ids)];
      const until = instant(clock.now());
      const by = { key_id, key_name, user_id };
      const task: Task = { action, filter, ids: chosen, until, key: nextId("bulk"), ...by };
      if (chosen !== null) return start(appId, task, chosen.length, receipt);
      const { total = null } = await store.list(listOf(appId, task), { ...selection(task), limit: 1 });
      return start(appId, task, total, receipt);
    },
  };
}

const MAX_CHARS = 300;

/** The trigger of the replay of a run. */
function triggerOf({ key_id, key_name, user_id }: Task, runId: string): RunTrigger {
  const by = { key_id: key_id ?? undefined, key_name: key_name ?? undefined, user_id: user_id ?? undefined };
  return { type: "replay", id: runId, ...omitUndefined(by) };
}

const APPLIES_TO: Readonly<Record<(typeof RUN_ACTIONS)[number], readonly RunStatus[]>> = {
  retry: ["failed", "canceled"],
  replay: RUN_STATUSES,
  cancel: RUN_STATUSES.filter((status) => !hasEnded(status)),
  delete: RUN_STATUSES.filter(hasEnded),
};

/** The statuses of the runs that an action applies to, among those that the filter names. */
function statusesFor(action: RunsBulk["action"], wanted: readonly RunStatus[]): RunStatus[] {
  return APPLIES_TO[action].filter((status) => wanted.length === 0 || wanted.includes(status));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

function onlyWithParent(action: "retry" | "replay", parentId: string): StepwellError {
  return new StepwellError(
    "conflict",
    `A child run is not started again alone. To ${action} it, ${action} ${parentId}.`,
  );
}
