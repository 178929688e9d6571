/** JSON that a person has typed. Pure. */
import { isTooDeep, type JsonValue, MAX_DEPTH } from "../../json.ts";
import { isExact } from "./notation.ts";

/**
 * `json`: not JSON. `deep`: nested deeper than the server accepts. `precise`: a number with more digits than are kept.
 */
export type JsonEntryProblem = "json" | "deep" | "precise";

/**
 * @param text Not blank.
 * @param levels Levels of nesting that the value may have. @default {@link MAX_DEPTH}
 */
export function readJsonEntry(
  text: string,
  levels = MAX_DEPTH,
): { readonly value: JsonValue } | { readonly problem: JsonEntryProblem } {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "json" };
  }
  if (hasInexactNumber(text)) return { problem: "precise" };
  return isTooDeep(value, levels) ? { problem: "deep" } : { value };
}

/** Shorter numbers without an exponent have all their digits. */
const MIN_INEXACT = 16;

/** Whether valid JSON has a number that is stored as another one: `JSON.parse` rounds it without an error. */
function hasInexactNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === MINUS || isDigit(sign)) {
      const start = at;
      while (at + 1 < text.length && isOfNumber(text.charCodeAt(at + 1))) at++;
      const literal = text.slice(start, at + 1);
      if ((literal.length >= MIN_INEXACT || /e/i.test(literal)) && !isExact(literal, Number(literal))) return true;
    }
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

const isDigit = (sign: number) => sign >= 0x30 && sign <= 0x39;

/** Digits, signs, the point and the letter of the exponent. */
const isOfNumber = (sign: number) =>
  isDigit(sign) || sign === MINUS || sign === 0x2b || sign === 0x2e || sign === 0x45 || sign === 0x65;

/** The position of the quote that ends a string of valid JSON. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
