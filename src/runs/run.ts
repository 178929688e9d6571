/** A run of a workflow version. */
import * as v from "valibot";
import { jsonObject, jsonValue, list, strictObject, wholeNumber } from "../schema.ts";

export const RUN_STATUSES = ["queued", "running", "waiting", "succeeded", "failed", "canceled"] as const;
export const RunStatus = v.picklist(RUN_STATUSES);
export type RunStatus = v.InferOutput<typeof RunStatus>;

/** Whether a run in this status can still change. */
export function hasEnded(status: RunStatus): boolean {
  return status === "succeeded" || status === "failed" || status === "canceled";
}

const RunFields = {
  /** Values by the names of the version's input fields; a file is a list of ids. Left out, empty. */
  input: v.exactOptional(jsonObject),
  /** `latest`, `draft`, the id or the number of a version. Left out, the latest. */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
  /** The input step to start at. Left out, the first. */
  step_key: v.exactOptional(v.string()),
  /** Files that are not uploaded yet are waited for, as long as their addresses are open. Left out, they are refused. */
  wait_for_files: v.exactOptional(v.boolean()),
};
export const RunCreate = strictObject(RunFields, "Put values for the workflow into input.");
export interface RunCreate extends v.InferOutput<typeof RunCreate> {}

export const RunReplay = strictObject({
  /** `latest`, `draft`, the id or the number of a version. Left out, the version of the run. */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
});
export type RunReplay = v.InferOutput<typeof RunReplay>;

/** Why a step or a run failed. */
export const RunError = v.object({
  /** Such as `code_failed`, `timeout`, `expression_failed`. */
  code: v.string(),
  message: v.string(),
  /** The key of the step that failed; on a run only. */
  step: v.exactOptional(v.string()),
});
export interface RunError extends Readonly<v.InferOutput<typeof RunError>> {}

/**
 * A step settles as `succeeded`, `failed` or `skipped`. One that has not settled when its run ends is `canceled`; if it had
 * begun, it has `started_at` and the run's `finished_at`.
 */
export const STEP_STATUSES = ["pending", "running", "waiting", "succeeded", "failed", "skipped", "canceled"] as const;

export const RunStep = v.object({
  key: v.string(),
  type: v.string(),
  status: v.picklist(STEP_STATUSES),
  /** Null until it has succeeded. */
  output: jsonValue,
  error: v.nullable(RunError),
  /** How often it was tried, all repetitions of a loop together. */
  attempts: v.number(),
  /** What its code wrote to the console, its action to its log, and which tools its model called. */
  logs: v.exactOptional(list(v.string())),
  started_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
  /** When a step that waits goes on by itself. */
  waits_until: v.exactOptional(v.string()),
});
export interface RunStep extends Readonly<v.InferOutput<typeof RunStep>> {
  readonly error: RunError | null;
}

const summaryFields = {
  /** `run_…` */
  id: v.string(),
  app_id: v.string(),
  workflow_id: v.string(),
  workflow_version_id: v.string(),
  /** 0 is the draft. */
  version: v.number(),
  status: RunStatus,
  error: v.nullable(RunError),
  parent_run_id: v.nullable(v.string()),
  created_at: v.string(),
  started_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
} as const;

/** As listed. */
export const RunSummary = v.object(summaryFields);
export interface RunSummary extends Readonly<v.InferOutput<typeof RunSummary>> {
  readonly status: RunStatus;
  readonly error: RunError | null;
}

/** The fields of a summary, of whatever has them and more. */
export function summaryOf(run: RunSummary): RunSummary {
  return {
    id: run.id,
    app_id: run.app_id,
    workflow_id: run.workflow_id,
    workflow_version_id: run.workflow_version_id,
    version: run.version,
    status: run.status,
    error: run.error,
    parent_run_id: run.parent_run_id,
    created_at: run.created_at,
    started_at: run.started_at,
    finished_at: run.finished_at,
  };
}

export const Run = v.object({
  ...summaryFields,
  /** As it was given. */
  input: jsonObject,
  /** Of the step that leads nowhere; of several such steps, by key; null until the run has succeeded. */
  output: jsonValue,
  /** In the order of the version. */
  steps: list(RunStep),
});
export interface Run extends Readonly<v.InferOutput<typeof Run>> {
  readonly status: RunStatus;
  readonly error: RunError | null;
  readonly steps: RunStep[];
}
