/** Finds the line of a JSON Pointer in the text of a JSON document. */

import { pointerNames } from "../../../src/encoding/json-pointer.ts";

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** The line of a value, or of what contains it if the document does not have it. */
export function lineOfPointer(text: string, pointer: string): number {
  let offset = skipSpace(text, 0);
  for (const part of pointerNames(pointer)) {
    const next = childAt(text, offset, part);
    if (next === null) break;
    offset = next;
  }
  return lineAt(text, offset);
}

/** The offset of a property or an item of the value at an offset. The text is valid JSON. */
function childAt(text: string, offset: number, part: string): number | null {
  const isObject = text[offset] === "{";
  if (!isObject && text[offset] !== "[") return null;
  let at = skipSpace(text, offset + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]" && at < text.length; index++) {
    let name = String(index);
    let start = at;
    if (isObject) {
      const end = endOf(text, at);
      const parsed: unknown = JSON.parse(text.slice(at, end));
      name = String(parsed);
      start = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (name === part) return start;
    at = skipSpace(text, endOf(text, start));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return null;
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

/** The offset after the value at an offset. */
function endOf(text: string, offset: number): number {
  let depth = 0;
  for (let at = offset; at < text.length; ) {
    const char = text[at] ?? "";
    if (char === '"') {
      at = endOfString(text, at);
    } else if (char === "{" || char === "[") {
      depth++;
      at++;
    } else if (char === "}" || char === "]") {
      depth--;
      at++;
    } else if (depth === 0) {
      while (at < text.length && !/[\s,}\]]/.test(text[at] ?? "")) at++;
    } else {
      at++;
    }
    if (depth === 0) return at;
  }
  return text.length;
}

function endOfString(text: string, offset: number): number {
  let at = offset + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
