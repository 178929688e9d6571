/** The parameters of routes: of the path, the query and headers. */
import type { AnyRoute } from "../../../src/http/route.ts";
import { isRecord, type JsonObject } from "../../../src/json.ts";
import type { JsonSchemas } from "./json-schemas.ts";

/** Path parameters that are not the id of a resource. */
const IN_WORDS: Readonly<Record<string, string>> = {
  app_id: "Id of the app. `me` is the app of the key.",
  version: "Id or number of the version, `latest` or `draft`.",
  version_id_or_version_number: "Id or number of the version, `latest` or `draft`.",
  version_a: "The version to compare from: its id or number, `latest` or `draft`.",
  version_b: "The version to compare to: its id or number, `latest` or `draft`.",
  step_key: "Key of the step.",
  key: "Key of the rule.",
  rule_key: "Key of the rule.",
  token: "Token at the end of the link.",
  upload_id: "Id at the end of the upload URL.",
  path: "Path below `/console/`. It may contain slashes.",
  hook_path: "Path of the webhook. It may contain slashes, which some generators encode; Stepwell accepts both.",
};

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = ""]) => name);

const referenceTo = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });

export function pathParameters(path: string): JsonObject[] {
  return namesIn(path).map(referenceTo);
}

export function pathParameterComponents(paths: readonly string[]): Readonly<Record<string, JsonObject>> {
  const names = [...new Set(paths.flatMap(namesIn))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const description = IN_WORDS[name] ?? `Id of the ${name.replace(/_id$/, "").replaceAll("_", " ")}.`;
      return [name, { name, in: "path", required: true, description, schema: { type: "string" } }];
    }),
  );
}

export function headerParameters(route: AnyRoute): JsonObject[] {
  return headersOf(route).map(referenceTo);
}

function headersOf(route: AnyRoute): readonly string[] {
  const isRepeatable = route.repeatable !== undefined && route.repeatable !== false;
  const repeatable = isRepeatable ? ["Idempotency-Key"] : [];
  const waits = route.waits === true ? ["Prefer"] : [];
  if (route.kind === "raw") return [...repeatable, ...waits, ...(route.described.request.headers ?? [])];
  const isTagged = route.answers.versioned !== undefined && route.method === "GET";
  return [...repeatable, ...(route.isVersioned ? ["If-Match"] : []), ...(isTagged ? ["If-None-Match"] : []), ...waits];
}

/** Parameters that many lists have. */
const SHARED = ["page", "take", "page_token"];

export interface QueryParameters {
  readonly parameters: readonly JsonObject[];
  /** Those that many routes share, as components. */
  readonly components: Readonly<Record<string, JsonObject>>;
}

export function queryParameters(route: AnyRoute, schemas: JsonSchemas): QueryParameters {
  const query = route.kind === "raw" ? route.described.request.query : route.query;
  if (query === undefined) return { parameters: [], components: {} };
  const { properties, required } = schemas.of({ schema: query, mode: "query" });
  const components: Record<string, JsonObject> = {};
  const parameters = Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    const { description, ...schema } = inUrl(field as JsonObject);
    const parameter = {
      name,
      in: "query",
      ...(description === undefined ? {} : { description }),
      ...(Array.isArray(required) && required.includes(name) ? { required: true } : {}),
      ...styleOf(schema),
      schema: withoutEmptyDefault(schema),
    };
    if (!SHARED.includes(name)) return parameter;
    components[name] = parameter;
    return referenceTo(name);
  });
  return { parameters, components };
}

/**
 * A list of conditions is written as `filter[loan:amount][gte]=1000`. OpenAPI does not define `deepObject` for objects in
 * objects, so the description says it.
 */
function inUrl(field: JsonObject): JsonObject {
  const isConditions = isRecord(field["items"]) && isRecord(field["items"]["properties"]);
  if (!isConditions) return field;
  const { items: _, maxItems, default: __, ...rest } = field;
  const value = { type: ["string", "number", "boolean"] };
  return {
    ...rest,
    type: "object",
    description: `${rest["description"] ?? ""} Write \`filter[loan:amount][gte]=1000\`: generated clients need a serializer of queries for operators.`,
    ...(maxItems === undefined ? {} : { maxProperties: maxItems }),
    additionalProperties: { anyOf: [value, { type: "object", additionalProperties: value }] },
    examples: [{ "loan:amount": { gte: 1000 } }],
  };
}

function styleOf({ type }: JsonObject): JsonObject {
  if (type === "object") return { style: "deepObject", explode: true };
  return type === "array" ? { style: "form", explode: false } : {};
}

/** Without a list or map, nothing is filtered. */
function withoutEmptyDefault({ default: given, ...schema }: JsonObject): JsonObject {
  const isEmpty = typeof given === "object" && given !== null && Object.keys(given).length === 0;
  return given === undefined || isEmpty ? schema : { ...schema, default: given };
}
