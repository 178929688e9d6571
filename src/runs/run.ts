/** A run of a workflow version. */
import * as v from "valibot";
import { omitUndefined } from "../json.ts";
import { instantText, jsonObject, jsonValue, list, map, strictObject, wholeNumber } from "../schema.ts";
import { Priority } from "../workflows/run-limits.ts";
import { RunMetadata, RunTags, RunTrigger, TriggerSummary, triggerSummary } from "./run-labels.ts";
import { RunStep } from "./run-step.ts";

export const RUN_STATUSES = ["queued", "running", "waiting", "succeeded", "failed", "canceled"] as const;
export const RunStatus = v.picklist(RUN_STATUSES);
/** Status of a run. `succeeded`, `failed` and `canceled` are final. */
export type RunStatus = v.InferOutput<typeof RunStatus>;

/** Whether this is a final status. A retry can still reopen a failed or canceled run. */
export function hasEnded(status: RunStatus): boolean {
  return status === "succeeded" || status === "failed" || status === "canceled";
}

const RunFields = {
  /** Values by the names of the version's input fields. A file field takes a list of file ids. @default {} */
  input: v.exactOptional(jsonObject),
  /** Version to run: `latest`, `draft`, or the id or number of a version. @default latest */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
  /** Key of the input step to start at. @default the first input step */
  step_key: v.exactOptional(v.string()),
  /**
   * Whether the run may start before its files are uploaded. It then waits for them until their upload URLs expire. If
   * false, a missing file is an invalid input.
   * @default false
   */
  wait_for_files: v.exactOptional(v.boolean()),
  /** Tags to find the run by: at most 16, each 1 to 64 characters without commas. @default [] */
  tags: v.exactOptional(RunTags),
  /** Strings, numbers and booleans by name: at most 16. Expressions read them as `run.metadata`. @default {} */
  metadata: v.exactOptional(RunMetadata),
  /**
   * Earliest start of the run, ISO 8601, up to 366 days from now. Until then, the run is `waiting`.
   * @default immediately
   */
  run_at: v.exactOptional(instantText),
  /**
   * Priority of the run among the queued runs of the app, from -100 to 100. The highest starts first.
   * @default the priority in the settings of the workflow
   */
  priority: v.exactOptional(Priority),
} as const;
export const RunCreate = strictObject(RunFields, "Pass values for the workflow in input.");
/**
 * A new run.
 * @example { "input": { "name": "Ada" }, "tags": ["demo"] }
 */
export interface RunCreate extends v.InferInput<typeof RunCreate> {}
export interface CheckedRunCreate extends v.InferOutput<typeof RunCreate> {}

/** Key of the step to re-execute, with all steps after it. */
const FromStep = v.pipe(v.string(), v.minLength(1, "Must not be empty."));

export const StepTest = strictObject({
  /** Input of the run. @default {} */
  input: v.exactOptional(jsonObject),
  /**
   * Outputs of earlier steps, by key: `{ "fetch": { "output": … } }`.
   * @default the outputs that are pinned in the draft, else null
   */
  steps: v.exactOptional(
    map(
      strictObject({
        /** Output of the step. */
        output: jsonValue,
      }),
    ),
  ),
});
/** A test of one step of a draft. */
export interface StepTest extends v.InferInput<typeof StepTest> {}
export interface CheckedStepTest extends v.InferOutput<typeof StepTest> {}

export const RunRetry = strictObject({
  /**
   * Version on which the run continues: `latest`, `draft`, or the id or number of a version. Completed steps, and all
   * steps before them, must be identical in it.
   * @default the version of the run
   */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
  /**
   * Key of the step to re-execute, with all steps after it, even if they succeeded.
   * @default the steps that have not succeeded
   */
  from_step: v.exactOptional(FromStep),
});
/** How a run is retried. */
export type RunRetry = v.InferOutput<typeof RunRetry>;

export const RunReplay = strictObject({
  /** Input of the new run. @default that of the original run */
  input: v.exactOptional(jsonObject),
  /** Version to run: `latest`, `draft`, or the id or number of a version. @default the version of the original run */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
  /**
   * Key of the first step to execute, with all steps after it. The new run keeps the outcomes of the other steps. The
   * original run must have ended. Cannot be combined with `input`.
   * @default the new run executes all steps
   */
  from_step: v.exactOptional(FromStep),
});
/** Settings of a replay. */
export type RunReplay = v.InferInput<typeof RunReplay>;
export type CheckedRunReplay = v.InferOutput<typeof RunReplay>;

