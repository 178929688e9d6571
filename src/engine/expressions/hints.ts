/** Suggests a correction for an invalid expression. Pure. */
import { didYouMean } from "../../messages/closest-name.ts";

const UNKNOWN = /^Unknown variable: (\w+)/;

/** Returns a sentence with a leading space, or "". @param reason Why the expression cannot be compiled. */
export function hintOf(reason: string, text: string, names: readonly string[]): string {
  const plain = text.trim();
  if (plain.startsWith("{{") && plain.endsWith("}}")) {
    return ` Write the expression without braces: ${JSON.stringify(plain.slice(2, -2).trim())}.`;
  }
  // The third character of `===` or `!==`.
  if (reason.startsWith("Unexpected character: =") && /[!=]==/.test(plain)) return " CEL uses == and !=.";
  const [, name] = UNKNOWN.exec(reason) ?? [];
  return name === undefined ? "" : didYouMean(name, names) || ` Available: ${names.join(", ")}.`;
}
