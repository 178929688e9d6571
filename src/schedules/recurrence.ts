/** Computes when a schedule is due. Pure: the caller passes the time. croner, which parses cron, is loaded on first use. */
import type { FieldError } from "../errors.ts";

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

const MAX_CRON_FIELDS = 6;

/** Validates a recurrence from a caller. */
export async function checkRecurrence(recurrence: Recurrence, now: number): Promise<FieldError[]> {
  const { cron, every, at, timezone } = recurrence;
  const given = [cron, every, at].filter((one) => one !== null).length;
  if (given !== 1) return [{ pointer: "", message: "Set exactly one of cron, every and at." }];
  if (timezone !== null && cron === null) return [{ pointer: "/timezone", message: "Must be omitted without cron." }];
  if (timezone !== null && !isTimeZone(timezone)) {
    return [{ pointer: "/timezone", message: "Must be an IANA time zone such as Europe/Berlin." }];
  }
  // croner also takes a year as the seventh.
  if (cron !== null && cron.trim().split(/\s+/).length > MAX_CRON_FIELDS) {
    return [{ pointer: "/cron", message: "Must have five fields, or six with seconds first." }];
  }
  try {
    const next = await createNextMoment(recurrence);
    if (cron !== null && next(now) === null) {
      return [{ pointer: "/cron", message: "Must match at least one time in the future." }];
    }
    return [];
  } catch (error) {
    return [{ pointer: "/cron", message: `Must be a valid cron expression: ${reasonOf(error)}` }];
  }
}

/** Without the name of the library's class, which croner's messages start with. */
function reasonOf(error: unknown): string {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/^Cron\w*: /, "");
  return reason.endsWith(".") ? reason : `${reason}.`;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
