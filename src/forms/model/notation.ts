/** How people write numbers and moments, in their language and their zone. Pure. */

export interface Notation {
  /** Null for a text that is no number in this notation. */
  parseNumber(text: string): number | null;
  formatNumber(value: number): string;
  /** A number as people write it, with groups and decimals. */
  readonly example: string;
  /** A local date and time, such as `2027-01-31T09:30`, as an instant; null for anything else. */
  toInstant(local: string): string | null;
  /** An instant as a local date and time; null for anything else. */
  toLocal(instant: string): string | null;
}

/** Digits and signs of other keyboards: Arabic, Persian, and the full width of Chinese, Japanese and Korean ones. */
const OTHER_SIGNS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19\uff0b-\uff0e\u2212]/g;
/** Marks of direction, which copied numbers have around them. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** @param language Tag of a language (BCP 47). */
export function createNotation(language: string): Notation {
  const parts = new Intl.NumberFormat(language, { numberingSystem: "latn", useGrouping: true }).formatToParts(12_345.6);
  const group = parts.find(({ type }) => type === "group")?.value ?? "";
  const decimal = parts.find(({ type }) => type === "decimal")?.value ?? ".";

  return {
    parseNumber(text) {
      // Spaces separate groups in some languages, and people write others than the standard does.
      const written = toLatin(text).replaceAll("\u066b", decimal).replaceAll("\u066c", group).replaceAll(/[\s']/g, "");
      const [whole = "", ...rest] = written.split(decimal);
      if (rest.length > 1) return null;
      const fraction = rest[0];
      const plain = withoutGroups(whole, group);
      if (plain === null || (fraction !== undefined && group !== "" && fraction.includes(group))) return null;
      const number = fraction === undefined ? plain : `${plain}.${fraction}`;
      if (!PLAIN.test(number)) return null;
      const value = Number(number);
      return Number.isFinite(value) ? value : null;
    },
    example: `1${group}234${decimal}5`,
    formatNumber: (value) => String(value).replace(".", decimal),
    toInstant(local) {
      const date = LOCAL.test(local) ? new Date(local) : null;
      if (date === null || Number.isNaN(date.getTime())) return null;
      const instant = date.toISOString().replace(".000Z", "Z");
      // In UTC, the last hours of the year 9999 may be in the year 10000, which has no such text.
      return /^\d{4}-/.test(instant) ? instant : `${localText(date)}${offsetText(date)}`;
    },
    toLocal(instant) {
      // Without an offset, Stepwell reads a moment as UTC.
      const date = new Date(/(Z|[+-]\d\d:\d\d)$/.test(instant) ? instant : `${instant}Z`);
      return Number.isNaN(date.getTime()) ? null : localText(date);
    },
  };
}

function toLatin(text: string): string {
  return text.replaceAll(DIRECTION_MARKS, "").replaceAll(OTHER_SIGNS, (sign) => {
    if (sign === "\u2212") return "-";
    const code = sign.charCodeAt(0);
    // A form of full width has the same place in its block as the one in ASCII.
    return code >= 0xff00 ? String.fromCharCode(code - 0xfee0) : String(code & 0xf);
  });
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;

/** Groups have three digits. Anything else may be a decimal sign of another language, so it is not guessed. */
function withoutGroups(whole: string, group: string): string | null {
  if (group === "" || group.trim() === "" || !whole.includes(group)) return whole;
  const [first = "", ...others] = whole.split(group);
  return /^[+-]?\d{1,3}$/.test(first) && others.every((one) => /^\d{3}$/.test(one))
    ? [first, ...others].join("")
    : null;
}

const two = (value: number) => String(value).padStart(2, "0");

/** Of the zone at this moment, such as `-05:00`. */
function offsetText(date: Date): string {
  const minutes = Math.abs(date.getTimezoneOffset());
  return `${date.getTimezoneOffset() > 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function localText(date: Date): string {
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const milliseconds = date.getMilliseconds();
  const seconds =
    milliseconds > 0
      ? `:${two(date.getSeconds())}.${String(milliseconds).padStart(3, "0")}`
      : date.getSeconds() > 0
        ? `:${two(date.getSeconds())}`
        : "";
  return `${day}T${time}${seconds}`;
}

/** Whether a double represents all digits that a person has written. */
export function isExact(text: string, value: number): boolean {
  const written = significant(toLatin(text));
  return !/\d/.test(written) || written === significant(String(value));
}

/** The digits of a number without sign, separators, exponent, and zeros at both ends. */
function significant(text: string): string {
  const [mantissa = ""] = text.toLowerCase().split("e");
  const digits = mantissa.replaceAll(/\D/g, "");
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return digits.slice(start, end);
}
