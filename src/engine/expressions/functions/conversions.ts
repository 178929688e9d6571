/** Conversions between CEL types. The library lacks some, and accepts invalid strings in others. Pure. */
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { dateOf } from "./date-functions.ts";
import { durationText, instant, parseDuration } from "./durations.ts";

/** Handlers by CEL signature. `Timestamp` and `Duration` stand for the types in `google.protobuf`. */
export const CONVERSIONS = {
  "int(uint): int": (value: UnsignedInt) => integer(value.value),
  "int(double): int": (value: number) => integer(wholeOf(value)),
  "int(string): int": (text: string) => integer(parseInteger(text)),
  "int(Timestamp): int": (date: Date) => BigInt(Math.floor(date.getTime() / 1000)),

  "uint(int): uint": (value: bigint) => toUnsigned(value),
  "uint(double): uint": (value: number) => toUnsigned(wholeOf(value)),
  "uint(string): uint": (text: string) => toUnsigned(parseInteger(text)),

  "double(string): double": parseDouble,

  "string(bytes): string": utf8Of,
  "string(Timestamp): string": (date: Date) => date.toISOString(),
  "string(Duration): string": durationText,
  "bytes(string): bytes": (text: string) => new TextEncoder().encode(text),

  "timestamp(string): Timestamp": parseTimestamp,
  "timestamp(int): Timestamp": (seconds: bigint) => instant(Number(seconds) * 1000),
  "timestamp(double): Timestamp": (seconds: number) => instant(Math.floor(seconds * 1000)),
  "timestamp(Timestamp): Timestamp": (date: Date) => date,
  "duration(string): Duration": parseDuration,
  "duration(Duration): Duration": (duration: object) => duration,
} as const;

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;
/** Longer than any 64-bit number. */
const MAX_DIGITS = 25;

function integer(value: bigint): bigint {
  if (value > MAX_INT || value < MIN_INT) throw new Error(`${value} is out of range for a 64-bit integer`);
  return value;
}

function toUnsigned(value: bigint): UnsignedInt {
  if (value > MAX_UINT || value < 0n) throw new Error(`${value} is out of range for an unsigned 64-bit integer`);
  return new UnsignedInt(value);
}

/**
 * Truncates towards zero. Doubles near the limits of 64-bit integers are out of range, or may represent such a value.
 */
function wholeOf(value: number): bigint {
  if (value > -(2 ** 63) && value < 2 ** 64) return BigInt(Math.trunc(value));
  throw new Error(`${value} is out of range for a 64-bit integer`);
}

function parseInteger(text: string): bigint {
  if (text.length <= MAX_DIGITS && /^[+-]?\d+$/.test(text)) return BigInt(text.replace("+", ""));
  throw new Error(`${quote(text)} is not an integer`);
}

const INFINITE = /^([+-]?)(?:inf|infinity)$/i;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function parseDouble(text: string): number {
  if (DECIMAL.test(text)) return Number(text);
  if (/^nan$/i.test(text)) return Number.NaN;
  const sign = INFINITE.exec(text)?.[1];
  if (sign === undefined) throw new Error(`${quote(text)} is not a number`);
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function utf8Of(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("the bytes are not valid UTF-8");
  }
}

/** RFC 3339, without abbreviations. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

function parseTimestamp(text: string): Date {
  if (TIMESTAMP.test(text)) return instant(dateOf(text).getTime());
  throw new Error(`${quote(text)} is not a timestamp such as 2027-01-31T09:30:00Z`);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 50));
}
