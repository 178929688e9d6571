/** The body and the headers of a request, as an editor shows them. Pure. */
import { parseTemplate, TemplateProblem } from "../../../../../src/engine/expressions/template.ts";
import type { HttpRequestStep } from "../../../../../src/workflows/step.ts";

export const BODY_KINDS = ["none", "json", "text", "expression"] as const;
export type BodyKind = (typeof BODY_KINDS)[number];
export type Headers = HttpRequestStep["headers"];

/** A single expression keeps the type of its value, so that an object is sent as JSON. */
export function bodyKindOf(body: string | undefined): BodyKind {
  if (body === undefined) return "none";
  if (isSingleExpression(body)) return "expression";
  return /^\s*[[{]/.test(body) && !body.trimStart().startsWith("{{") ? "json" : "text";
}

function isSingleExpression(text: string): boolean {
  try {
    const parts = parseTemplate(text.trim());
    return parts.length === 1 && typeof parts[0] === "object";
  } catch (error) {
    if (error instanceof TemplateProblem) return false;
    throw error;
  }
}

/** One `name: value` line for each header. Empty for what is no header. */
export function headerLines(text: string): readonly (readonly [string, string])[] | null {
  const pairs: [string, string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    if (colon <= 0) return null;
    pairs.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return pairs;
}

export const headerText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

const CONTENT_TYPE = "content-type";

export function hasContentType(headers: Headers): boolean {
  if (headers === undefined) return false;
  const names = typeof headers === "string" ? (headerLines(headers) ?? []).map(([name]) => name) : Object.keys(headers);
  return names.some((name) => name.toLowerCase() === CONTENT_TYPE);
}

export function withContentType(headers: Headers): Exclude<Headers, undefined> {
  const added = "application/json";
  if (typeof headers === "string") return `${headers.trimEnd()}\n${CONTENT_TYPE}: ${added}`.trimStart();
  return { ...headers, [CONTENT_TYPE]: added };
}
