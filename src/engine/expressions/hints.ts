/** Explains why an expression is invalid or fails, and suggests a correction. Pure. */
import { didYouMean } from "../../messages/closest-name.ts";

const UNKNOWN = /^Unknown variable: (\w+)/;

/** Whether an expression is written as a template. */
export function isBraced(text: string): boolean {
  const plain = text.trim();
  return plain.startsWith("{{") && plain.endsWith("}}");
}

/** Returns a sentence with a leading space, or "". @param reason Why the expression cannot be compiled. */
export function hintOf(reason: string, text: string, names: readonly string[]): string {
  const plain = text.trim();
  if (isBraced(text)) {
    return ` Write the expression without braces: ${JSON.stringify(plain.slice(2, -2).trim())}.`;
  }
  // The third character of `===` or `!==`.
  if (reason.startsWith("Unexpected character: =") && /[!=]==/.test(plain)) return " CEL uses == and !=.";
  const [, name] = UNKNOWN.exec(reason) ?? [];
  return name === undefined ? "" : didYouMean(name, names) || ` Available: ${names.join(", ")}.`;
}

const UNARY = /^no such overload: ([!-])(.+)$/;
const NO_OVERLOAD = "no such overload: ";
const BINARY: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in"]);
const NUMBERS: ReadonlySet<string> = new Set(["int", "uint", "double"]);
const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["bool", "a boolean"],
  ["bytes", "bytes"],
  ["google.protobuf.Timestamp", "a date"],
  ["google.protobuf.Duration", "a duration"],
  ["dyn", "this value"],
]);

/** Rephrases what the CEL library says about operands of the wrong type. Returns all other reasons unchanged. */
export function explain(reason: string): string {
  const [, sign, operand] = UNARY.exec(reason) ?? [];
  if (sign !== undefined && operand !== undefined) return `Cannot apply ${sign} to ${typeText(operand)}`;
  if (!reason.startsWith(NO_OVERLOAD)) return reason;
  const words = reason.slice(NO_OVERLOAD.length).split(" ");
  const at = words.findIndex((word) => BINARY.has(word));
  const [left, operator = "", right] = [words.slice(0, at).join(" "), words[at], words.slice(at + 1).join(" ")];
  if (at < 0 || left === "" || right === "") return reason;
  const [one, other] = [typeText(left), typeText(right)];
  return /[<>=]/.test(operator)
    ? `Cannot compare ${one} with ${other}`
    : `Cannot apply ${operator} to ${one} and ${other}`;
}

/** Ends the reason with how to compare a string with a number, or is "". */
export function conversionHint(reason: string): string {
  const isMixed = /^Cannot compare (?:a string with a number|a number with a string)/.test(reason);
  return isMixed ? ". Convert the string with number()." : "";
}

function typeText(type: string): string {
  const plain = type.replace(/^dyn<(.+)>$/, "$1");
  if (NUMBERS.has(plain)) return "a number";
  if (plain.startsWith("list")) return "a list";
  if (plain.startsWith("map")) return "an object";
  return TYPES.get(plain) ?? plain;
}
