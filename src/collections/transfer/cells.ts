/**
 * Cells of CSV as JSON values, and back without loss. Pure.
 *
 * A cell that is a number, true, false, null, or a list, object or string as JSON has that value; every other cell is text.
 * Text that would read as one of these is written as a JSON string. Text that a spreadsheet would execute as a formula is
 * written after an apostrophe.
 */
import { type JsonValue, parseJson } from "../../json.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
/** Digits that every number has exactly. */
const EXACT_DIGITS = 15;

/** The beginning of a cell that spreadsheets execute, also in full width, after any apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const GUARDED = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Characters that a file of text must not contain: they are escaped in a JSON string. */
const UNPRINTABLE = /[\p{Cs}]|[^\P{Cc}\t\n\r]|\ufeff/u;

/** Text as a cell that no spreadsheet executes. */
export const guarded = (text: string) => (FORMULA.test(text) ? `'${text}` : text);
/** The text of a cell of {@link guarded}. */
export const unguarded = (cell: string) => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** The value of a cell; undefined for an empty one, which says nothing about its field. */
export function valueOfCell(cell: string): JsonValue | undefined {
  if (cell === "") return undefined;
  const word = WORDS.get(cell);
  if (word !== undefined) return word;
  if (NUMBER.test(cell)) return numberOf(cell) ?? cell;
  return jsonOf(cell) ?? unguarded(cell);
}

/** The cell of a value. */
export function cellOf(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const cell = guarded(value);
  return UNPRINTABLE.test(value) || valueOfCell(cell) !== value ? JSON.stringify(value) : cell;
}

/** A number that the cell gives exactly. Others, such as long account numbers, are text. */
function numberOf(cell: string): number | undefined {
  const number = Number(cell);
  if (!Number.isFinite(number)) return undefined;
  const [significand = ""] = cell.split(/[eE]/, 1);
  const digits = significand.replace(/\D/g, "").replace(/^0+/, "").length;
  return digits <= EXACT_DIGITS || JSON.stringify(number) === cell ? number : undefined;
}

/** A list, an object or a string; undefined if the cell is none. */
function jsonOf(cell: string): JsonValue | undefined {
  const first = cell[0];
  const last = cell.at(-1);
  const mayBeJson =
    (first === "{" && last === "}") || (first === "[" && last === "]") || (first === '"' && last === '"');
  if (!mayBeJson) return undefined;
  try {
    return parseJson(cell);
  } catch {
    return undefined;
  }
}
