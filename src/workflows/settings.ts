/** Settings of a workflow, frozen into its versions. They hold for every run, whatever starts it. */
import * as v from "valibot";
import { EventName } from "../app-events/app-event.ts";
import { jsonObject, list, strictObject } from "../schema.ts";
import { DAY_SECONDS, MINUTE_MS, SECOND_MS } from "../time/units.ts";
import { Concurrency, Debounce, PrioritySetting, RateLimit } from "./run-limits.ts";

const YEAR_SECONDS = 366 * DAY_SECONDS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

const OnFailure = strictObject({
  /** Workflow of the same app to run. Its latest version runs. */
  workflow_id: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
  /** Values of its input, beside `run`. @default {} */
  input: v.exactOptional(jsonObject),
});

const StartOn = strictObject({
  /** Name of the event. */
  name: EventName,
  /**
   * CEL expression over `event`, such as `event.payload.total > 100`. An event for which it cannot be evaluated does not match.
   * @default every event with the name
   */
  condition: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."))),
});

export const Settings = strictObject({
  /**
   * Time limit of a run in seconds, up to a year, from its start to its end, including waits. The run then fails with the
   * code `run_timeout`. If `limits.runTimeoutMs` of the host is shorter, that one holds.
   * @default that of the host
   */
  timeout: v.exactOptional(
    v.pipe(
      v.number(),
      v.gtValue(0, "Must be more than 0 seconds."),
      v.maxValue(YEAR_SECONDS, `Must be at most ${YEAR_SECONDS} seconds.`),
    ),
  ),
  /**
   * A workflow that runs after a run has failed, with the input field `run`: the failed run without steps and output. A run
   * that it starts, and what that run starts, has no further failure workflow.
   * @default none
   */
  on_failure: v.exactOptional(OnFailure),
  /**
   * Events on which the workflow runs: its latest version, once for each event that matches one of these. The run gets the
   * payload as its input, without fields that the start step does not define.
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
   * How many runs may be open at once, by a key. A run counts from its beginning to its end. A run below a run with the same
   * key does not count.
   * @default no limit beside those of the host
   */
  concurrency: v.exactOptional(Concurrency),
  /**
   * Combines calls that follow each other within a period into one run, with the input and the version of the last call. Not
   * for child runs, runs of rules, and replays.
   * @default each call starts a run
   */
  debounce: v.exactOptional(Debounce),
  /**
   * How many runs may begin within a period, by a key. None is dropped.
   * @default no limit
   */
  rate_limit: v.exactOptional(RateLimit),
  /**
   * Which queued runs of the app begin first: those with the highest priority, a whole number from -100 to 100, or a CEL
   * expression over the input. The `priority` of a call replaces it.
   * @default 0
   */
  priority: v.exactOptional(PrioritySetting),
  /**
   * Seconds to keep a run after its end, from a minute to a year. It is deleted within the hour after that. If
   * `limits.runRetentionMs` of the host is shorter, that one holds.
   * @default that of the host
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
