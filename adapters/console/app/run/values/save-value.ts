/** Values as JSON, and as files of the person who looks at them. */
import type { JsonValue } from "../../../../../src/json.ts";
import { saveText } from "../../elements/save-as.ts";

const kept = new WeakMap<object, string>();

/** Formatted JSON. Formatting a long value takes longer than showing it, so the text is kept with it. */
export function jsonOf(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const known = kept.get(value) ?? JSON.stringify(value, null, 2);
  kept.set(value, known);
  return known;
}

/** @param name Without its ending. */
export function download(value: JsonValue, name: string): void {
  const isText = typeof value === "string";
  const body = isText ? value : jsonOf(value);
  const type = isText ? "text/plain;charset=utf-8" : "application/json";
  saveText(body, `${name.replace(/[^\w.-]+/g, "_")}.${isText ? "txt" : "json"}`, type);
}
