/** A body to begin with: empty if it may be, else the example of its schema, or what the schema requires. Pure. */
import { bodyTypeOf, JSON_TYPE, PLACEHOLDER } from "./call.ts";
import { nameOf, type OpenApiDocument, type Operation, type Schema } from "./document.ts";

/** Required fields deeper than this are left empty. */
const MAX_DEPTH = 6;

/** As text; null for an operation that takes none. */
export function exampleBody(document: OpenApiDocument, operation: Operation): string | null {
  const type = bodyTypeOf(operation);
  if (type === undefined) return null;
  if (type !== JSON_TYPE) return PLACEHOLDER;
  const schema = operation.requestBody?.content?.[type]?.schema ?? {};
  // What an example names, such as the input of a run, may not exist.
  return operation.requestBody?.required === true ? JSON.stringify(exampleOf(document, schema, 0), null, 2) : "{}";
}

function exampleOf(document: OpenApiDocument, schema: Schema, depth: number): unknown {
  const { $ref, example, examples, enum: values, oneOf, anyOf } = schema;
  const inner = (one: Schema) => (depth >= MAX_DEPTH ? {} : exampleOf(document, one, depth + 1));
  if ($ref !== undefined) return inner(document.components.schemas?.[nameOf($ref)] ?? {});
  const shown = [example, examples?.[0], schema.const, values?.[0]].find((one) => one !== undefined);
  if (shown !== undefined) return shown;
  const [choice] = oneOf ?? anyOf ?? [];
  return choice === undefined ? plainExample(schema, inner) : inner(choice);
}

function plainExample(schema: Schema, inner: (schema: Schema) => unknown): unknown {
  const { type, properties = {}, required = [], minimum = 0 } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return PLACEHOLDER;
    case "integer":
    case "number":
      return minimum;
    case "boolean":
      return false;
    case "array":
      return [];
    case "null":
      return null;
    default:
      return Object.fromEntries(required.map((name) => [name, inner(properties[name] ?? {})]));
  }
}