export const RunError = v.object({
  /** Error code, such as `code_failed`, `timeout` or `expression_failed`. */
  code: v.string(),
  /** What went wrong, at most 4,000 characters. */
  message: v.string(),
  /** Key of the step that failed. Only in the error of a run. */
  step: v.exactOptional(v.string()),
});
/** Why a run failed. */
export interface RunError extends Readonly<v.InferOutput<typeof RunError>> {}

const summaryFields = {
  /** `run_…` */
  id: v.string(),
  /** App that owns the run. */
  app_id: v.string(),
  /** Workflow that it executes. */
  workflow_id: v.string(),
  /** Id of the version that it executes. */
  workflow_version_id: v.string(),
  /** Number of the version that it executes; 0 for the draft. */
  version: v.number(),
  /** Status of the run. */
  status: RunStatus,
  /** Why the run failed, or null. */
  error: v.nullable(RunError),
  /** Run whose step started this one, or null. */
  parent_run_id: v.nullable(v.string()),
  /** What started the run. */
  trigger: TriggerSummary,
  /** Tags to find the run by. */
  tags: list(v.string()),
  /** Values that the caller attached to the run. */
  metadata: RunMetadata,
  /** ISO 8601. */
  created_at: v.string(),
  /** When a waiting run starts, ISO 8601. Absent once it has started, and if it doesn't wait for a time. */
  begins_at: v.exactOptional(v.string()),
  /** Priority among the queued runs of the app, from -100 to 100. Absent for 0. */
  priority: v.exactOptional(v.number()),
  /** When the run left the queue, ISO 8601; null before. */
  started_at: v.nullable(v.string()),
  /** When the run ended, ISO 8601; null before. */
  finished_at: v.nullable(v.string()),
} as const;

export const RunSummary = v.object(summaryFields);
/** A run in a list, without input, output and steps. */
export interface RunSummary extends Readonly<v.InferOutput<typeof RunSummary>> {
  /** Status of the run. */
  readonly status: RunStatus;
  /** Why the run failed, or null. */
  readonly error: RunError | null;
  /** What started the run. */
  readonly trigger: TriggerSummary;
}

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
    trigger: triggerSummary(run.trigger),
    tags: run.tags,
    metadata: run.metadata,
    created_at: run.created_at,
    started_at: run.started_at,
    finished_at: run.finished_at,
    ...omitUndefined({ begins_at: run.begins_at, priority: run.priority }),
  };
}

export const Run = v.object({
  ...summaryFields,
  /** What started the run. */
  trigger: RunTrigger,
  /** Input of the run, as the caller sent it. */
  input: jsonObject,
  /**
   * Output of the last step, which has no destinations. If several steps have none, an object with their outputs by
   * key. Null until the run has succeeded.
   */
  output: jsonValue,
  /** About how long the input is as JSON, in bytes. Only if `preview` was given and it is longer. `input` is {} then. */
  input_bytes: v.exactOptional(v.number()),
  /** Like `input_bytes`. `output` is null then. */
  output_bytes: v.exactOptional(v.number()),
  /** Steps, in the order of the version. */
  steps: list(RunStep),
  /**
   * Present if the call started no run because of the settings of the workflow: `debounce` passed the input to this
   * run, or `concurrency` skips new runs while this one is open.
   */
  existing: v.exactOptional(v.literal(true)),
});
/** A run of a workflow, with its steps. */
export interface Run extends Readonly<v.InferOutput<typeof Run>> {
  /** Status of the run. */
  readonly status: RunStatus;
  /** Why the run failed, or null. */
  readonly error: RunError | null;
  /** What started the run. */
  readonly trigger: RunTrigger;
  /** Steps, in the order of the version. */
  readonly steps: readonly RunStep[];
}

/** The run without its input, output, steps, labels, request and error message, which contain data. */
export function withoutData(run: Run): Run {
  const error = run.error === null ? null : { code: run.error.code, message: "The scope runs:read shows the message." };
  const trigger = triggerSummary(run.trigger);
  return { ...run, trigger, tags: [], metadata: {}, error, input: {}, output: null, steps: [] };
}
