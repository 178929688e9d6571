/** Numbers and moments of web pages, which people write otherwise than programs: in the notation of the page, and in UTC. Pure. */
import type { FieldError } from "../errors.ts";
import { type Language, localeOf } from "../web-pages/languages.ts";
import { type FormField, isWritten, linesOf, plainText, type Submitted, withNested } from "./form-values.ts";
import { createNotation, isExact, type Notation } from "./model/notation.ts";

/** The notation of numbers on pages of a language. */
export const notationOf = (language: Language): Notation => createNotation(localeOf(language));

/** Whether people write the numbers of a field. Those that they choose are sent as they are. */
export const isWrittenNumber = (form: FormField): boolean => form.field.type === "number" && isWritten(form);

/** Whether people write the moments of a field. */
const isWrittenMoment = (form: FormField): boolean => form.field.type === "datetime" && isWritten(form);

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

/** The texts of a page as programs send them. Those that cannot be read stay as they are: numbers with an error. */
export function withPlainValues(
  fields: readonly FormField[],
  texts: Submitted,
  notation: Notation,
): { readonly texts: Submitted; readonly errors: readonly FieldError[] } {
  const plain = new Map(texts);
  const errors: FieldError[] = [];
  for (const form of withNested(fields)) {
    const { name } = form;
    const given = texts.get(name);
    if (given === undefined) continue;
    if (isWrittenMoment(form))
      plain.set(
        name,
        given.map((text) => eachLine(text, plainMoment)),
      );
    if (!isWrittenNumber(form)) continue;
    plain.set(
      name,
      given.map((text) => eachLine(text, (line) => plainNumber(line, notation))),
    );
    const message = `Must be a number, such as ${notation.example}.`;
    if (numberProblem(given, notation) !== null) errors.push({ pointer: name, message });
  }
  return { texts: plain, errors };
}

const eachLine = (text: string, plain: (line: string) => string): string => linesOf(text).map(plain).join("\n");

function plainNumber(text: string, notation: Notation): string {
  const read = readNumber(text, notation);
  return typeof read === "number" ? String(read) : text;
}

/** As browsers send it. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;

function plainMoment(text: string): string {
  const [, seconds] = MOMENT.exec(text) ?? [null, null];
  if (seconds === null) return text;
  return `${text}${seconds === undefined ? ":00" : ""}Z`;
}

/** The text with which a page shows a value. */
export function writtenText(form: FormField, value: unknown, notation: Notation): string {
  const text = plainText(value);
  if (isWrittenNumber(form)) return notation.formatNumber(Number(value));
  if (!isWrittenMoment(form) || MOMENT.test(text)) return text;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString().replace(/(\.000)?Z$/, "");
}
