/** The value that the start of a JSON text describes, where the text ends anywhere. Pure. */
import type { JsonValue } from "../../../../../src/json.ts";

export interface CutValue {
  /** As far as the text says: a number that may go on, or a name without its value, is left out. */
  readonly value: JsonValue;
  /** Names of what leads to the text, list or object that the end cuts. Empty for the value itself. */
  readonly path: readonly string[];
}

/** A list or object that has not ended. */
interface Open {
  readonly close: "]" | "}";
  /** Of the entry that was begun last: the index in a list. */
  name: string | number;
  /** Whether the next text is a name. */
  expectsName: boolean;
}

/** Returns null if the text ends before it says anything, or is no JSON. */
export function parseCutJson(text: string): CutValue | null {
  const open: Open[] = [];
  /** Up to here, the text needs only what closes it. */
  let whole = 0;
  let isTextCut = false;
  for (let at = 0; at < text.length; ) {
    const sign = text.charAt(at);
    const inner = open.at(-1);
    const end = sign === '"' ? endOfText(text, at) : /[^,:[\]{}]/.test(sign) ? endOfWord(text, at) : at + 1;
    if (end === null) {
      isTextCut = sign === '"' && inner?.expectsName !== true;
      if (isTextCut) whole = withoutCutEscape(text);
      break;
    }
    if (inner?.expectsName === true && sign === '"') {
      inner.name = JSON.parse(text.slice(at, end));
      inner.expectsName = false;
    } else if (sign === "," && inner !== undefined) {
      if (typeof inner.name === "number") inner.name++;
      else inner.expectsName = true;
    } else if (sign !== ":") {
      if (sign === "[") open.push({ close: "]", name: 0, expectsName: false });
      else if (sign === "{") open.push({ close: "}", name: "", expectsName: true });
      else if (sign === "]" || sign === "}") open.pop();
      whole = end;
    }
    at = end;
  }
  const closing = open.map(({ close }) => close).reverse();
  try {
    return {
      value: JSON.parse(`${text.slice(0, whole)}${isTextCut ? '"' : ""}${closing.join("")}`),
      path: (isTextCut ? open : open.slice(0, -1)).map(({ name }) => String(name)),
    };
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

/** Returns the index behind a number or a word; null if it may go on. */
function endOfWord(text: string, start: number): number | null {
  for (let at = start; at < text.length; at++) if (",]}".includes(text.charAt(at))) return at;
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
