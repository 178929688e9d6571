/** Parts of an instant in a time zone, for CEL's `getHours` and similar functions. */
import { LRUCache } from "lru-cache";
import { DAY_MS, MINUTE_MS } from "../../../time/units.ts";

/** A formatter costs more to create than to use. The cache is limited because names may come from data. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 });
const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;

type Part = (local: Date) => number;

/** By function name. Each receives a date whose UTC fields hold the local time. */
export const DATE_PARTS: Readonly<Record<string, Part>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) => {
    const newYear = new Date(local);
    newYear.setUTCMonth(0, 1);
    return Math.round((local.getTime() - newYear.getTime()) / DAY_MS);
  },
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

/**
 * Returns a date whose UTC fields hold the local time of an instant.
 * @param zone A name in the IANA database such as `Europe/Berlin`, or an offset such as `-02:30`.
 * @throws Error for an unknown time zone.
 */
export function inZone(date: Date, zone: string): Date {
  const offset = OFFSET.exec(zone);
  if (offset === null) return inNamedZone(date, zone);
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  if (minutes >= 24 * 60 || Number(offset[3]) >= 60) throw unknownZone(zone);
  return new Date(date.getTime() + (offset[1] === "-" ? -minutes : minutes) * MINUTE_MS);
}

function inNamedZone(date: Date, zone: string): Date {
  const fields = new Map(
    formatterOf(zone)
      .formatToParts(date)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes) => fields.get(name) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(field("year"), field("month") - 1, field("day"));
  local.setUTCHours(field("hour"), field("minute"), field("second"), date.getUTCMilliseconds());
  return local;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const formatter = newFormatter(zone);
  formatters.set(zone, formatter);
  return formatter;
}

function newFormatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    throw unknownZone(timeZone);
  }
}

function unknownZone(zone: string): Error {
  return new Error(`${JSON.stringify(zone.slice(0, 50))} is not a time zone such as Europe/Berlin or +02:00`);
}
