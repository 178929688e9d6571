import { plural } from "../../plural.ts";

const every = (count: number, one: string, other: string) =>
  count === 1 ? `Every ${one}` : `Every ${plural("en", count, { one, other })}`;

export const schedules = {
  title: "Schedules",
  empty: "There are no schedules.",
  emptyText: "A schedule runs a workflow at a time, at an interval, or by a cron expression.",
  create: "New schedule",
  workflow: "Workflow",
  /** A schedule without a name of its own. */
  named: (workflow: string, when: string) => `${workflow}: ${when}`,
  timing: "When",
  kinds: { cron: "Cron expression", every: "Interval", at: "Once" },
  cron: "Cron expression",
  cronHint: "Minute, hour, day, month, weekday: 0 9 * * mon-fri runs on weekdays at nine.",
  cronProblems: {
    fields: { second: "second", minute: "minute", hour: "hour", day: "day", month: "month", weekday: "weekday" },
    count: (given: number) =>
      `Write five fields, separated by spaces: minute, hour, day, month, weekday. Fields now: ${given}.`,
    value: (value: string, field: string, first: number, last: number) =>
      `“${value}” is not a valid ${field}. Use ${first} to ${last}.`,
  },
  timezone: "Time zone",
  every: "Run every",
  unit: "Unit",
  units: { seconds: "seconds", minutes: "minutes", hours: "hours", days: "days" },
  everyInterval: {
    seconds: (count: number) => every(count, "second", "seconds"),
    minutes: (count: number) => every(count, "minute", "minutes"),
    hours: (count: number) => every(count, "hour", "hours"),
    days: (count: number) => every(count, "day", "days"),
  },
  runNow: "Run now",
  at: "Time",
  input: "Input",
  inputHint: "What each run gets. Fields that you leave empty have their defaults.",
  missed: "Missed runs",
  missedHint: "What to do about runs that were due while the server was not running.",
  policies: { skip: "Skip them", once: "Run once for all of them", all: "Run each of them" },
  version: "Version",
  latest: "The latest at the time of the run",
  next: "Next run",
  upcoming: "Next runs",
  upcomingIn: (zone: string) => `Next runs (${zone})`,
  noNext: "none",
  last: "Last result",
  paused: "Paused",
  pause: "Pause",
  resume: "Resume",
  started: "Started a run",
};
