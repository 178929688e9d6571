/** A value as JSON, with texts of several lines as lines: code, bodies and prompts can be read and compared. Pure. */
import { isRecord } from "../../../../src/json.ts";

const INDENT = "  ";

/** A text stays as it is. */
export const readableJson = (value: unknown): string => (typeof value === "string" ? value : printed(value, ""));

function printed(value: unknown, indent: string): string {
  if (typeof value === "string" && value.includes("\n")) return block(value, indent + INDENT);
  if (Array.isArray(value)) return listed(value, indent, (item) => printed(item, indent + INDENT), "[]");
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const field = ([name, one]: readonly [string, unknown]) =>
    `${JSON.stringify(name)}: ${printed(one, indent + INDENT)}`;
  return listed(fields, indent, field, "{}");
}

function listed<Item>(items: readonly Item[], indent: string, print: (item: Item) => string, ends: string): string {
  if (items.length === 0) return ends;
  return `${ends.slice(0, 1)}\n${items.map((item) => `${indent}${INDENT}${print(item)}`).join(",\n")}\n${indent}${ends.slice(1)}`;
}

function block(text: string, indent: string): string {
  return ['"""', ...text.split("\n"), '"""']
    .map((line, at) => (at === 0 || line === "" ? line : indent + line))
    .join("\n");
}
