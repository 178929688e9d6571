/** Where a run is listed. */
import type { Key, Row, RowChange } from "../ports/store.ts";
import type { RunSummary } from "./run.ts";

/** Runs that go on by themselves: taken up again when a process starts. */
export const ACTIVE = "runs.active";

/** Runs that are looked at when their moment comes. */
export const DUE = "runs.due";

/** Runs that wait for files before they begin. */
export const AWAITING = "runs.awaiting";
/** Those of them that wait for a certain one. */
export const awaitedIn = (fileId: string) => `awaiting.${fileId}`;

export const runKey = (runId: string): Key => `run:${runId}`;
export const appRuns = (appId: string) => `runs.${appId}`;
export const workflowRuns = (workflowId: string) => `runs.${workflowId}`;
/** All runs below one, however deep. */
export const runsBelow = (rootId: string) => `runs.${rootId}`;

export interface ListedRun extends RunSummary {
  /** The run above it that is part of no other; left out for one that is part of none. */
  readonly root_run_id?: string;
}

/** The rows of a run as it stands now. Ids of child runs do not tell when they came, so the moment orders. */
export function runRows(run: ListedRun): RowChange[] {
  const { id, status, created_at } = run;
  const put: Row = { id, order: created_at, marks: [`status:${status}`] };
  return listsOf(run).map((list) => ({ list, put }));
}

/** The lists in which a run stands until it is removed. */
export function listsOf({ app_id, workflow_id, root_run_id }: ListedRun): readonly string[] {
  const lists = [appRuns(app_id), workflowRuns(workflow_id)];
  return root_run_id === undefined ? lists : [...lists, runsBelow(root_run_id)];
}

export function activeRow(runId: string, isActive: boolean): RowChange {
  return isActive ? { list: ACTIVE, put: { id: runId } } : { list: ACTIVE, take: runId };
}
