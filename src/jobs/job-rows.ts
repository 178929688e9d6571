/** Keys and lists of jobs, and the changes that create and end them. Pure. */
import { expiringRow, notExpiringRow } from "../documents/expiring-documents.ts";
import type { Change, Key, RowChange } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import type { JobDocument } from "./job.ts";

/** Jobs that are running, which resume when a process starts. */
export const RUNNING_LIST = "jobs.running";

const EXPIRY_MS = 30 * DAY_MS;

export const jobKey = (jobId: string): Key => `job:${jobId}`;
export const jobsOf = (appId: string) => `jobs.${appId}`;

/** The change that stores a job. @param expected Its current version; absent for a new job. */
export function jobChange(document: JobDocument, expected?: number): Change {
  const { id, app_id, status, expires_at, listed_in: list } = document;
  const key = jobKey(id);
  const rows: RowChange[] = [{ list, put: { id, marks: [`status:${status}`] } }];
  if (status === "running") rows.push({ list: RUNNING_LIST, put: { id, marks: [`app:${app_id}`] } });
  else rows.push({ list: RUNNING_LIST, delete: id });
  if (expires_at !== undefined) rows.push(expiringRow(key, { expires_at }));
  return { key, document, expected, rows };
}

export function jobDeletion({ id, listed_in: list }: JobDocument, expected: number): Change {
  const key = jobKey(id);
  const rows: RowChange[] = [{ list, delete: id }, { list: RUNNING_LIST, delete: id }, notExpiringRow(key)];
  return { key, document: null, expected, rows };
}

export function endJob(
  job: JobDocument,
  status: Exclude<JobDocument["status"], "running">,
  now: number,
  error: JobDocument["error"] = null,
): JobDocument {
  return { ...job, status, error, finished_at: instant(now), expires_at: instant(now + EXPIRY_MS) };
}
