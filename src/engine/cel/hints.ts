/** What to write instead of what is no expression, where that can be guessed. Pure. */
import { didYouMean } from "../../closest-name.ts";

const IN_BRACES = /^\s*\{\{(.*)\}\}\s*$/s;
const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;
const UNKNOWN = /^Unknown variable: (\w+)/;

/** A sentence with a space in front, or nothing. @param reason Why it cannot be compiled */
export function hintOf(reason: string, text: string, names: readonly string[]): string {
  const [, inner] = IN_BRACES.exec(text) ?? [];
  if (inner !== undefined) return ` An expression stands here without braces: ${JSON.stringify(inner.trim())}.`;
  const plain = text.replace(TEXTS, "''");
  if (/[!=]==/.test(plain)) return " CEL compares with == and !=.";
  const [, name] = UNKNOWN.exec(reason) ?? [];
  return name === undefined ? "" : didYouMean(name, names) || ` There are ${names.join(", ")}.`;
}
