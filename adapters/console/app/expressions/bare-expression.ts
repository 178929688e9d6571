/** Expressions that somebody wrote into a text without braces, where they would stay text. Pure. */
import { hasTemplate } from "../../../../src/engine/expressions/template.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { fieldsOf, type KnownField } from "./known-value.ts";
import { findVariable } from "./variables.ts";

const PATH = /^([A-Za-z_]\w*)(?:\.\??([A-Za-z_]\w*)|\[(?:\d{1,9}|"([^"\n]{1,128})"|'([^'\n]{1,128})')\])/;
/** What may stand behind a path in an expression, and hardly in a sentence. */
const GOES_ON = /^(?:\(|\s+(?:[-+*/%<>?]|[<>=!]=|&&|\|\|)\s|\s*$)/;
const NEXT = /^(?:\.\??[A-Za-z_]\w*|\[(?:\d{1,9}|"[^"\n]{1,128}"|'[^'\n]{1,128}')\])/;

/** @returns The text with braces; null if it does not look like an expression. */
export function withBraces(value: JsonValue | undefined, variables: readonly KnownField[]): string | null {
  if (typeof value !== "string" || hasTemplate(value)) return null;
  const text = value.trim();
  const [start = "", root = "", ...names] = PATH.exec(text) ?? [];
  const variable = findVariable(variables, root);
  if (start === "" || variable === undefined) return null;
  const name = names.find((one) => one !== undefined);
  const fields = fieldsOf(variable);
  if (name !== undefined && fields.length > 0 && !fields.some((field) => field.name === name)) return null;
  let rest = text.slice(start.length);
  for (let next = NEXT.exec(rest); next !== null; next = NEXT.exec(rest)) rest = rest.slice(next[0].length);
  return GOES_ON.test(rest) ? `{{ ${text} }}` : null;
}
