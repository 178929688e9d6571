/** How a value is given: plain, by an expression, or by a model. Pure. */
import { hasTemplate } from "../../../../src/engine/expressions/template.ts";
import type { JsonValue } from "../../../../src/json.ts";

export type Mode = "value" | "expression" | "auto";

const AUTO = /^\{\{ *auto\(("(?:[^"\\]|\\.)*")\) *\}\}$/;

/** What the text of a value says of it; null if it can be a plain value and an expression without one. */
export function modeOf(value: JsonValue | undefined): Mode | null {
  if (typeof value !== "string") return value === undefined || value === null ? null : "value";
  if (autoWish(value) !== null) return "auto";
  return hasTemplate(value) ? "expression" : null;
}

/** What a model is asked for; null if the value is anything else than one call of `auto`. */
export function autoWish(value: JsonValue | undefined): string | null {
  const [, quoted] = (typeof value === "string" ? AUTO.exec(value.trim()) : null) ?? [];
  if (quoted === undefined) return null;
  try {
    const wish: unknown = JSON.parse(quoted);
    return typeof wish === "string" ? wish : null;
  } catch {
    return null; // CEL has escapes that JSON does not have
  }
}

export const autoText = (wish: string): string => `{{ auto(${JSON.stringify(wish)}) }}`;

/** Whether any text in a value calls `auto`. */
export function hasAutoCall(value: unknown): boolean {
  if (typeof value === "string") return /\{\{\s*auto\s*\(/.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasAutoCall);
}
