/** A schedule: runs a workflow at a moment, every so often, or as a cron expression says. The fields are ours. */
import * as v from "valibot";
import { instantText, jsonObject, list, Name, secondsUpTo, strictObject, wholeNumber } from "../schema.ts";

const name = v.nullable(Name);

/** What to do with moments at which no process was there, or the storage did not answer. */
export const CATCH_UP_POLICIES = ["skip", "once", "all"] as const;

const fields = {
  name: v.exactOptional(name),
  /** `latest`, `draft`, the id or the number of a version. Left out, the latest when its moment comes. */
  version: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
  /** The input step to start at. Left out, the first. */
  step_key: v.exactOptional(v.nullable(v.string())),
  /** The input of each run, checked by what the workflow asks for now. Left out, empty. */
  input: v.exactOptional(jsonObject),
  /** Five fields, or six with seconds in front: `0 9 * * mon-fri`. Exactly one of `cron`, `every` and `at` is given. */
  cron: v.exactOptional(
    v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(256, "Must have at most 256 characters.")),
  ),
  /**
   * IANA time zone of `cron`, such as `Europe/Berlin`. Default: UTC. When clocks go back,
   * `30 2 * * *` runs in the first of the two hours, and `0,30 2 * * *` in both. When they go forward over that hour, the
   * first runs right after the gap, and the second not on that day.
   */
  timezone: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(64, "Must have at most 64 characters."))),
  /** Interval between runs in seconds, at most 366 days, counted from when the schedule was created or `every` last changed. */
  every: v.exactOptional(secondsUpTo(366, 1)),
  /** Time of a single run, as an ISO 8601 date and time in the future. */
  at: v.exactOptional(instantText),
  /**
   * What to do about missed runs: `skip` them, run `once` for all of them, or run each of them (`all`). Default: `once`.
   * A run that is at most 60 seconds late is not missed, so `skip` starts it too.
   */
  missed: v.exactOptional(v.picklist(CATCH_UP_POLICIES, "Must be skip, once or all.")),
  /** Whether the schedule is paused. Runs due while it is paused are not missed. Default: false. */
  paused: v.exactOptional(v.boolean()),
};

export const ScheduleCreate = strictObject({
  workflow_id: v.string(),
  /** What it is made for: the same key makes no second one. Left out, a new one. */
  key: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(1_024))),
  ...fields,
});
export interface ScheduleCreate extends v.InferOutput<typeof ScheduleCreate> {}

/** One of `cron`, `every` and `at` takes the place of the one that was there. */
export const ScheduleUpdate = strictObject(fields);
export interface ScheduleUpdate extends v.InferOutput<typeof ScheduleUpdate> {}

export const LastFiring = v.object({
  /** The moment that it was for. */
  at: v.string(),
  /** Null where no run came of it. */
  run_id: v.nullable(v.string()),
  /** Why not. */
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
});
export interface LastFiring extends Readonly<v.InferOutput<typeof LastFiring>> {}

export const Schedule = v.object({
  /** `sched_…` */
  id: v.string(),
  app_id: v.string(),
  workflow_id: v.string(),
  name: v.nullable(v.string()),
  version: v.string(),
  step_key: v.nullable(v.string()),
  input: jsonObject,
  cron: v.nullable(v.string()),
  timezone: v.nullable(v.string()),
  every: v.nullable(v.number()),
  at: v.nullable(v.string()),
  missed: v.picklist(CATCH_UP_POLICIES),
  paused: v.boolean(),
  /** When it runs next; null when it is paused or over. */
  next_at: v.nullable(v.string()),
  /** The next five moments. */
  upcoming: list(v.string()),
  last: v.nullable(LastFiring),
  created_at: v.string(),
  updated_at: v.string(),
});
export interface Schedule extends Readonly<v.InferOutput<typeof Schedule>> {
  readonly last: LastFiring | null;
}

/** As stored. */
export interface ScheduleDocument extends Omit<Schedule, "upcoming"> {
  /** What `every` is counted from, ISO 8601. */
  readonly counted_from: string;
}
