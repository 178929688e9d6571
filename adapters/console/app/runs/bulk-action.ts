/** Actions on selected runs: one after another here, or all that match as a job of the server. */
import type { RunsBulkOptions } from "../../../../src/api/list-options.ts";
import type { Job } from "../../../../src/jobs/job.ts";
import type { RunStatus } from "../../../../src/runs/run.ts";
import type { RunRow } from "../live/run-rows.ts";
import { client, isServerError } from "../server/client.ts";
import { type RunFilters, selectionOf } from "./run-filters.ts";
import type { Selection } from "./selection.ts";

export const ACTIONS = ["retry", "replay", "cancel", "delete"] as const;
export type Action = (typeof ACTIONS)[number];

const ENDED: readonly RunStatus[] = ["succeeded", "failed", "canceled"];

/** As the server decides for many runs at once. */
export function isApplicable(action: Action, { status, parent_run_id, isGone = false }: RunRow): boolean {
  if (isGone) return false;
  if (action === "cancel") return !ENDED.includes(status);
  if (action === "delete") return ENDED.includes(status);
  // What a child run does belongs to its parent, which starts it again.
  if (parent_run_id !== null) return false;
  return action === "replay" || status === "failed" || status === "canceled";
}

/** Selected runs to which an action applies. */
export const applicable = (action: Action, { runs }: Selection) =>
  [...runs.values()].filter((run) => isApplicable(action, run));

/** Starts a job for all runs that match. */
export function startJob(appId: string, action: Action, filters: RunFilters): Promise<Job> {
  const filter = selectionOf(filters, Date.now());
  const bulk: RunsBulkOptions = Object.keys(filter).length === 0 ? { action, all: true } : { action, filter };
  return client.runs.bulk(appId, bulk);
}

/** How far actions on selected runs have come. */
export interface Progress {
  readonly action: Action;
  readonly done: number;
  readonly total: number;
  /** What the server refused, by run. */
  readonly problems: readonly { readonly run_id: string; readonly message: string }[];
  readonly isStopped: boolean;
}

const AT_ONCE = 4;

/** Acts on each run. Stops with the signal; what has begun is completed. */
export async function actOnEach(
  appId: string,
  action: Action,
  runs: readonly RunRow[],
  parts: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<void> {
  const { signal, onProgress } = parts;
  const left = [...runs];
  let progress: Progress = { action, done: 0, total: runs.length, problems: [], isStopped: false };
  const report = (changes: Partial<Progress>) => {
    progress = { ...progress, ...changes };
    onProgress(progress);
  };
  async function work(): Promise<void> {
    for (let run = left.shift(); run !== undefined && !signal.aborted; run = left.shift()) {
      const message = await problemWith(appId, action, run.id);
      const problems = message === null ? progress.problems : [...progress.problems, { run_id: run.id, message }];
      report({ done: progress.done + 1, problems });
    }
  }
  report({});
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (signal.aborted) report({ isStopped: true });
}

async function problemWith(appId: string, action: Action, runId: string): Promise<string | null> {
  try {
    if (action === "retry") await client.runs.retry(appId, runId);
    if (action === "replay") await client.runs.replay(appId, runId);
    if (action === "cancel") await client.runs.cancel(appId, runId);
    if (action === "delete") await client.runs.remove(appId, runId);
    return null;
  } catch (error) {
    if (isServerError(error) && error.status === 404) return null;
    return error instanceof Error ? error.message : String(error);
  }
}
