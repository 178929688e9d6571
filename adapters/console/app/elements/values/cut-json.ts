/** The value that the start of a JSON text describes, where the text ends anywhere. Pure. */
import type { JsonValue } from "../../../../../src/json.ts";

export interface CutValue {
  /** As far as the text says: a number that may go on, or a name without its value, is left out. */
  readonly value: JsonValue;
  /** Names of what leads to the text, list or object that the end cuts. Empty for the value itself. */
  readonly path: readonly string[];
}

interface Open {
  readonly isList: boolean;
  /** Of the entry that was begun last. */
  name: string;
  index: number;
  /** Whether a text is the name of an entry. */
  expectsName: boolean;
}

/** Returns null if the text ends before it says anything, or is no JSON. */
export function parseCutJson(text: string): CutValue | null {
  const open: Open[] = [];
  let isTextCut = false;
  /** Up to here, the text needs only what closes it. */
  let whole = 0;
  let at = 0;

  /** Returns whether the text ends within it. */
  function readText(): boolean {
    const end = endOfText(text, at);
    const parent = open.at(-1);
    const isName = parent?.expectsName === true;
    if (end === null) {
      isTextCut = !isName;
      if (isTextCut) whole = withoutCutEscape(text);
      return true;
    }
    if (isName) {
      parent.name = JSON.parse(text.slice(at, end));
      parent.expectsName = false;
    } else whole = end;
    at = end;
    return false;
  }

  /** Returns whether the text ends behind it, so that it may go on. */
  function readScalar(): boolean {
    while (at < text.length && !",]}".includes(text.charAt(at))) at++;
    if (at === text.length) return true;
    whole = at;
    return false;
  }

  function readSign(sign: string): void {
    at++;
    const parent = open.at(-1);
    if (sign === "," && parent !== undefined) {
      parent.index++;
      parent.expectsName = !parent.isList;
    } else if (sign === "[" || sign === "{") {
      open.push({ isList: sign === "[", name: "", index: 0, expectsName: sign === "{" });
      whole = at;
    } else if (sign === "]" || sign === "}") {
      open.pop();
      whole = at;
    }
  }

  for (let hasEnded = false; at < text.length && !hasEnded; ) {
    const sign = text.charAt(at);
    if (sign === '"') hasEnded = readText();
    else if (",:[]{}".includes(sign)) readSign(sign);
    else hasEnded = readScalar();
  }
  const path = (isTextCut ? open : open.slice(0, -1)).map(({ isList, name, index }) => (isList ? String(index) : name));
  const closing = open.map(({ isList }) => (isList ? "]" : "}")).reverse();
  return parsed(`${text.slice(0, whole)}${isTextCut ? '"' : ""}${closing.join("")}`, path);
}

function parsed(json: string, path: readonly string[]): CutValue | null {
  try {
    return { value: JSON.parse(json), path };
  } catch {
    return null;
  }
}

/** Returns the index behind the quote that ends a text; null if there is none. */
function endOfText(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') return at + 1;
    if (sign === "\\") at++;
  }
  return null;
}

/** Returns the length of a text without an escape, such as `\u00e9`, that its end cuts. */
function withoutCutEscape(text: string): number {
  const last = text.lastIndexOf("\\");
  let first = last;
  while (first > 0 && text.charAt(first - 1) === "\\") first--;
  // Two backslashes are one character.
  const isEscape = last !== -1 && (last - first) % 2 === 0;
  const length = text.charAt(last + 1) === "u" ? 6 : 2;
  return isEscape && last + length > text.length ? last : text.length;
}
