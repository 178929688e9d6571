/** Numbers, times and sizes in the language of the page. */
import { directionOf, type Language, localeOf } from "../../../../src/web-pages/languages.ts";
import { useSettings } from "../settings/use-settings.ts";
import { type Units, unitsOf } from "./units.ts";

export interface Format {
  number(value: number): string;
  percent(share: number): string;
  /** Date and time to the second, with the time zone. */
  exact(instant: string): string;
  /** The same in another time zone, such as `Europe/Berlin`. */
  exactIn(instant: string, timeZone: string): string;
  /** Date and time to the minute. */
  short(instant: string): string;
  /** Of a date without a time, `YYYY-MM-DD`. */
  day(date: string): string;
  timeOfDay(instant: string): string;
  /** Hours and minutes. */
  hour(instant: string): string;
  /** Such as "5 minutes ago". */
  relative(instant: string, now: number): string;
  /** Of a date without a time, such as "yesterday". The server's dates are of UTC. */
  relativeDay(date: string, now: number): string;
  duration(milliseconds: number): string;
  size(bytes: number): string;
  /** With all bytes, where the size is rounded. */
  exactSize(bytes: number): string;
  /** Of the most that is accepted: with all bytes if it would be rounded. */
  largestSize(bytes: number): string;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Creating formats of Intl takes longer than using them. */
const formats = new Map<Language, Format>();

export function formatOf(language: Language): Format {
  const known = formats.get(language) ?? createFormat(language);
  formats.set(language, known);
  return known;
}

export const useFormat = (): Format => formatOf(useSettings().language);

function createFormat(language: Language): Format {
  const locale = localeOf(language);
  const units = unitsOf(language);
  const isFromRight = directionOf(language) === "rtl";
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long" });
  const short = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const hour = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  const bytes = new Intl.NumberFormat(locale, { style: "unit", unit: "byte", unitDisplay: "long" });
  const sizeOf = (count: number) => (count < 1024 ? bytes.format(count) : largeSizeOf(count, number, units.sizes));
  const isolated = (text: string) => (isFromRight ? `\u2068${text}\u2069` : text);
  const exactSizeOf = (count: number) =>
    count < 1024 ? isolated(sizeOf(count)) : `${isolated(sizeOf(count))} (${isolated(bytes.format(count))})`;
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    exact: (instant) => exact.format(new Date(instant)),
    exactIn: (instant, timeZone) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long", timeZone }).format(new Date(instant)),
    short: (instant) => short.format(new Date(instant)),
    day: (date) => day.format(new Date(date)),
    timeOfDay: (instant) => time.format(new Date(instant)),
    hour: (instant) => hour.format(new Date(instant)),
    relative: (instant, now) => relativeOf((Date.parse(instant) - now) / SECOND_MS, "second", relative),
    relativeDay(date, now) {
      // The clock of the server may be ahead.
      const days = Math.min(0, Math.floor(Date.parse(date) / DAY_MS) - Math.floor(now / DAY_MS));
      return relativeOf((days * DAY_MS) / SECOND_MS, "day", relative);
    },
    duration: (milliseconds) => durationOf(milliseconds, number, units),
    // Isolated, a number also precedes its Latin unit where the text around it runs from right to left.
    size: (count) => isolated(sizeOf(count)),
    exactSize: exactSizeOf,
    largestSize: (count) => (isRounded(count) ? exactSizeOf(count) : isolated(sizeOf(count))),
  };
}

/** @param smallest What less than a minute is said in. */
function relativeOf(seconds: number, smallest: "second" | "day", format: Intl.RelativeTimeFormat): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [smallest, 1];
  return format.format(Math.round(seconds / length), unit);
}

function durationOf(milliseconds: number, number: Intl.NumberFormat, units: Units): string {
  const seconds = milliseconds / SECOND_MS;
  if (milliseconds < SECOND_MS) return `${number.format(Math.round(milliseconds))} ${units.milliseconds}`;
  if (seconds < 60) return `${number.format(Math.round(seconds * 100) / 100)} ${units.seconds}`;
  const whole = Math.round(seconds);
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor((whole % 86_400) / 3_600),
    Math.floor((whole % 3_600) / 60),
  ];
  if (days > 0) return `${number.format(days)} ${units.days} ${hours} ${units.hours}`;
  if (hours > 0) return `${hours} ${units.hours} ${minutes} ${units.minutes}`;
  return `${minutes} ${units.minutes} ${whole % 60} ${units.seconds}`;
}

const powerOf = (bytes: number) => Math.floor(Math.log2(bytes) / 10);
const isRounded = (bytes: number) => bytes >= 1024 && !Number.isInteger((bytes / 1024 ** powerOf(bytes)) * 10);

function largeSizeOf(bytes: number, number: Intl.NumberFormat, names: readonly string[]): string {
  const power = Math.min(names.length, powerOf(bytes));
  const value = bytes / 1024 ** power;
  return `${number.format(Math.round(value * 10) / 10)} ${names[power - 1]}`;
}
