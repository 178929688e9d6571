/** Adds comments to JSON Schemas. */
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import type { Comment } from "./source-comments.ts";

/**
 * Adds the text of a comment, its default and its examples. The default is in words: generators of clients take a field with
 * the keyword `default` for one that is always there, and require it in requests.
 */
export function described(schema: JsonObject, comment: Comment | undefined): JsonObject {
  const { $ref, default: value, description: before, ...rest } = schema;
  const [given = value === undefined ? undefined : JSON.stringify(value)] = comment?.tags["default"] ?? [];
  const inWords = given === undefined ? "" : ` Default: ${given.replace(/\.$/, "")}.`;
  const description = `${comment?.text ?? before ?? ""}${inWords}`.trim();
  const examples = (comment?.tags["example"] ?? []).map(readExample).filter((one) => one !== undefined);
  return {
    ...($ref === undefined ? {} : { $ref }),
    ...(description === "" ? {} : { description }),
    ...rest,
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/** The same for a parameter of a URL, which keeps its default, if it is a value. */
export function describedParameter(schema: JsonObject, comment: Comment | undefined): JsonObject {
  const [given] = comment?.tags["default"] ?? [];
  const value = schema["default"] ?? (given === undefined ? undefined : defaultValue(given, schema));
  if (value === undefined) return described(schema, comment);
  const { default: _, ...tags } = comment?.tags ?? {};
  const { default: __, ...rest } = schema;
  return { ...described(rest, comment === undefined ? undefined : { text: comment.text, tags }), default: value };
}

/** The default as JSON, if the schema accepts it. */
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
