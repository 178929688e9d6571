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
    const [last, next] = [before.trimEnd().at(-1) ?? " ", after.at(0) ?? " "];
    // The name of a field, as in `{steps: 1}`.
    if (last === "{" && next === ":") return false;
    const statement = before.slice(Math.max(before.lastIndexOf(";"), before.lastIndexOf("=")) + 1);
    if (/\b(?:let|const|var|function|class|catch)\b/.test(statement) || after.startsWith("=>")) return true;
    return "(,{[:".includes(last) && ",)}]=:".includes(next);
  });
}

/** Rewrites the expressions of a text with `{{ }}`. */
export function rewriteTemplate(text: string, before: string, after: string): string {
  let written = "";
  let position = 0;
  for (const { from, to } of expressionsOf(text)) {
    written += text.slice(position, from) + rewriteExpression(text.slice(from, to), before, after);
    position = to;
  }
  return written + text.slice(position);
}

/** Whether an expression reads the steps in another way than by a written key, as a whole for example. */
export const readsOtherwise = (text: string, language: Language): boolean =>
  usesIn(text, language, 0, text.length).some(({ read }) => read === null);

/** The same for a text with `{{ }}`. */
export const templateReadsOtherwise = (text: string): boolean =>
  expressionsOf(text).some(({ from, to }) => readsOtherwise(text.slice(from, to), "expression"));

interface Part {
  readonly from: number;
  readonly to: number;
}

/** What stands between `{{` and `}}`. */
function expressionsOf(text: string): readonly Part[] {
  const found: Part[] = [];
  let position = 0;
  for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", position)) {
    const to = endOfExpression(text, open + 2);
    if (to < 0) break;
    found.push({ from: open + 2, to });
    position = to;
  }
  return found;
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
  for (const { end, read } of usesIn(text, language, 0, text.length)) {
    if (read?.key !== before) continue;
    written += text.slice(kept, end) + read.write(after);
    kept = read.end;
  }
  return written + text.slice(kept);
}

/** A name `steps`. */
interface Use {
  /** Where the name ends. */
  readonly end: number;
  /** The key that it is read with; null without one. */
  readonly read: Read | null;
}

/** The names `steps` in a part of a text, in their order. */
function usesIn(text: string, language: Language, from: number, to: number): readonly Use[] {
  const found: Use[] = [];
  for (let at = from; at < to; ) {
    const skipped = endOfSkipped(text, at, language);
    if (skipped > at) {
      const parts = text[at] === "`" ? substitutionsOf(text, at) : [];
      for (const part of parts) for (const use of usesIn(text, language, part.from, part.to)) found.push(use);
      at = skipped;
      continue;
    }
    const end = endOfWord(text, at);
    const isUse = isWordAt(text, at, "steps");
    const read = isUse ? readOf(text, end) : null;
    if (isUse) found.push({ end, read });
    at = read?.end ?? end;
  }
  return found;
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
    // What is called is a function of the map of all steps, such as `steps.exists()`.
    if (!isName(key) || text[skipSpace(text, end)] === "(") return null;
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
  const found: Part[] = [];
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
  // A field of that name, such as `input.steps`, is something else; `...steps` is not.
  let before = at - 1;
  while (before >= 0 && SPACE.test(text.charAt(before))) before--;
  if (before < 0 || text.slice(Math.max(0, before - 2), before + 1) === "...") return true;
  return text[before] !== "." && !IDENTIFIER_LETTER.test(text.charAt(at - 1)) && text[at - 1] !== "$";
}
