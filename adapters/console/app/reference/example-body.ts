/** A body to begin with: empty if it may be, else the example of its schema, or what the schema requires. Pure. */
import { bodyTypeOf, FORM_TYPE, JSON_TYPE, PLACEHOLDER } from "./call.ts";
import { type OpenApiDocument, type Operation, resolved, type Schema } from "./document.ts";

/** Required fields deeper than this are left empty. */
const MAX_DEPTH = 6;

const FILE = "report.pdf";

/** As text; null for an operation that takes none. */
export function exampleBody(document: OpenApiDocument, operation: Operation): string | null {
  const { method, requestBody } = operation;
  switch (bodyTypeOf(operation)) {
    case undefined:
      return null;
    case FORM_TYPE:
      return FILE;
    case JSON_TYPE: {
      // Few servers read the body of DELETE.
      if (method === "DELETE") return "";
      const schema = requestBody?.content?.[JSON_TYPE]?.schema ?? {};
      // What an example names, such as the input of a run, may not exist. But an empty body would replace all by nothing.
      const isEmpty = requestBody?.required !== true && method !== "PUT";
      return isEmpty ? "{}" : JSON.stringify(exampleOf(document, schema, 0), null, 2);
    }
    default:
      return textExample(requestBody?.content ?? {}) ?? PLACEHOLDER;
  }
}

/** A text can be anything that its type allows. */
function textExample(content: NonNullable<Operation["requestBody"]>["content"]): string | undefined {
  const schemas = Object.values(content ?? {}).flatMap(({ schema }) => schema?.examples ?? []);
  return schemas.find((one) => typeof one === "string");
}

function exampleOf(document: OpenApiDocument, schema: Schema, depth: number): unknown {
  const shown = shownIn(document, schema);
  if (shown !== undefined) return shown;
  const inner = (one: Schema) => (depth >= MAX_DEPTH ? {} : exampleOf(document, one, depth + 1));
  if (schema.$ref !== undefined) return inner(resolved(document, schema));
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  return choice === undefined ? plainExample(document, schema, inner) : inner(choice);
}

/** A value that the schema itself names. */
function shownIn(document: OpenApiDocument, schema: Schema): unknown {
  const { example, examples, enum: values, const: only } = resolved(document, schema);
  return [example, examples?.[0], only, values?.[0]].find((one) => one !== undefined);
}

function plainExample(document: OpenApiDocument, schema: Schema, inner: (schema: Schema) => unknown): unknown {
  const { type, properties = {}, required = [], minimum = 0, items = {} } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return PLACEHOLDER;
    case "integer":
    case "number":
      return minimum;
    case "boolean":
      return false;
    case "array": {
      const item = shownIn(document, items);
      return item === undefined ? [] : [item];
    }
    case "null":
      return null;
    default:
      return Object.fromEntries(required.map((name) => [name, inner(properties[name] ?? {})]));
  }
}
