/** Where a text stops being JSON. Browsers word it differently, and often leave the place out. Pure. */

/** What may come next. A list or an object can end at once, but not after a comma. */
type Next = "value" | "item" | "name" | "firstName" | "comma";

/** @returns The position of the first character that is wrong, which is the end of a text that is unfinished; null for JSON. */
export function jsonErrorAt(text: string): number | null {
  /** What closes the lists and objects around the place. */
  const open: ("]" | "}")[] = [];
  let next: Next = "value";
  let at = skipSpace(text, 0);
  for (; at < text.length; at = skipSpace(text, at)) {
    const sign = text[at];
    const closes = sign === open.at(-1) && next !== "value" && next !== "name";
    if (closes) {
      open.pop();
      next = "comma";
      at++;
    } else if (next === "comma") {
      if (sign !== "," || open.length === 0) return at;
      next = open.at(-1) === "}" ? "name" : "value";
      at++;
    } else if (next === "name" || next === "firstName") {
      const name = readString(text, at);
      if (name.isWrong) return name.at;
      at = skipSpace(text, name.at);
      if (text[at] !== ":") return at;
      next = "value";
      at++;
    } else if (sign === "{" || sign === "[") {
      open.push(sign === "{" ? "}" : "]");
      next = sign === "{" ? "firstName" : "item";
      at++;
    } else {
      const read = sign === '"' ? readString(text, at) : readWord(text, at);
      if (read.isWrong) return read.at;
      next = "comma";
      at = read.at;
    }
  }
  return next === "comma" && open.length === 0 ? null : text.length;
}

export interface LinePlace {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export function linePlace(text: string, at: number): LinePlace {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

interface ReadPart {
  /** Behind the part, or at what is wrong in it. */
  readonly at: number;
  readonly isWrong: boolean;
}

const ESCAPED = /["\\/bfnrt]|u[\da-fA-F]{4}/y;

function readString(text: string, start: number): ReadPart {
  if (text[start] !== '"') return { at: start, isWrong: true };
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') return { at: at + 1, isWrong: false };
    if (sign < " ") return { at, isWrong: true };
    if (sign !== "\\") continue;
    ESCAPED.lastIndex = at + 1;
    const escaped = ESCAPED.exec(text)?.[0];
    if (escaped === undefined) return { at, isWrong: true };
    at += escaped.length;
  }
  return { at: text.length, isWrong: true };
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readWord(text: string, start: number): ReadPart {
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  return word === undefined ? { at: start, isWrong: true } : { at: start + word.length, isWrong: false };
}

/** Other characters that look like a space are none in JSON. */
const SPACES: ReadonlySet<string | undefined> = new Set([" ", "\t", "\n", "\r"]);

function skipSpace(text: string, from: number): number {
  let at = from;
  while (SPACES.has(text[at])) at++;
  return at;
}
