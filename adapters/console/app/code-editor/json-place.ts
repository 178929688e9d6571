/** Where the value of a JSON Pointer stands in a JSON text. Pure. */
import { pointerNames } from "../../../../src/encoding/json-pointer.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

const SPACE = /\s/;
const SCALAR_END = /[\s,\]}]/;

/** @returns The place of the value, or of the nearest one around it; null if the text is no JSON. */
export function rangeOf(text: string, pointer: string): Range | null {
  let at = skipSpace(text, 0);
  for (const part of pointerNames(pointer)) {
    const found = text[at] === "{" ? memberOf(text, at, part) : text[at] === "[" ? itemOf(text, at, part) : null;
    if (found === null) break;
    at = found;
  }
  const to = endOfValue(text, at);
  return to === null || to <= at ? null : { from: at, to };
}

/** The start of a member's value. */
function memberOf(text: string, open: number, name: string): number | null {
  let at = skipSpace(text, open + 1);
  while (text[at] === '"') {
    const end = endOfText(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (nameOf(text.slice(at, end)) === name) return value;
    const next = endOfValue(text, value);
    if (next === null) return null;
    at = afterComma(text, next);
  }
  return null;
}

function nameOf(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

function itemOf(text: string, open: number, index: string): number | null {
  let at = skipSpace(text, open + 1);
  for (let left = Number(index); at < text.length && text[at] !== "]"; left--) {
    if (left === 0) return at;
    const next = endOfValue(text, at);
    if (next === null) return null;
    at = afterComma(text, next);
  }
  return null;
}

function afterComma(text: string, from: number): number {
  const at = skipSpace(text, from);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

/** The place after a value; null if it never ends. */
function endOfValue(text: string, start: number): number | null {
  const first = text[start];
  if (first === '"') return endOfText(text, start);
  let at = start;
  if (first !== "{" && first !== "[") {
    while (at < text.length && !SCALAR_END.test(text.charAt(at))) at++;
    return at;
  }
  for (let depth = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfText(text, at) - 1;
    else if (letter === "{" || letter === "[") depth++;
    else if ((letter === "}" || letter === "]") && --depth === 0) return at + 1;
  }
  return null;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text.charAt(at))) at++;
  return at;
}
