/** What cannot be right in a JSON Schema: keywords of the wrong kind, references into nothing, patterns that are none. */
import { isRecord, pointer } from "../../json.ts";

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

const A_SCHEMA: Rule = [isSchema, "a schema"];
const SCHEMAS: Rule = [isMap, "an object of schemas"];
const SOME: Rule = [isList, "a list of schemas"];
const COUNT: Rule = [isCount, "a whole number from 0 on"];
const NUMBER: Rule = [isNumber, "a number"];

const RULES: Readonly<Record<string, Rule>> = {
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `one of ${TYPES.join(", ")}, or a list of them`,
  ],
  properties: SCHEMAS,
  patternProperties: SCHEMAS,
  additionalProperties: A_SCHEMA,
  propertyNames: A_SCHEMA,
  required: [isNames, "a list of names"],
  items: [(value) => isSchema(value) || isList(value), "a schema"],
  prefixItems: SOME,
  contains: A_SCHEMA,
  enum: [(value) => Array.isArray(value) && value.length > 0, "a list of values"],
  allOf: SOME,
  anyOf: SOME,
  oneOf: SOME,
  not: A_SCHEMA,
  if: A_SCHEMA,
  else: A_SCHEMA,
  $defs: SCHEMAS,
  definitions: SCHEMAS,
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
  multipleOf: [(value) => typeof value === "number" && value > 0, "a number above 0"],
  uniqueItems: [(value) => typeof value === "boolean", "true or false"],
};

/**
 * @param schemas All schemas within one, by their addresses, as `dereference` of @cfworker/json-schema finds them.
 * @param compile Throws for what is no regular expression.
 */
export function schemaProblems(
  schemas: Readonly<Record<string, unknown>>,
  compile: (pattern: string) => void,
): string[] {
  return Object.entries(schemas).flatMap(([address, schema]) => {
    if (!isRecord(schema)) return [];
    const place = decodeURIComponent(new URL(address).hash.slice(1));
    const wrong = Object.entries(schema).flatMap(([keyword, value]) => {
      const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
      if (rule === undefined || rule[0](value)) return [];
      return [`${place}${pointer([keyword])} must be ${rule[1]}.`];
    });
    for (const pattern of patternsOf(schema)) {
      const reason = reasonOf(() => compile(pattern));
      if (reason !== null)
        wrong.push(`${place} has the pattern ${JSON.stringify(pattern)}, which RE2 does not take: ${reason}.`);
    }
    const target = schema["__absolute_ref__"];
    const isLost =
      typeof target === "string" && schemas[target] === undefined && schemas[target.replace(/#$/, "")] === undefined;
    return isLost ? [...wrong, `${place}/$ref leads nowhere: ${JSON.stringify(schema["$ref"])}.`] : wrong;
  });
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
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
  }
}
