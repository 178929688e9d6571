/** A step of a run in depth: what it got, its attempts and parts, and why the run went on as it did. */
import * as v from "valibot";
import { multipleValues, pageQuery, tokenQuery, wholeNumber } from "../../documents/pagination.ts";
import { jsonValue, list, strictObject } from "../../schema.ts";
import { MAX_ITEMS } from "../../workflows/step-policies.ts";
import { RunStep } from "../run-step.ts";

/** Longest preview in bytes. */
const MAX_PREVIEW = 16 * 1024 * 1024;
const previewBytes = v.exactOptional(wholeNumber(0, MAX_PREVIEW));

export const StepQuery = strictObject({
  /** Index of an item of `for_each` or of a repetition of `loop`, from 0. @default the whole step */
  item: v.exactOptional(wholeNumber(0, MAX_ITEMS)),
  /** Bytes of JSON, from 0 to 16,777,216. Longer inputs and outputs are cut. @default no limit */
  preview: previewBytes,
});
/** Which part of a step to read. */
export type StepQuery = v.InferInput<typeof StepQuery>;

export const StepOutputQuery = strictObject({
  /** Index of an item of `for_each` or of a repetition of `loop`, from 0. @default the whole step */
  item: v.exactOptional(wholeNumber(0, MAX_ITEMS)),
});

export const RunQuery = strictObject({
  /**
   * Bytes of JSON, from 0 to 16,777,216. Longer inputs, outputs, logs and lists of errors are left out.
   * @default no limit
   */
  preview: previewBytes,
});
/** How much of a run to read. */
export type RunQuery = v.InferInput<typeof RunQuery>;

const AttemptError = v.object({
  /** Error code, as in the error of a step. */
  code: v.string(),
  /** What went wrong, at most 500 characters. */
  message: v.string(),
});

export const StepAttempt = v.object({
  /** Number of the attempt, from 1: for each item and repetition by itself. */
  number: v.number(),
  /** With `for_each` or `loop`: index of the item or the repetition, from 0. */
  item: v.exactOptional(v.number()),
  /** When it started, ISO 8601. */
  started_at: v.string(),
  /** When it ended, ISO 8601. */
  finished_at: v.string(),
  /** Why it failed, or null. */
  error: v.nullable(AttemptError),
});
/** An attempt of a step that has ended. */
export interface StepAttempt extends Readonly<v.InferOutput<typeof StepAttempt>> {}

export const StepCondition = v.object({
  /**
   * `conditional`: whether the step runs. `branch`: a condition of a branch, in the order of evaluation. `else`: the way of
   * a branch none of whose conditions is true. `catch`: a route of `on_error`. `loop`: whether the repetitions end.
   */
  kind: v.picklist(["conditional", "branch", "else", "catch", "loop"]),
  /** Name of the condition. Only with `branch`. */
  name: v.exactOptional(v.string()),
  /** CEL expression, or null if it always holds. */
  expression: v.nullable(v.string()),
  /** Keys of the steps that it leads to. */
  destinations: list(v.string()),
  /** What it returned. `not_evaluated` for conditions after the one taken, and before the step has begun. */
  result: v.picklist(["true", "false", "error", "not_evaluated"]),
  /** Why it could not be evaluated. Only with the result `error`. */
  error: v.exactOptional(v.string()),
  /** What the expression read, at most 20 values. */
  values: list(
    v.object({
      /** Path of the value, such as `steps.fetch.output.total`. */
      path: v.string(),
      /** The value. Absent if there is none, or it is longer than 1,024 characters of JSON. */
      value: v.exactOptional(jsonValue),
      /** The first 1,024 characters of a longer value as JSON. */
      preview: v.exactOptional(v.string()),
    }),
  ),
  /** Whether the run went this way: the step was executed, continued at the destinations, or ended its loop. */
  taken: v.boolean(),
});
/** A condition of a step, and what became of it. */
export interface StepCondition extends Readonly<v.InferOutput<typeof StepCondition>> {}

