/** Dates in expressions: instants, parsed and formatted in UTC. Pure. */
import { DAY_MS, MINUTE_MS } from "../../../time/units.ts";
import { kindOf } from "./value-functions.ts";

/** RFC 3339. The time, the seconds and the time zone are optional. Without a time zone, it is UTC. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?)?$/;

/** @throws Error if the value is neither a date nor an ISO 8601 string. */
export function dateOf(value: unknown): Date {
  if (value instanceof Date) return value;
  if (typeof value !== "string") throw new Error(`expected a date or an ISO 8601 string, not ${kindOf(value)}`);
  const match = ISO.exec(value.trim());
  const date = match === null ? null : fromParts(match);
  if (date === null)
    throw new Error(`${JSON.stringify(value.slice(0, 50))} is not an ISO 8601 date such as 2027-01-31T09:30:00Z`);
  return date;
}

function fromParts(match: RegExpExecArray): Date | null {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hours, minutes, seconds, milliseconds);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hours < 24 && minutes < 60 && seconds < 60;
  const hasRealOffset = Number(match[9] ?? 0) < 24 && Number(match[10] ?? 0) < 60;
  if (!isReal || !hasRealOffset) return null;
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * MINUTE_MS;
  return new Date(date.getTime() - (match[8] === "-" ? -offset : offset));
}

export function addDays(date: Date, days: number): Date {
  return inRange(new Date(date.getTime() + days * DAY_MS));
}

/** Keeps the day of the month, or uses the last day of a shorter month. */
export function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), days));
  return inRange(moved);
}

function inRange(date: Date): Date {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new Error("the date must be between the years 0 and 9999");
  return date;
}

/** Whole days. Negative if `to` is earlier. */
export function daysBetween(from: Date, to: Date): number {
  return Math.trunc((to.getTime() - from.getTime()) / DAY_MS) + 0;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

type Part = (date: Date) => string;
const digits = (number: number, length: number) => String(number).padStart(length, "0");

/** Fields of Unicode date patterns (UTS 35) that need no locale other than English. */
const PARTS: { readonly [letters: string]: Part } = {
  yyyy: (date) => digits(date.getUTCFullYear(), 4),
  yy: (date) => digits(date.getUTCFullYear() % 100, 2),
  MMMM: (date) => MONTHS[date.getUTCMonth()] ?? "",
  MMM: (date) => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3),
  MM: (date) => digits(date.getUTCMonth() + 1, 2),
  M: (date) => String(date.getUTCMonth() + 1),
  dd: (date) => digits(date.getUTCDate(), 2),
  d: (date) => String(date.getUTCDate()),
  EEEE: (date) => DAYS[date.getUTCDay()] ?? "",
  EEE: (date) => (DAYS[date.getUTCDay()] ?? "").slice(0, 3),
  HH: (date) => digits(date.getUTCHours(), 2),
  H: (date) => String(date.getUTCHours()),
  mm: (date) => digits(date.getUTCMinutes(), 2),
  m: (date) => String(date.getUTCMinutes()),
  ss: (date) => digits(date.getUTCSeconds(), 2),
  s: (date) => String(date.getUTCSeconds()),
  SSS: (date) => digits(date.getUTCMilliseconds(), 3),
};

/** Matches runs of the same letter, and quoted texts. */
const TOKENS = /([A-Za-z])\1*|'([^']*)'/g;

/** @throws Error for an unknown field. */
export function formatDate(date: Date, pattern: string): string {
  return pattern.replace(TOKENS, (token: string, letter: string | undefined, quoted: string | undefined) => {
    if (letter === undefined) return quoted === "" ? "'" : (quoted ?? "");
    const part = Object.hasOwn(PARTS, token) ? PARTS[token] : undefined;
    if (part === undefined) throw new Error(`${token} is not a date token: use ${Object.keys(PARTS).join(", ")}`);
    return part(date);
  });
}
