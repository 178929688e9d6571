/** Settings of a workflow, frozen into its versions. They apply to every run, whatever starts it. */
import * as v from "valibot";
import { EventName } from "../app-events/app-event.ts";
import { jsonObject, list, strictObject } from "../schema.ts";
import { DAY_SECONDS, MINUTE_MS, SECOND_MS } from "../time/units.ts";
import { Concurrency, Debounce, PrioritySetting, RateLimit } from "./run-limits.ts";

const YEAR_SECONDS = 366 * DAY_SECONDS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

const OnFailure = strictObject({
  /** Id of a workflow of the same app. Stepwell runs its latest version. */
  workflow_id: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
  /** Additional input of that workflow, besides `run`. @default {} */
  input: v.exactOptional(jsonObject),
});

const StartOn = strictObject({
  /** Name of the event. */
  name: EventName,
  /**
   * CEL expression over `event`, such as `event.payload.total > 100`. If its evaluation fails, the event does not
   * match.
   * @default every event with the name
   */
  condition: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."))),
});

export const Settings = strictObject({
  /**
   * Timeout of a run in seconds, up to 31,622,400 (366 days), from its start to its end, including waits. The run then
   * fails with the code `run_timeout`. A shorter `limits.runTimeoutMs` takes precedence.
   * @default `limits.runTimeoutMs`
   */
  timeout: v.exactOptional(
    v.pipe(
      v.number(),
      v.gtValue(0, "Must be more than 0 seconds."),
      v.maxValue(YEAR_SECONDS, `Must be at most ${YEAR_SECONDS} seconds.`),
    ),
  ),
  /**
   * Failure workflow: runs after a run of this workflow failed. Its input field `run` contains the failed run without
   * steps and output. Failures of its own runs and their descendants start no failure workflow.
   * @default none
   */
  on_failure: v.exactOptional(OnFailure),
  /**
   * Events that start the workflow, 1 to 20: each matching event starts one run of the latest version. The input of the
   * run is the payload, without fields that the start step does not define.
   * @default none
   */
  start_on: v.exactOptional(
    v.pipe(
      list(StartOn),
      v.minLength(1, "Must name at least one event."),
      v.maxLength(20, "Must have at most 20 events."),
    ),
  ),
  /**
   * Maximum open runs, by key. A run counts from its start to its end. A run below a run with the same key does not
   * count.
   * @default no limit besides those of the option `limits`
   */
  concurrency: v.exactOptional(Concurrency),
  /**
   * Combines calls that follow each other within a period into one run, with the input and version of the last call.
   * Does not apply to child runs, runs of rules, and replays.
   * @default each call starts a run
   */
  debounce: v.exactOptional(Debounce),
  /**
   * Maximum runs that may start within a period, by key. Further runs wait; none is dropped.
   * @default no limit
   */
  rate_limit: v.exactOptional(RateLimit),
  /**
   * Priority of the runs among the queued runs of the app: a whole number from -100 to 100, or a CEL expression over
   * the input. The highest starts first. The `priority` of a call overrides it.
   * @default 0
   */
  priority: v.exactOptional(PrioritySetting),
  /**
   * Seconds to keep a run after its end, from 60 to 31,622,400 (366 days). Stepwell deletes it within the next hour. A
   * shorter `limits.runRetentionMs` takes precedence.
   * @default `limits.runRetentionMs`
   */
  keep_runs: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(MINUTE_SECONDS, `Must be at least ${MINUTE_SECONDS} seconds.`),
      v.maxValue(YEAR_SECONDS, `Must be at most ${YEAR_SECONDS} seconds.`),
    ),
  ),
});
/** Settings of a workflow. */
export interface Settings extends v.InferOutput<typeof Settings> {}
