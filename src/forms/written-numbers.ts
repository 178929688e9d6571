/** Numbers of web pages, which people write in the notation of the language of the page. Pure. */
import type { FieldError } from "../errors.ts";
import { type Language, localeOf } from "../web-pages/languages.ts";
import { type FormField, isWrittenNumber, linesOf, type Submitted, withNested } from "./form-values.ts";
import { createNotation, isExact, type Notation } from "./model/notation.ts";

/** The notation of numbers on pages of a language. */
export const notationOf = (language: Language): Notation => createNotation(localeOf(language));

/** Why a text is not read as a number. `precise`: it has more digits than a number keeps. */
type NumberProblem = "number" | "precise";

function readNumber(text: string, notation: Notation): number | NumberProblem {
  const value = notation.parseNumber(text);
  if (value === null) return "number";
  return isExact(text, value) ? value : "precise";
}

/** What is wrong with the numbers of a control; null for nothing. */
export function numberProblem(texts: readonly string[], notation: Notation): NumberProblem | null {
  const read = texts.flatMap(linesOf).map((text) => readNumber(text, notation));
  if (read.includes("number")) return "number";
  return read.includes("precise") ? "precise" : null;
}

/** The texts of a page with plain numbers, as programs send them. Those that cannot be read stay as they are, with an error. */
export function withPlainNumbers(
  fields: readonly FormField[],
  texts: Submitted,
  notation: Notation,
): { readonly texts: Submitted; readonly errors: readonly FieldError[] } {
  const names = new Set(withNested(fields).flatMap((one) => (isWrittenNumber(one) ? [one.name] : [])));
  const written = [...texts].filter(([name]) => names.has(name));
  const plain = written.map(([name, given]) => [name, given.map((text) => plainLines(text, notation))] as const);
  const message = `Must be a number, such as ${notation.example}.`;
  const wrong = written.filter(([, given]) => numberProblem(given, notation) !== null);
  return { texts: new Map([...texts, ...plain]), errors: wrong.map(([pointer]) => ({ pointer, message })) };
}

function plainLines(text: string, notation: Notation): string {
  return linesOf(text)
    .map((line) => {
      const read = readNumber(line, notation);
      return typeof read === "number" ? String(read) : line;
    })
    .join("\n");
}
