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

/** The rows of a run as it stands now. Ids of child runs do not tell when they came, so the moment orders. */
export function runRows({ id, app_id, workflow_id, status, created_at }: RunSummary): RowChange[] {
  const put: Row = { id, order: created_at, marks: [`status:${status}`] };
  return [
    { list: appRuns(app_id), put },
    { list: workflowRuns(workflow_id), put },
  ];
}

export function activeRow(runId: string, isActive: boolean): RowChange {
  return isActive ? { list: ACTIVE, put: { id: runId } } : { list: ACTIVE, take: runId };
}
