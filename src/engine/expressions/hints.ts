/** What to write instead of what is no expression, where that can be guessed. Pure. */
import { didYouMean } from "../../messages/closest-name.ts";

const UNKNOWN = /^Unknown variable: (\w+)/;

/** A sentence with a space in front, or nothing. @param reason Why it cannot be compiled */
export function hintOf(reason: string, text: string, names: readonly string[]): string {
  const plain = text.trim();
  if (plain.startsWith("{{") && plain.endsWith("}}")) {
    return ` Write the expression without braces: ${JSON.stringify(plain.slice(2, -2).trim())}.`;
  }
  // The third sign of === and !==.
  if (reason.startsWith("Unexpected character: =") && /[!=]==/.test(plain)) return " CEL uses == and !=.";
  const [, name] = UNKNOWN.exec(reason) ?? [];
  return name === undefined ? "" : didYouMean(name, names) || ` Available: ${names.join(", ")}.`;
}
