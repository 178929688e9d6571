/**
 * Changes the key in `steps.KEY` and `steps["KEY"]` in expressions, templates and code. Pure. Texts and comments within them
 * stay as they are: what is not certainly a reference is left alone.
 */
import { isName } from "../../expressions/known-value.ts";

const IDENTIFIER_LETTER = /\w/;
const SPACE = /\s/;

/** How code and expressions differ where it matters here. */
type Language = "expression" | "code";

/** Rewrites an expression. */
export const rewriteExpression = (text: string, before: string, after: string): string =>
  rewriteSource(text, before, after, "expression");

/** Rewrites code. Code that has a variable `steps` of its own stays as it is. */
export function rewriteCode(text: string, before: string, after: string): string {
  return declaresSteps(text) ? text : rewriteSource(text, before, after, "code");
}

/** Characters around a name that decide what it is. */
const AROUND = 200;

/** Whether a name `steps` may be something else than the steps of the run. */
function declaresSteps(code: string): boolean {
  return [...code.matchAll(/\bsteps\b/g)].some(({ index }) => {
    const before = code.slice(Math.max(0, index - AROUND), index);
    const after = code.slice(index + "steps".length, index + AROUND).trimStart();
    const statement = before.slice(Math.max(before.lastIndexOf(";"), before.lastIndexOf("=")) + 1);
    if (/\b(?:let|const|var|function|class|catch)\b/.test(statement) || after.startsWith("=>")) return true;
    return "(,{[".includes(before.trimEnd().at(-1) ?? " ") && ",)}]=:".includes(after.at(0) ?? " ");
  });
}

/** Rewrites the expressions of a text with `{{ }}`. */
export function rewriteTemplate(text: string, before: string, after: string): string {
  let written = "";
  let position = 0;
  for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", position)) {
    const close = endOfExpression(text, open + 2);
    if (close < 0) break;
    written += text.slice(position, open + 2);
    written += rewriteExpression(text.slice(open + 2, close), before, after);
    position = close;
  }
  return written + text.slice(position);
}

/** The index of the closing `}}`. */
function endOfExpression(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"' || letter === "'") at = endOfText(text, at) - 1;
    else if (letter === "{") depth++;
    else if (letter === "}" && depth > 0) depth--;
    else if (letter === "}" && text[at + 1] === "}") return at;
  }
  return -1;
}

function rewriteSource(text: string, before: string, after: string, language: Language): string {
  let written = "";
  let kept = 0;
  const replace = (from: number, to: number, by: string) => {
    written += text.slice(kept, from) + by;
    kept = to;
  };
  for (let at = 0; at < text.length; ) {
    const skipped = endOfSkipped(text, at, language);
    if (skipped > at) {
      if (text[at] === "`") {
        for (const { from, to } of substitutionsOf(text, at)) {
          replace(from, to, rewriteSource(text.slice(from, to), before, after, language));
        }
      }
      at = skipped;
      continue;
    }
    const end = isWordAt(text, at, "steps") ? at + "steps".length : endOfWord(text, at);
    const read = isWordAt(text, at, "steps") ? readOf(text, end) : null;
    const isRead = read !== null && read.key === before;
    if (isRead) replace(end, read.end, read.write(after));
    at = isRead ? read.end : end;
  }
  return written + text.slice(kept);
}

interface Read {
  readonly key: string;
  readonly end: number;
  readonly write: (key: string) => string;
}

/** The key that follows `steps`. */
function readOf(text: string, start: number): Read | null {
  let at = skipSpace(text, start);
  const question = text[at] === "?" ? "?" : "";
  if (question !== "") at++; // `steps?.key` of code
  if (text[at] === ".") {
    const inner = text[at + 1] === "?" ? "?" : ""; // `steps.?key` of expressions
    const from = skipSpace(text, at + 1 + inner.length);
    const end = endOfWord(text, from);
    const key = text.slice(from, end);
    if (question !== "" && text[from] === "[") return bracketRead(text, from, `${question}.`);
    if (!isName(key)) return null;
    const write = (name: string) => {
      if (isName(name)) return `${question}.${inner}${name}`;
      return question === "" ? `[${inner}${JSON.stringify(name)}]` : `?.[${JSON.stringify(name)}]`;
    };
    return { key, end, write };
  }
  return question === "" && text[at] === "[" ? bracketRead(text, at, "") : null;
}

