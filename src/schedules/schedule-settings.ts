/** The settings of schedules as they are stored: defaults for those that a call leaves out. Pure. */
import { omitUndefined } from "../json.ts";
import { instant } from "../time/iso.ts";
import type { CheckedScheduleCreate, CheckedScheduleUpdate, ScheduleDocument } from "./schedule.ts";

/** The fields of which exactly one says when a schedule runs, and the time zone of `cron`. */
export const NO_TIMING = { cron: null, timezone: null, every: null, at: null } as const;
const DEFAULTS = {
  ...NO_TIMING,
  name: null,
  version: "latest",
  step_key: null,
  input: {},
  missed: "once",
  paused: false,
} as const;

/** The settings of a new schedule: two calls that have the same create the same schedule. */
export const settingsOf = ({ workflow_id, key: _, ...input }: CheckedScheduleCreate) => ({
  workflow_id,
  ...DEFAULTS,
  ...storedFields(input),
});

/** The fields of a call, as they are stored. */
export function storedFields({ version, at, ...input }: CheckedScheduleUpdate) {
  return {
    ...input,
    ...omitUndefined({
      version: version === undefined ? undefined : String(version),
      at: at === undefined ? undefined : instant(Date.parse(at)),
    }),
  };
}

/** A new schedule, without the time of its first run. */
export function newSchedule(appId: string, id: string, given: CheckedScheduleCreate, now: string): ScheduleDocument {
  const times = { next_at: null, last: null, revision: 1, counted_from: now, created_at: now, updated_at: now };
  return { id, app_id: appId, ...settingsOf(given), ...times };
}
