/** Computes when a schedule is due. Pure: the caller passes the time. croner, which parses cron, is loaded on first use. */
import type { FieldError } from "../errors.ts";
import { type CronField, type CronProblem, findCronProblem } from "./cron-problem.ts";

export interface Recurrence {
  readonly cron: string | null;
  readonly timezone: string | null;
  /** Seconds between runs. */
  readonly every: number | null;
  /** ISO 8601. */
  readonly at: string | null;
  /** Start of the first interval of `every`, ISO 8601. */
  readonly counted_from: string;
}

/** The next due time after another, in milliseconds since 1970; null if there is none. */
export type NextMoment = (after: number) => number | null;

/** @throws Error for an invalid cron expression or time zone; see {@link checkRecurrence} */
export async function createNextMoment({ cron, timezone, every, at, counted_from }: Recurrence): Promise<NextMoment> {
  if (at !== null) {
    const moment = Date.parse(at);
    return (after) => (moment > after ? moment : null);
  }
  if (every !== null) {
    const start = Date.parse(counted_from);
    const step = every * 1_000;
    return (after) => start + Math.max(1, Math.floor((after - start) / step) + 1) * step;
  }
  const { Cron } = await import("croner");
  const pattern = new Cron(cron ?? "", { timezone: timezone ?? "UTC", paused: true });
  return (after) => pattern.nextRun(new Date(after))?.getTime() ?? null;
}

/** Validates a recurrence from a caller. */
export async function checkRecurrence(recurrence: Recurrence, now: number): Promise<FieldError[]> {
  const { cron, every, at, timezone } = recurrence;
  const given = [cron, every, at].filter((one) => one !== null).length;
  if (given !== 1) return [{ pointer: "", message: "Set exactly one of cron, every and at." }];
  if (timezone !== null && cron === null) return [{ pointer: "/timezone", message: "Must be omitted without cron." }];
  if (timezone !== null && !isTimeZone(timezone)) {
    return [{ pointer: "/timezone", message: "Must be an IANA time zone such as Europe/Berlin." }];
  }
  // croner also takes a year as the seventh, counts months from 0 in its errors, and speaks of its configuration.
  const problem = cron === null ? null : findCronProblem(cron);
  if (problem !== null) return [{ pointer: "/cron", message: cronMessage(problem) }];
  try {
    const next = await createNextMoment(recurrence);
    if (cron !== null && next(now) === null) {
      return [{ pointer: "/cron", message: "Must match at least one time in the future." }];
    }
    return [];
  } catch {
    return [{ pointer: "/cron", message: `Must be a cron expression with ${CRON_FIELDS}.` }];
  }
}

const CRON_FIELDS = "five fields (minute, hour, day, month, weekday), or six with seconds first";
/** What stands for the numbers of a field, too. */
const CRON_NAMES: Partial<Record<CronField, string>> = { month: ", or jan to dec", weekday: ", or sun to sat" };

function cronMessage(problem: CronProblem): string {
  if (problem.kind === "count") return `Must have ${CRON_FIELDS}, not ${problem.given}.`;
  const { field, value, first, last } = problem;
  return `Must have ${field === "hour" ? "an" : "a"} ${field} from ${first} to ${last}${CRON_NAMES[field] ?? ""}, not ${JSON.stringify(value)}.`;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
