/** A step of a run. */
import * as v from "valibot";
import { jsonValue, list, map } from "../schema.ts";

export const StepFailure = v.object({
  /** Error code, such as `code_failed`, `timeout` or `expression_failed`. */
  code: v.string(),
  /** What went wrong, at most 4,000 characters. */
  message: v.string(),
  /** JSON Pointer into the step of the field whose expression failed, such as `/url`. */
  field: v.exactOptional(v.string()),
  /** With `for_each`: index of the item that failed. */
  index: v.exactOptional(v.number()),
  /** Status of the response that failed an http_request, browser or service step. */
  status: v.exactOptional(v.number()),
  /** Headers of that response, except `set-cookie`. */
  headers: v.exactOptional(map(v.string())),
  /** Body of that response, parsed if it is JSON. At most 64 KiB, otherwise the start of the text. */
  body: v.exactOptional(jsonValue),
});
/** Why a step failed. */
export interface StepFailure extends Readonly<v.InferOutput<typeof StepFailure>> {}

export const ItemError = v.object({
  /** Index of the item. */
  index: v.number(),
  /** Error code, as in the error of a step. */
  code: v.string(),
  /** What went wrong, at most 500 characters. */
  message: v.string(),
  /** JSON Pointer into the step of the field whose expression failed, such as `/url`. */
  field: v.exactOptional(v.string()),
  /** Number of attempts. */
  attempts: v.number(),
});
/** Why an item of a `for_each` failed. */
export interface ItemError extends Readonly<v.InferOutput<typeof ItemError>> {}

export const LogPart = v.object({
  /** Number of its lines. */
  lines: v.number(),
  /** Number of the attempt, from 1: for each item and repetition by itself. */
  attempt: v.number(),
  /** With `for_each` or `loop`: index of the item or the repetition, from 0. */
  item: v.exactOptional(v.number()),
});
/** Lines of a log that follow each other and are of one attempt. */
export interface LogPart extends Readonly<v.InferOutput<typeof LogPart>> {}

const ItemCounts = v.object({
  /** Number of items in the list. */
  total: v.number(),
  /** Number of items that succeeded. */
  succeeded: v.number(),
  /** Number of items that failed. */
  failed: v.number(),
});
/** How many items of a `for_each` have ended. */
export interface ItemCounts extends Readonly<v.InferOutput<typeof ItemCounts>> {}

const ChildRuns = v.object({
  /** Number of child runs. */
  total: v.number(),
  /** Ids of the newest ones, at most 10. */
  latest: list(v.string()),
});
/** The child runs of a step. */
export interface ChildRuns extends Readonly<v.InferOutput<typeof ChildRuns>> {}

/**
 * A step settles as `succeeded`, `failed` or `skipped`. A step that has not settled when its run ends is `canceled`; if
 * it had started, it has `started_at` and the `finished_at` of the run.
 */
export const STEP_STATUSES = ["pending", "running", "waiting", "succeeded", "failed", "skipped", "canceled"] as const;

export const RunStep = v.object({
  /** Key of the step. */
  key: v.string(),
  /** Type of the step, such as `code`. */
  type: v.string(),
  /** Status of the step. */
  status: v.picklist(STEP_STATUSES),
  /** Output of the step; null until it has succeeded. */
  output: jsonValue,
  /**
   * About how long the output is as JSON, in bytes. Only if `preview` was given and it is longer. `output` is null then.
   */
  output_bytes: v.exactOptional(v.number()),
  /** What was left out because it is longer than `preview`. Absent if nothing was. */
  omitted: v.exactOptional(list(v.picklist(["logs", "errors"]))),
  /** Why the step failed, or null. While the step waits for its next attempt: why the last attempt failed. */
  error: v.nullable(StepFailure),
  /** With `for_each`: how many of its items have ended. */
  items: v.exactOptional(ItemCounts),
  /** With `for_each`: why items failed, in the order of the items. Absent if none did. */
  errors: v.exactOptional(list(ItemError)),
  /** Attempts to execute the step, over all iterations of a loop and all items. */
  attempts: v.number(),
  /** Log lines: console output of code, log lines of an action, tool calls of a model. Absent if there are none. */
  logs: v.exactOptional(list(v.string())),
  /**
   * Which attempts, items and repetitions wrote the lines of `logs`, in their order. Absent if the first attempt wrote all, and
   * in runs of earlier versions.
   */
  log_parts: v.exactOptional(list(LogPart)),
  /** When the first attempt started, or the step began to wait, ISO 8601; null before. */
  started_at: v.nullable(v.string()),
  /** When the step ended, ISO 8601, or null. */
  finished_at: v.nullable(v.string()),
  /**
   * Runs that the step has started, if it has: a workflow step, or a model with a workflow as a tool. Only where a single run is
   * read. A list with `parent_run_id` and `parent_step` has all of them.
   */
  child_runs: v.exactOptional(ChildRuns),
  /** When a waiting step resumes automatically, ISO 8601. Absent if it waits for something other than a time. */
  waits_until: v.exactOptional(v.string()),
});
/** A step of a run. */
export interface RunStep extends Readonly<v.InferOutput<typeof RunStep>> {
  /** Why the step failed, or null. */
  readonly error: StepFailure | null;
}
