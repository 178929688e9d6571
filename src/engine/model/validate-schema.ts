/** Finds errors in a JSON Schema: invalid keyword values, unresolved or circular references, and invalid patterns. */
import { cut } from "../../errors.ts";
import { isRecord, type JsonObject, pointer } from "../../json.ts";
import type { Problem } from "../compile/step-implementation.ts";
import { compilePattern, loadPatterns } from "../expressions/bounded-patterns.ts";
import { createPatternBudget } from "./schema-check.ts";
import { hasPatterns, ownSchema, type Schemas, targetOf } from "./schema-plan.ts";

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
const isSchema = (value: unknown) => typeof value === "boolean" || isRecord(value);
const isMap = (value: unknown) => isRecord(value) && Object.values(value).every(isSchema);
const isList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isCount = (value: unknown) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isNumber = (value: unknown) => typeof value === "number";
const isType = (value: unknown) => typeof value === "string" && TYPES.includes(value);
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === "string");
const isText = (value: unknown) => typeof value === "string";

type Rule = readonly [holds: (value: unknown) => boolean, right: string];

const SCHEMA: Rule = [isSchema, "a schema"];
const SCHEMA_MAP: Rule = [isMap, "an object of schemas"];
const SCHEMA_LIST: Rule = [isList, "a non-empty array of schemas"];
const COUNT: Rule = [isCount, "a whole number of at least 0"];
const NUMBER: Rule = [isNumber, "a number"];

const UNSUPPORTED: Rule = [() => false, "replaced by $ref, the only supported reference"];

const RULES: Readonly<Record<string, Rule>> = {
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `one of ${TYPES.join(", ")}, or an array of them`,
  ],
  properties: SCHEMA_MAP,
  patternProperties: SCHEMA_MAP,
  additionalProperties: SCHEMA,
  propertyNames: SCHEMA,
  required: [isNames, "an array of names"],
  items: [(value) => isSchema(value) || isList(value), "a schema"],
  prefixItems: SCHEMA_LIST,
  contains: SCHEMA,
  enum: [(value) => Array.isArray(value) && value.length > 0, "a non-empty array of values"],
  allOf: SCHEMA_LIST,
  anyOf: SCHEMA_LIST,
  oneOf: SCHEMA_LIST,
  not: SCHEMA,
  if: SCHEMA,
  else: SCHEMA,
  additionalItems: SCHEMA,
  unevaluatedItems: SCHEMA,
  unevaluatedProperties: SCHEMA,
  dependentSchemas: SCHEMA_MAP,
  dependentRequired: [
    (value) => isRecord(value) && Object.values(value).every(isNames),
    "an object of arrays of names",
  ],
  $ref: [isText, "a reference"],
  $dynamicRef: UNSUPPORTED,
  $recursiveRef: UNSUPPORTED,
  format: [isText, "the name of a format"],
  minContains: COUNT,
  maxContains: COUNT,
  $defs: SCHEMA_MAP,
  definitions: SCHEMA_MAP,
  pattern: [isText, "a regular expression"],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: [(value) => typeof value === "number" && value > 0, "a number greater than 0"],
  uniqueItems: [(value) => typeof value === "boolean", "true or false"],
};

/** Returns the problems of a JSON Schema, for deployments. */
export async function problemsOfSchema(schema: JsonObject, path: Problem["path"]): Promise<Problem[]> {
  const { dereference } = await import("@cfworker/json-schema");
  try {
    const own = ownSchema(schema);
    const engine = hasPatterns(schema) ? await loadPatterns() : null;
    const spend = createPatternBudget();
    const compile = (pattern: string) => void (engine && compilePattern(engine, pattern, spend));
    return schemaProblems(dereference(own), compile).map((message) => ({ path, message }));
  } catch (error) {
    return [
      { path, message: `Must be a valid JSON Schema: ${error instanceof Error ? error.message : String(error)}` },
    ];
  }
}

/**
 * @param schemas All subschemas by URI, as returned by `dereference` of @cfworker/json-schema.
 * @param compile Throws if the pattern is not a valid regular expression.
 */
function schemaProblems(schemas: Schemas, compile: (pattern: string) => void): string[] {
  const problems = Object.entries(schemas).flatMap(([address, schema]) => {
    if (!isRecord(schema)) return [];
    const path = pathOf(address);
    const found = Object.entries(schema).flatMap(([keyword, value]) => {
      const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
      if (rule === undefined || rule[0](value)) return [];
      return [`${path}${pointer([keyword])} must be ${rule[1]}.`];
    });
    for (const pattern of patternsOf(schema)) {
      const reason = reasonOf(() => compile(pattern));
      if (reason !== null)
        found.push(
          `${path} has the pattern ${JSON.stringify(cut(pattern, MAX_SHOWN_CHARS))}, which RE2 does not support: ${reason}.`,
        );
    }
    const isUnresolved = typeof schema["$ref"] === "string" && targetOf(schema, schemas) === undefined;
    return isUnresolved ? [...found, `${path}/$ref does not resolve: ${JSON.stringify(schema["$ref"])}.`] : found;
  });
  return problems.length > 0 ? problems : circularReferences(schemas);
}

const pathOf = (address: string) => decodeURIComponent(new URL(address).hash.slice(1));

/** Maximum length of a pattern in an error message, in characters. */
const MAX_SHOWN_CHARS = 100;

/** Reports schemas that refer to themselves for the same value: validation would never end. */
function circularReferences(schemas: Schemas): string[] {
  const open = new Map<object, string>();
  for (const [address, schema] of Object.entries(schemas)) {
    if (isRecord(schema) && !open.has(schema)) open.set(schema, address);
  }
  // Topological sort: repeatedly removes schemas whose references are all removed. Cycles and what leads to them
  // remain.
  const waiting = new Map<object, object[]>();
  const left = new Map<object, number>();
  const done: object[] = [];
  for (const schema of open.keys()) {
    const next = isRecord(schema) ? schemasForSameValue(schema, schemas) : [];
    left.set(schema, next.length);
    if (next.length === 0) done.push(schema);
    for (const one of next) {
      const before = waiting.get(one);
      if (before === undefined) waiting.set(one, [schema]);
      else before.push(schema);
    }
  }
  for (let schema = done.pop(); schema !== undefined; schema = done.pop()) {
    open.delete(schema);
    for (const before of waiting.get(schema) ?? []) {
      const count = (left.get(before) ?? 0) - 1;
      left.set(before, count);
      if (count === 0) done.push(before);
    }
  }
  return [...open].flatMap(([schema, address]) =>
    isRecord(schema) && "$ref" in schema && open.has(Object(targetOf(schema, schemas)))
      ? [
          `${pathOf(address)}/$ref is circular without a property or an item in between: ${JSON.stringify(schema["$ref"])}.`,
        ]
      : [],
  );
}

/** Returns the schemas that a schema applies to the same value. */
function schemasForSameValue(schema: Readonly<Record<string, unknown>>, schemas: Schemas): object[] {
  const { allOf, anyOf, oneOf, not, if: condition, then: then_, else: else_, dependentSchemas } = schema;
  const lists = [allOf, anyOf, oneOf].map((one) => (Array.isArray(one) ? one : []));
  const dependent = isRecord(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const all: unknown[] = [targetOf(schema, schemas), not, condition, then_, else_, ...lists.flat(), ...dependent];
  return all.filter(isRecord);
}

function patternsOf({ pattern, patternProperties }: Record<string, unknown>): string[] {
  const names = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  return typeof pattern === "string" ? [pattern, ...names] : names;
}

function reasonOf(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
