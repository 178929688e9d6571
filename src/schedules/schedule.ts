/** A schedule runs a workflow at a point in time, at an interval or by a cron expression. */
import * as v from "valibot";
import { expectedRevision, expectedRevisionInQuery } from "../documents/expected-version.ts";
import { instantText, jsonObject, list, Name, secondsUpTo, strictObject, wholeNumber } from "../schema.ts";

const name = v.nullable(Name);

/** What to do about runs that were due while no process was running or the storage did not respond. */
export const CATCH_UP_POLICIES = ["skip", "once", "all"] as const;

const fields = {
  /** Name for people, at most 256 characters. @default null */
  name: v.exactOptional(name),
  /**
   * Version to run: `latest`, `draft`, or the id or number of a version.
   * @default the latest version when the run is due
   */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
  /** Key of the input step to start at. @default the first input step */
  step_key: v.exactOptional(v.nullable(v.string())),
  /**
   * Input of each run. Checked against the version's input fields when you create or change the schedule. @default {}
   */
  input: v.exactOptional(jsonObject),
  /**
   * Cron expression with five fields, or six with seconds first: `0 9 * * mon-fri`. Set exactly one of `cron`, `every`
   * and `at`.
   */
  cron: v.exactOptional(
    v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(256, "Must have at most 256 characters.")),
  ),
  /**
   * IANA time zone of `cron`, such as `Europe/Berlin`. When the clock is set back, `30 2 * * *` runs only in the first
   * of the two hours, and `0,30 2 * * *` in both. When the clock skips that hour, `30 2 * * *` runs right after the
   * gap, and `0,30 2 * * *` skips the day.
   * @default UTC
   */
  timezone: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(64, "Must have at most 64 characters."))),
  /**
   * Seconds between runs, from 1 to 31,622,400 (366 days). Counted from the creation of the schedule or the last change
   * of `every`.
   */
  every: v.exactOptional(secondsUpTo(366, 1)),
  /** Time of a single run: an ISO 8601 date and time in the future. */
  at: v.exactOptional(instantText),
  /**
   * What to do about missed runs: `skip` them, run `once` for all of them, or run each of them (`all`). A run that is
   * at most 60 seconds late does not count as missed: it starts with each of the three.
   * @default once
   */
  missed: v.exactOptional(v.picklist(CATCH_UP_POLICIES, "Must be skip, once or all.")),
  /** Whether the schedule is paused. Runs that are due while it is paused do not count as missed. @default false */
  paused: v.exactOptional(v.boolean()),
} as const;

export const ScheduleCreate = strictObject({
  /** Workflow to run. */
  workflow_id: v.string(),
  /**
   * Idempotency key, 1 to 1,024 characters. Repeating the call with the same key and settings returns the current
   * schedule; other settings fail with `conflict`. Deleting the schedule releases the key.
   * @default none: each call creates a schedule
   */
  key: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(1_024))),
  ...fields,
});
/**
 * A new schedule. Set exactly one of `cron`, `every` and `at`.
 * @example { "workflow_id": "work_…", "cron": "0 9 * * 1-5", "timezone": "Europe/Berlin" }
 */
export interface ScheduleCreate extends v.InferInput<typeof ScheduleCreate> {}
export interface CheckedScheduleCreate extends v.InferOutput<typeof ScheduleCreate> {}

export const ScheduleUpdate = strictObject({ ...fields, ...expectedRevision });
/** Changes to a schedule. Setting `cron`, `every` or `at` replaces whichever was set before. */
export interface ScheduleUpdate extends v.InferInput<typeof ScheduleUpdate> {}
export interface CheckedScheduleUpdate extends v.InferOutput<typeof ScheduleUpdate> {}

export const ScheduleRemoval = strictObject(expectedRevisionInQuery);

export const LastFiring = v.object({
  /** Time at which the run was due, ISO 8601. */
  at: v.string(),
  /** Id of the run; null if none was started. */
  run_id: v.nullable(v.string()),
  /** Why no run was started; null if one was. */
  error: v.nullable(
    v.object({
      /** Error code, such as `conflict`. */
      code: v.string(),
      /** What went wrong. */
      message: v.string(),
    }),
  ),
});
/** Result of the last time a schedule was due. */
export interface LastFiring extends Readonly<v.InferOutput<typeof LastFiring>> {}

export const Schedule = v.object({
  /** `sched_…` */
  id: v.string(),
  /** App that owns the schedule. */
  app_id: v.string(),
  /** Workflow that it runs. */
  workflow_id: v.string(),
  /** Name for people. */
  name: v.nullable(v.string()),
  /** Version that it runs: `latest`, `draft`, or the id or number of a version. */
  version: v.string(),
  /** Key of the input step that runs start at; null for the first. */
  step_key: v.nullable(v.string()),
  /** Input of each run. */
  input: jsonObject,
  /** Cron expression; null for another kind of timing. */
  cron: v.nullable(v.string()),
  /** IANA time zone of `cron`; null for UTC, or another kind of timing. */
  timezone: v.nullable(v.string()),
  /** Seconds between runs; null for another kind of timing. */
  every: v.nullable(v.number()),
  /** Time of a single run, ISO 8601; null for another kind of timing. */
  at: v.nullable(v.string()),
  /** What Stepwell does about missed runs. */
  missed: v.picklist(CATCH_UP_POLICIES),
  /** Whether the schedule is paused. */
  paused: v.boolean(),
  /** Time of the next run, ISO 8601; null if the schedule is paused or has no more runs. */
  next_at: v.nullable(v.string()),
  /** Times of the next five runs, ISO 8601. */
  upcoming: list(v.string()),
  /** Result of the last run that was due; null before the first. */
  last: v.nullable(LastFiring),
  /** Increases with each change that a caller makes, but not with its runs. Over HTTP also the `ETag`. */
  revision: v.number(),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601. */
  updated_at: v.string(),
});
/** A schedule with its upcoming run times. */
export interface Schedule extends Readonly<v.InferOutput<typeof Schedule>> {
  /** Result of the last run that was due; null before the first. */
  readonly last: LastFiring | null;
}

/** A schedule as stored. */
export interface ScheduleDocument extends Omit<Schedule, "upcoming"> {
  /** Start of the first interval of `every`, ISO 8601. */
  readonly counted_from: string;
  /** Digest of the settings with which it was created. Absent without a key. */
  readonly created_with?: string;
}
