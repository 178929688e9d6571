/** Strings by code point, as CEL counts them. JavaScript counts an emoji as two units. Pure. */

import { type Budget, MAX_OPERATIONS } from "../operation-budget.ts";

const SURROGATE = /[\ud800-\udfff]/;

export function countCodePoints(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let unit = 0; unit < text.length; count++) unit += widthAt(text, unit);
  return count;
}

function widthAt(text: string, unit: number): number {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Returns the index of the code unit at which the code point at a position begins, or the text's length if there is
 * none.
 */
function unitAt(text: string, position: number): number {
  if (!SURROGATE.test(text)) return Math.min(position, text.length);
  let unit = 0;
  for (let left = position; left > 0 && unit < text.length; left--) unit += widthAt(text, unit);
  return unit;
}

/** Returns the text from one position up to, but not including, another. Negative positions count from the end. */
export function sliceText(text: string, from: number, to = Number.POSITIVE_INFINITY): string {
  const length = from < 0 || to < 0 ? countCodePoints(text) : 0;
  const absolute = (position: number) => (position < 0 ? Math.max(0, length + position) : position);
  const [begin, end] = [absolute(from), absolute(to)];
  return begin >= end ? "" : text.slice(unitAt(text, begin), unitAt(text, end));
}

/** @throws Error if a position is out of range. */
export function substring(text: string, from: number, to?: number): string {
  const length = countCodePoints(text);
  const end = to ?? length;
  if (from < 0 || from > length) throw new Error(`position ${from} is out of range in a string of length ${length}`);
  if (end < from || end > length) throw new Error(`position ${end} must be between ${from} and ${length}`);
  return sliceText(text, from, end);
}

/** Returns the code point at a position, or "" at the end of the text. @throws Error for positions beyond the end. */
export function charAt(text: string, position: number): string {
  const length = countCodePoints(text);
  if (position < 0 || position > length)
    throw new Error(`position ${position} is out of range in a string of length ${length}`);
  return sliceText(text, position, position + 1);
}

/** Returns the first position of `search` at or after `from`, or -1. */
export function indexOf(text: string, search: string, from = 0): number {
  checkBegin(text, search, from);
  return positionOf(text, text.indexOf(search, unitAt(text, from)));
}

/** Returns the last position of `search` at or before `from`, or -1. */
export function lastIndexOf(text: string, search: string, from?: number): number {
  if (from === undefined) return positionOf(text, text.lastIndexOf(search));
  checkBegin(text, search, from);
  return positionOf(text, text.lastIndexOf(search, unitAt(text, from)));
}

function checkBegin(text: string, search: string, from: number): void {
  const length = countCodePoints(text);
  if (from >= 0 && (from < length || (from === length && (from === 0 || search === "")))) return;
  throw new Error(`position ${from} is out of range in a string of length ${length}`);
}

function positionOf(text: string, unit: number): number {
  return unit <= 0 ? unit : countCodePoints(text.slice(0, unit));
}

export function reverseText(text: string): string {
  return [...text].reverse().join("");
}

/** One part more than any expression may have. Otherwise, a long text would fill the memory before it is charged. */
const MAX_PARTS = MAX_OPERATIONS + 1;

/**
 * Splits a text into at most `most` parts; the last contains the rest. An empty separator splits into code points.
 * Charges for each part.
 */
export function splitText(text: string, between: string, { spend }: Pick<Budget, "spend">, most = -1): string[] {
  if (most === 0) return [];
  // A code point has at most two units.
  const parts = between === "" ? [...text.slice(0, 2 * MAX_PARTS)] : text.split(between, MAX_PARTS);
  spend(parts.length);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(between)];
}

/** Trims white space as CEL and Unicode define it (property `White_Space`). */
export function trimText(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && isSpace(text.charCodeAt(begin))) begin++;
  while (end > begin && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}

function isSpace(unit: number): boolean {
  return unit <= 0x20
    ? unit === 0x20 || (unit >= 9 && unit <= 13)
    : unit > 0x7f && /\p{White_Space}/u.test(String.fromCharCode(unit));
}

/** Compares two texts by code points. Returns a negative number, 0 or a positive number. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let unit = 0;
  while (unit < length && a.charCodeAt(unit) === b.charCodeAt(unit)) unit++;
  return unit === length ? a.length - b.length : rankOf(a.charCodeAt(unit)) - rankOf(b.charCodeAt(unit));
}

/** Surrogates represent the highest code points, but are not the highest code units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