function bracketRead(text: string, open: number, prefix: string): Read | null {
  const inner = text[open + 1] === "?" ? "?" : "";
  const from = skipSpace(text, open + 1 + inner.length);
  const quote = text[from];
  if (quote !== '"' && quote !== "'") return null;
  const end = endOfText(text, from);
  const close = skipSpace(text, end);
  const content = text.slice(from + 1, end - 1);
  if (text[close] !== "]") return null;
  return { key: unescaped(content), end: close + 1, write: (key) => `${prefix}[${inner}${JSON.stringify(key)}]` };
}

/** A text without its escapes, as far as JSON knows them. */
function unescaped(content: string): string {
  if (!content.includes("\\")) return content;
  try {
    return String(JSON.parse(`"${content.replaceAll("\\'", "'").replaceAll('"', '\\"').replaceAll('\\\\"', '\\"')}"`));
  } catch {
    return content;
  }
}

/** Where a text, a comment or a regular expression that begins here ends; the same place if none does. */
function endOfSkipped(text: string, at: number, language: Language): number {
  const letter = text[at];
  if (letter === '"' || letter === "'") return endOfText(text, at);
  if (letter === "/" && text[at + 1] === "/") return endAfter(text, "\n", at + 2);
  if (language === "expression") return at;
  if (letter === "/" && text[at + 1] === "*") return endAfter(text, "*/", at + 2);
  if (letter === "`") return endOfLiteral(text, at);
  return letter === "/" && mayBePattern(text, at) ? endOfPattern(text, at) : at;
}

function endAfter(text: string, closing: string, from: number): number {
  const found = text.indexOf(closing, from);
  return found < 0 ? text.length : found + closing.length;
}

/** The place after a text in quotes, also in three of them. */
function endOfText(text: string, start: number): number {
  const quote = text.charAt(start);
  const fence = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let at = start + fence.length; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(fence, at)) return at + fence.length;
  }
  return text.length;
}

/** The place after a template literal. */
const endOfLiteral = (text: string, start: number): number => substitutionsOf(text, start).end;

/** The expressions of a template literal, and the place after it. */
function substitutionsOf(text: string, start: number) {
  const found: { readonly from: number; readonly to: number }[] = [];
  let at = start + 1;
  for (; at < text.length && text[at] !== "`"; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith("${", at)) {
      const to = endOfSubstitution(text, at + 2);
      found.push({ from: at + 2, to });
      at = to;
    }
  }
  return Object.assign(found, { end: Math.min(at + 1, text.length) });
}

/** The place of the brace that closes an expression in a template literal. */
function endOfSubstitution(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const skipped = endOfSkipped(text, at, "code");
    if (skipped > at) at = skipped - 1;
    else if (text[at] === "{") depth++;
    else if (text[at] === "}" && depth-- === 0) return at;
  }
  return text.length;
}

/** Whether a slash begins a regular expression: after an operator or at the start, not after a value. */
function mayBePattern(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && SPACE.test(text.charAt(before))) before--;
  if (before < 0 || "(,=:[!&|?{};+-*%<>~^".includes(text.charAt(before))) return true;
  return /\b(?:return|typeof|case|in|of|void|yield|await)$/.test(text.slice(Math.max(0, before - 8), before + 1));
}

function endOfPattern(text: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at++) {
    const letter = text[at];
    if (letter === "\\") at++;
    else if (letter === "[") isInClass = true;
    else if (letter === "]") isInClass = false;
    else if (letter === "/" && !isInClass) return at + 1;
  }
  return start + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACE.test(text.charAt(at))) at++;
  return at;
}

/** The place after a word, or after one other letter. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && IDENTIFIER_LETTER.test(text.charAt(at))) at++;
  return Math.max(at, start + 1);
}

function isWordAt(text: string, at: number, word: string): boolean {
  if (!text.startsWith(word, at) || IDENTIFIER_LETTER.test(text.charAt(at + word.length))) return false;
  // A field of that name, such as `input.steps`, is something else.
  let before = at - 1;
  while (before >= 0 && SPACE.test(text.charAt(before))) before--;
  return before < 0 || (text[before] !== "." && !IDENTIFIER_LETTER.test(text.charAt(at - 1)) && text[at - 1] !== "$");
}
