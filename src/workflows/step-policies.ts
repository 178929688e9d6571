/**
 * The schemas of fields that several step types have: for retries, timeouts, repetition and errors. Fields of every type:
 * `common` in step.ts.
 */
import * as v from "valibot";
import { list, strictObject, wholeNumber } from "../schema.ts";
import { DAY_SECONDS } from "../time/units.ts";
import { StepKey } from "./step-key.ts";

/** Maximum number of items of a `for_each`. */
export const MAX_ITEMS = 10_000;

const YEAR_SECONDS = 366 * DAY_SECONDS;
const ErrorCode = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
);

function seconds(most: number) {
  return v.pipe(
    v.number(),
    v.gtValue(0, "Must be more than 0 seconds."),
    v.maxValue(most, `Must be at most ${most} seconds.`),
  );
}

export const Retry = strictObject({
  /** Maximum number of attempts, from 1 to 20. 1 means that the step is never retried. */
  max_attempts: wholeNumber(1, 20),
  /** Seconds before the second attempt, up to 86,400 (1 day). Stepwell adds up to 10% jitter. @default 1 */
  initial_interval: v.exactOptional(seconds(DAY_SECONDS)),
  /** Factor by which each interval grows, from 1 to 10. @default 2 */
  backoff: v.exactOptional(
    v.pipe(v.number(), v.minValue(1, "Must be at least 1."), v.maxValue(10, "Must be at most 10.")),
  ),
  /** Maximum interval in seconds, up to 86,400 (1 day). A `Retry-After` header may exceed it. @default 60 */
  max_interval: v.exactOptional(seconds(DAY_SECONDS)),
  /**
   * Which errors to retry: `transient` errors, such as a 503 response or a timeout; `any` error; or errors with one of
   * the listed codes, 1 to 20.
   * @default "any" in code and workflow steps, otherwise "transient"
   */
  on: v.exactOptional(
    v.union(
      [v.picklist(["transient", "any"]), v.pipe(list(ErrorCode), v.minLength(1), v.maxLength(20))],
      "Must be transient, any, or a list of 1 to 20 error codes.",
    ),
  ),
});
/** Retry policy: how many times Stepwell attempts a step, at which intervals, and after which errors. */
export interface Retry extends v.InferOutput<typeof Retry> {}

export const CatchRoute = strictObject({
  /**
   * CEL expression over `error`, an object with `code`, `message`, `attempts` and fields of the step type.
   * @default none: the route catches every error
   */
  condition: v.exactOptional(v.string()),
  /** Keys of the steps that run if this is the first route whose condition is true, at least one. */
  destinations: v.pipe(list(StepKey), v.minLength(1, "Must name at least one step.")),
});
/** Where a run continues after an error. */
export interface CatchRoute extends v.InferOutput<typeof CatchRoute> {}

export const ForEach = strictObject({
  /** CEL expression, or a template such as `"{{ input.orders }}"`, that returns a list of at most 10,000 items. */
  items: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
  /** Maximum items in progress at the same time, from 1 to 100. @default 1 */
  concurrency: v.exactOptional(wholeNumber(1, 100)),
  /**
   * `fail`: the step fails with the first item that fails, and Stepwell stops the others. `continue`: the output of a
   * failed item is null, and `steps.KEY.errors` contains its error.
   * @default "fail"
   */
  on_error: v.exactOptional(v.picklist(["fail", "continue"], "Must be fail or continue.")),
});
/** Repeats a step for each item of a list. */
export interface ForEach extends v.InferOutput<typeof ForEach> {}

/** Catch routes, which every step that can fail has. */
export const catchFields = {
  /**
   * Catch routes, at most 20. If the step fails, the run continues at the destinations of the first route whose
   * condition is true instead of at `destinations`; the step stays failed. If no route matches, `throw_on_error`
   * decides.
   * @default none
   */
  on_error: v.exactOptional(v.pipe(list(CatchRoute), v.maxLength(20, "Must have at most 20 routes."))),
} as const;

/** Fields of steps that take time. */
export const timedFields = {
  /**
   * Timeout in seconds, up to 31,622,400 (366 days): of one attempt, or of the wait for input. The step then fails with
   * the code `timeout`. `limits.code` and `limits.modelTimeoutMs` still apply.
   * @default that of the step type
   */
  timeout: v.exactOptional(seconds(YEAR_SECONDS)),
  ...catchFields,
} as const;

/** Fields of steps that are executed. */
export const executionFields = {
  ...timedFields,
  /** Retry policy. @default that of the step type */
  retry: v.exactOptional(Retry),
  /**
   * Runs the step once for each item of a list; expressions read `item` and `index`. The output is the list of outputs.
   */
  for_each: v.exactOptional(ForEach),
  /**
   * Seconds between iterations of `loop`, up to 31,622,400 (366 days).
   * @default none: the next iteration starts immediately
   */
  loop_delay: v.exactOptional(seconds(YEAR_SECONDS)),
} as const;
