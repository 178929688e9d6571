/** The lists that contain a run. */
import { foldText } from "../documents/pagination.ts";
import type { Key, Row, RowChange } from "../ports/store.ts";
import { timeDigits } from "../time/id-time.ts";
import { HOUR_MS } from "../time/units.ts";
import type { RunSummary } from "./run.ts";

/** Active runs, which resume when a process starts. */
export const ACTIVE_RUNS = "runs.active";

/** Runs with a wake-up time. */
export const DUE_RUNS = "runs.due";

/** Runs that have failed and whose failure workflow has not been started. */
export const FAILED_RUNS = "runs.failed";

/** Ended runs that their workflow keeps for a limited time, by its end. */
export const EXPIRING_RUNS = "runs.expiring";

/** Runs that wait for files before they start. */
export const RUNS_WAITING_FOR_FILES = "runs.awaiting";
/** The runs that wait for one file. */
export const runsWaitingFor = (fileId: string) => `awaiting.${fileId}`;

/** Runs with open child runs that are not in memory themselves: they wait for them, or have ended without them. */
export const PARENT_RUNS = "runs.parents";

/** Runs that other runs with their concurrency key hold back. */
export const HELD_RUNS = "runs.held";
/** Runs of a workflow that count for its concurrency limit, or are held back by it. */
export const concurrencyRuns = (workflowId: string) => `concurrency.${workflowId}`;
/** Runs of a workflow whose input further calls replace. */
export const debouncedRuns = (workflowId: string) => `debounced.${workflowId}`;
/** Runs that wait for their start under a rate limit. @param key The digest by which they share it. */
export const rateLimitedRuns = (key: string) => `rate-limited.${key}`;

export const runKey = (runId: string): Key => `run:${runId}`;
/** A request to a run that another process executes. */
export const askKey = (askId: string): Key => `ask:${askId}`;
export const isAskKey = (key: string | undefined) => key?.startsWith("ask:") === true;
export const appRuns = (appId: string) => `runs.${appId}`;
export const workflowRuns = (workflowId: string) => `runs.${workflowId}`;
/** All runs below a run, on all levels. */
export const runsBelow = (rootId: string) => `runs.${rootId}`;

export interface ListedRun extends RunSummary {
  /** The topmost run above it; absent for a run without a parent. */
  readonly root_run_id?: string;
}

/** The rows of a run in its current state. */
export function runRows(run: ListedRun): RowChange[] {
  const { id } = run;
  const order = orderOfRun(run);
  const put: Row = { id, order: order === id ? undefined : order, marks: runMarks(run), text: searchText(run) };
  return listsOf(run).map((list) => ({ list, put }));
}

/** Comes after all characters of ids. */
const AFTER_IDS = "~";

/** The first order of the runs that were created in a millisecond. */
export const createdFrom = (milliseconds: number): string => `run_${timeDigits(milliseconds)}`;

/** The last one. */
export const createdUntil = (milliseconds: number): string => createdFrom(milliseconds) + AFTER_IDS;

/**
 * Rows sort by the millisecond in which a run was created. Most ids begin with it, and lists store them once. A run whose id
 * was chosen some milliseconds before comes first in its millisecond, before those whose ids were chosen after its own. Ids
 * of child runs have no time: they come last, after the runs that started them.
 */
export function orderOfRun({ id, created_at }: Pick<RunSummary, "id" | "created_at">): string {
  const created = Date.parse(created_at);
  const first = createdFrom(created);
  if (id.startsWith(first)) return id;
  const isOlder = id < first && id > createdFrom(created - HOUR_MS);
  return isOlder ? first : createdUntil(created);
}

/** What a search finds the run by. Without labels and an error, there is none, which keeps rows small. */
function searchText({ tags, metadata, error }: ListedRun): string | undefined {
  const texts = [...tags, ...Object.values(metadata).map(String), error?.message.slice(0, MAX_ERROR_CHARS) ?? ""];
  return foldText(texts.join("\n").trim()) || undefined;
}

const MAX_ERROR_CHARS = 200;

/** What lists of runs can be filtered by. */
export function runMarks(run: ListedRun): string[] {
  const { status, version, trigger, parent_run_id, tags, metadata } = run;
  const marks = [`status:${status}`, `version:${version}`, `trigger:${trigger.type}`];
  if (version === 0) marks.push(versionMark(run));
  if (parent_run_id !== null) marks.push(`parent:${parent_run_id}`);
  if (parent_run_id !== null && trigger.step !== undefined) marks.push(childMark(parent_run_id, trigger.step));
  for (const tag of tags) marks.push(`tag:${tag}`);
  for (const [name, value] of Object.entries(metadata)) marks.push(metadataMark(name, value));
  return marks;
}

/** The mark of the runs of a version among those of its workflow. */
export const versionMark = ({ version, workflow_version_id }: Pick<ListedRun, "version" | "workflow_version_id">) =>
  version === 0 ? `draft:${workflow_version_id}` : `version:${version}`;

/** The child runs of a step. */
export const childMark = (parentRunId: string, stepKey: string) => `step:${parentRunId}\n${stepKey}`;

/** A separator that cannot be part of a name keeps apart `a=b` with the value `c` and `a` with the value `b=c`. */
export const metadataMark = (name: string, value: string | number | boolean) => `metadata:${name}\n${value}`;

/** The lists that contain a run until it is deleted. */
export function listsOf({ app_id, workflow_id, root_run_id }: ListedRun): readonly string[] {
  const lists = [appRuns(app_id), workflowRuns(workflow_id)];
  return root_run_id === undefined ? lists : [...lists, runsBelow(root_run_id)];
}

export function activeRow(run: Placed, isActive: boolean): RowChange {
  if (!isActive) return { list: ACTIVE_RUNS, delete: run.id };
  const { id } = run;
  return { list: ACTIVE_RUNS, put: run.worker === undefined ? { id } : { id, marks: placeMarks(run) } };
}

/** A run with the worker that executes it; null if any worker may take it; undefined without a cluster. */
interface Placed {
  readonly id: string;
  readonly app_id: string;
  readonly workflow_id: string;
  readonly worker?: string | null;
}

/** Marks the active runs that no worker has taken. */
export const READY = "ready";
/** @param id Of an app or a workflow. */
export const readyMark = (id: string) => `ready:${id}`;
export const workerMark = (workerId: string) => `worker:${workerId}`;

const placeMarks = ({ app_id, workflow_id, worker }: Placed): string[] =>
  worker == null ? [READY, readyMark(app_id), readyMark(workflow_id)] : [workerMark(worker)];