/**
 * Why an input is not known. `none`: the type of the step has none. `not_started`, `skipped`, `pinned`: the step was not
 * executed. `item_required`: each item has another one. `not_stored`: it depends on the output of an earlier repetition.
 * `filled_by_model`: a model filled in `auto` fields. `invalid`: an expression fails. `connection_unavailable`: the
 * connection was deleted or cannot be decrypted, so its credentials cannot be hidden. `version_missing`: the version no
 * longer exists.
 */
const INPUT_MISSING = [
  "none",
  "not_started",
  "skipped",
  "pinned",
  "item_required",
  "not_stored",
  "filled_by_model",
  "invalid",
  "connection_unavailable",
  "version_missing",
] as const;
/** Why an input is not known. */
export type InputMissing = (typeof INPUT_MISSING)[number];

const { errors: _errors, omitted: _omitted, ...stepFields } = RunStep.entries;

export const StepDetails = v.object({
  /** Id of the run. */
  run_id: v.string(),
  ...stepFields,
  /** Index of the item or the repetition that was asked for. All other fields are about it, then. */
  item: v.exactOptional(v.number()),
  /**
   * About how long the output is as JSON, in bytes. Only with `preview`, if the output is longer. `output` is null then.
   */
  output_bytes: v.exactOptional(v.number()),
  /** Start of the output as JSON, of at most `preview` bytes. It ends anywhere, but not within a character. */
  output_preview: v.exactOptional(v.string()),
  /** Present if the output existed but is no longer stored: that of a repetition before the last. */
  output_missing: v.exactOptional(v.literal("not_stored")),
  /**
   * What the step got: its fields, with the values of their expressions. Computed from what is stored, without
   * credentials. Null if it is not known.
   */
  input: jsonValue,
  /** Like `output_bytes`. */
  input_bytes: v.exactOptional(v.number()),
  /** Like `output_preview`. */
  input_preview: v.exactOptional(v.string()),
  /** Why the input is not known. Absent if it is. */
  input_missing: v.exactOptional(v.picklist(INPUT_MISSING)),
  /** The last 20 attempts that have ended and are stored, the newest last. */
  latest_attempts: list(StepAttempt),
  /** The conditions of the step, in the order of evaluation. Absent if the version no longer exists. */
  conditions: v.exactOptional(list(StepCondition)),
});
/** A step of a run in depth. */
export interface StepDetails extends Readonly<v.InferOutput<typeof StepDetails>> {}

export const STEP_PART_STATUSES = ["pending", "running", "waiting", "succeeded", "failed", "canceled"] as const;
/** Status of an item or a repetition. */
export type StepPartStatus = (typeof STEP_PART_STATUSES)[number];

export const StepPart = v.object({
  /** Index of the item or the repetition, from 0. */
  index: v.number(),
  /** Status of the item or the repetition. */
  status: v.picklist(STEP_PART_STATUSES),
  /** When its first attempt started, ISO 8601; null before its first attempt has ended. */
  started_at: v.nullable(v.string()),
  /** When it ended, ISO 8601, or null. */
  finished_at: v.nullable(v.string()),
  /** Number of attempts that have ended. */
  attempts: v.number(),
  /** Why it failed, or null. While it waits for its next attempt: why the last one failed. */
  error: v.nullable(AttemptError),
  /** About how long its output is as JSON, in characters. Absent if it has none, or it is no longer stored. */
  output_bytes: v.exactOptional(v.number()),
});
/** An item of a `for_each`, or a repetition of a `loop`. */
export interface StepPart extends Readonly<v.InferOutput<typeof StepPart>> {}

export const StepPartsQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  /** Statuses of the items, comma-separated. @default all */
  status: v.exactOptional(multipleValues(v.picklist(STEP_PART_STATUSES), STEP_PART_STATUSES.length)),
});
export interface StepPartsQuery extends v.InferOutput<typeof StepPartsQuery> {}
