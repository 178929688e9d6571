/**
 * The order of values, as text that sorts by code units: no value, lists and objects, false, true, numbers, texts. Numbers
 * are compared as numbers and texts by code points. Only their first characters are compared.
 */
import type { JsonValue } from "../../../json.ts";

/** Characters of an order. It is part of rows and page tokens, so it contains only `!` to `~`. */
const MAX_ORDER_CHARS = 128;

/** First and last order of each type. */
export const ORDERS = {
  none: { from: "0", until: "0" },
  numbers: { from: "3", until: "3~" },
  texts: { from: "4", until: "5" },
  values: { from: "1", until: "5" },
} as const;

/** @param value Undefined if the record has no value in the field. */
export function orderOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ORDERS.none.from;
  if (typeof value === "boolean") return value ? "21" : "20";
  if (typeof value === "number") return ORDERS.numbers.from + orderOfNumber(value);
  if (typeof value === "string") return orderOfText(value);
  return "1";
}

/** The bits of a double sort like numbers if those of negative numbers are inverted. */
function orderOfNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value); // -0 equals 0
  const bits = view.getBigUint64(0);
  const sign = 1n << 63n;
  return (value < 0 ? BigInt.asUintN(64, ~bits) : bits | sign).toString(16).padStart(16, "0");
}

function orderOfText(text: string): string {
  let order: string = ORDERS.texts.from;
  for (let at = 0; at < text.length && order.length < MAX_ORDER_CHARS; ) {
    const point = text.codePointAt(at) ?? 0;
    order += orderOfPoint(point);
    at += point > 0xffff ? 2 : 1;
  }
  return order.slice(0, MAX_ORDER_CHARS);
}

const FIRST_PLAIN = 0x23;
const FIRST_SHORT = 0x7d;
/** Digits `!` to `}`. */
const BASE = 93;
const FIRST_LONG = FIRST_SHORT + BASE ** 2;

/** ASCII stays as it is. Other characters are encoded so that they keep their order. */
function orderOfPoint(point: number): string {
  if (point < FIRST_PLAIN) return `!${String.fromCharCode(0x40 + point)}`;
  if (point < FIRST_SHORT) return String.fromCharCode(point);
  return point < FIRST_LONG ? `}${digits(point - FIRST_SHORT, 2)}` : `~${digits(point, 4)}`;
}

function digits(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < length; index++) {
    text = String.fromCharCode(0x21 + (rest % BASE)) + text;
    rest = Math.floor(rest / BASE);
  }
  return text;
}

/** Compares texts by code points. Code units would put characters beyond U+FFFF before U+E000. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  if (at === length) return one.length - other.length;
  const before = at > 0 ? (one.codePointAt(at - 1) ?? 0) : 0;
  const otherBefore = at > 0 ? (other.codePointAt(at - 1) ?? 0) : 0;
  // The difference may be in the second half of a character.
  if (before !== otherBefore) return before - otherBefore;
  return (one.codePointAt(at) ?? 0) - (other.codePointAt(at) ?? 0);
}
