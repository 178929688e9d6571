/** Texts by code point, as CEL counts them: JavaScript counts an emoji as two. Pure. */

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

/** Where in a text the code point at a position begins; its end for positions behind it. */
function unitAt(text: string, position: number): number {
  if (!SURROGATE.test(text)) return Math.min(position, text.length);
  let unit = 0;
  for (let left = position; left > 0 && unit < text.length; left--) unit += widthAt(text, unit);
  return unit;
}

/** From one position up to before another, both counted from the end where they are negative. */
export function sliceText(text: string, from: number, to = Number.POSITIVE_INFINITY): string {
  const length = from < 0 || to < 0 ? countCodePoints(text) : 0;
  const absolute = (position: number) => (position < 0 ? Math.max(0, length + position) : position);
  const [begin, end] = [absolute(from), absolute(to)];
  return begin >= end ? "" : text.slice(unitAt(text, begin), unitAt(text, end));
}

/** @throws Error for positions that the text does not have. */
export function substring(text: string, from: number, to?: number): string {
  const length = countCodePoints(text);
  const end = to ?? length;
  if (from < 0 || from > length) throw new Error(`position ${from} is out of range in a string of length ${length}`);
  if (end < from || end > length) throw new Error(`position ${end} must be between ${from} and ${length}`);
  return sliceText(text, from, end);
}

/** The code point at a position; "" right behind the last. @throws Error for positions beyond. */
export function charAt(text: string, position: number): string {
  const length = countCodePoints(text);
  if (position < 0 || position > length)
    throw new Error(`position ${position} is out of range in a string of length ${length}`);
  return sliceText(text, position, position + 1);
}

/** Where a text begins in another, at or behind a position; -1 where it does not. */
export function indexOf(text: string, search: string, from = 0): number {
  checkBegin(text, search, from);
  return positionOf(text, text.indexOf(search, unitAt(text, from)));
}

/** Where a text begins in another for the last time, at or before a position; -1 where it does not. */
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

/** The parts between a text, at most so many of them; each code point where it is empty. */
export function splitText(text: string, between: string, most = -1): string[] {
  if (most === 0) return [];
  const parts = between === "" ? [...text] : text.split(between);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(between)];
}

/** What CEL and Unicode call white space (property `White_Space`). */
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

/** The order of two texts by their code points: negative, 0 or positive. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let unit = 0;
  while (unit < length && a.charCodeAt(unit) === b.charCodeAt(unit)) unit++;
  return unit === length ? a.length - b.length : rankOf(a.charCodeAt(unit)) - rankOf(b.charCodeAt(unit));
}

/** Surrogates stand for code points above all others, but not at the end of the code units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
