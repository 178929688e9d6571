/** Numbers, times and sizes in the language of the page. */
import type { Language } from "../settings/settings.ts";
import { useSettings } from "../settings/use-settings.ts";

export interface Format {
  number(value: number): string;
  percent(share: number): string;
  /** Date and time to the second, with the time zone. */
  exact(instant: string): string;
  /** Date and time to the minute. */
  short(instant: string): string;
  timeOfDay(instant: string): string;
  /** Hours and minutes. */
  hour(instant: string): string;
  /** Such as "5 minutes ago". */
  relative(instant: string, now: number): string;
  duration(milliseconds: number): string;
  size(bytes: number): string;
}

const SECOND_MS = 1_000;
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
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "long" });
  const short = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "short" });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  const hour = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const bytes = new Intl.NumberFormat(language, { style: "unit", unit: "byte", unitDisplay: "long" });
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    exact: (instant) => exact.format(new Date(instant)),
    short: (instant) => short.format(new Date(instant)),
    timeOfDay: (instant) => time.format(new Date(instant)),
    hour: (instant) => hour.format(new Date(instant)),
    relative(instant, now) {
      const seconds = (Date.parse(instant) - now) / SECOND_MS;
      const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
      return relative.format(Math.round(seconds / length), unit);
    },
    duration: (milliseconds) => durationOf(milliseconds, number, DAYS[language]),
    size: (count) => (count < 1024 ? bytes.format(count) : sizeOf(count, number, SIZES[language] ?? BINARY_SIZES)),
  };
}

/** Signs of a day. Those of the shorter units are the same everywhere. */
const DAYS: Readonly<Record<Language, string>> = { en: "d", de: "d", fr: "j", es: "d" };

function durationOf(milliseconds: number, number: Intl.NumberFormat, day: string): string {
  const seconds = milliseconds / SECOND_MS;
  if (milliseconds < SECOND_MS) return `${number.format(Math.round(milliseconds))} ms`;
  if (seconds < 60) return `${number.format(Math.round(seconds * 100) / 100)} s`;
  const whole = Math.round(seconds);
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor((whole % 86_400) / 3_600),
    Math.floor((whole % 3_600) / 60),
  ];
  if (days > 0) return `${number.format(days)} ${day} ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes} min ${whole % 60} s`;
}

/** Powers of 1,024, which Intl does not know. */
const BINARY_SIZES = ["KiB", "MiB", "GiB", "TiB"];
/** Where a byte has another name. */
const SIZES: Partial<Record<Language, readonly string[]>> = { fr: ["Kio", "Mio", "Gio", "Tio"] };

function sizeOf(bytes: number, number: Intl.NumberFormat, names: readonly string[]): string {
  const power = Math.min(names.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${number.format(Math.round(value * 10) / 10)} ${names[power - 1]}`;
}
