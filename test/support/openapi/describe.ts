/** Adds comments to JSON Schemas. */
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import type { Comment } from "./source-comments.ts";

/** Adds the text of a comment, its default and its examples. */
export function described(schema: JsonObject, comment: Comment | undefined): JsonObject {
  if (comment === undefined) return schema;
  const [given] = comment.tags["default"] ?? [];
  const value = given === undefined || "default" in schema ? undefined : defaultValue(given, schema);
  const inWords = given === undefined || "default" in schema || value !== undefined ? "" : ` Default: ${given}.`;
  const description = `${comment.text}${inWords.replace(/\.\.$/, ".")}`.trim();
  const examples = (comment.tags["example"] ?? []).map(readExample).filter((one) => one !== undefined);
  const { $ref, ...rest } = schema;
  return {
    ...($ref === undefined ? {} : { $ref }),
    ...(description === "" ? {} : { description }),
    ...rest,
    ...(value === undefined ? {} : { default: value }),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/** The default as JSON, if the schema accepts it; most defaults are described in words. */
function defaultValue(text: string, schema: JsonObject): JsonValue | undefined {
  const { type, enum: values } = schema;
  if (Array.isArray(values) && values.includes(text)) return text;
  if (text === "true" || text === "false") return type === "boolean" ? text === "true" : undefined;
  return type === "integer" || type === "number" ? (/^\d+$/.test(text) ? Number(text) : undefined) : undefined;
}

/** Examples that are calls in TypeScript are for editors. */
function readExample(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.replace(/^```json\s*|\s*```$/g, ""));
  } catch {
    return undefined;
  }
}
