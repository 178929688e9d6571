/** Actions on selected runs, and on all that match: jobs of the server. */
import type { RunsBulkOptions } from "../../../../../src/api/list-options.ts";
import type { Job } from "../../../../../src/jobs/job.ts";
import type { RunRow } from "../../live/run-rows.ts";
import { hasEnded } from "../../run/has-ended.ts";
import { client } from "../../server/client.ts";
import { serverNow } from "../../server/clock.ts";
import { type RunFilters, selectionOf } from "../filters/run-filters.ts";
import type { Selection } from "../selection.ts";

export const ACTIONS = ["retry", "replay", "cancel", "delete"] as const;
export type Action = (typeof ACTIONS)[number];

/** A job of which the page shows the progress. */
export interface ShownJob {
  readonly id: string;
  /** Null for a job that was started elsewhere. */
  readonly action: Action | null;
}

/** As the server decides for many runs at once. */
function isApplicable(action: Action, { status, parent_run_id, isGone = false }: RunRow): boolean {
  if (isGone) return false;
  if (action === "cancel") return !hasEnded(status);
  if (action === "delete") return hasEnded(status);
  // What a child run does belongs to its parent, which starts it again.
  if (parent_run_id !== null) return false;
  return action === "replay" || status === "failed" || status === "canceled";
}

/** Selected runs to which an action applies. */
export const applicable = (action: Action, { runs }: Selection) =>
  [...runs.values()].filter((run) => isApplicable(action, run));

/** Starts a job for all runs that match. */
export function startJob(appId: string, action: Action, filters: RunFilters): Promise<Job> {
  const filter = selectionOf(filters, serverNow());
  const bulk: RunsBulkOptions = Object.keys(filter).length === 0 ? { action, all: true } : { action, filter };
  return client.runs.bulk(appId, bulk);
}

/** As many as one job takes. */
const MAX_IDS = 1_000;

/** Starts a job for these runs. More than one job takes are done by several. */
export async function startJobs(appId: string, action: Action, runs: readonly RunRow[]): Promise<readonly Job[]> {
  const ids = runs.map(({ id }) => id);
  const jobs: Job[] = [];
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    jobs.push(await client.runs.bulk(appId, { action, ids: ids.slice(from, from + MAX_IDS) }));
  }
  return jobs;
}
