/** Actions on selected runs, and on all that match: jobs of the server. */
import type { RunsBulkOptions } from "../../../../../src/api/list-options.ts";
import type { RunRow } from "../../live/run-rows.ts";
import { hasEnded } from "../../run/has-ended.ts";
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

/** What a job for all runs that match is asked for. */
export function bulkOfAll(action: Action, filters: RunFilters): RunsBulkOptions {
  const filter = selectionOf(filters, serverNow());
  return Object.keys(filter).length === 0 ? { action, all: true } : { action, filter };
}

/** As many as one job takes. */
const MAX_IDS = 1_000;

/** The ids of runs in parts that one job takes. */
export const idsInParts = (runs: readonly RunRow[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(runs.length / MAX_IDS) }, (_, part) =>
    runs.slice(part * MAX_IDS, (part + 1) * MAX_IDS).map(({ id }) => id),
  );
