/**
 * Fields of an action's input that its schema does not have. The value of a field may be an expression, which validation
 * cannot judge before the run, so the names are compared with the schema's JSON Schema.
 */
import { isRecord, type JsonObject, type JsonValue } from "../../json.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import type { Path, Problem } from "../compile/step-implementation.ts";

/** @param schema JSON Schema of the value. Parts of it that have alternatives or references are not examined. */
export function* unknownFields(schema: JsonValue | undefined, value: JsonValue, path: Path): Generator<Problem, void> {
  if (!isRecord(schema)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unknownFields(schema["items"], item, [...path, index]);
    return;
  }
  const properties = schema["properties"];
  if (!isRecord(value) || !isRecord(properties)) return;
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) yield* unknownFields(properties[name], item, [...path, name]);
    else if (schema["additionalProperties"] === false && !isPatterned(schema)) {
      yield { path: [...path, name], message: `Unknown field.${didYouMean(name, missing(properties, value))}` };
    }
  }
}

/** Whether other names than those in `properties` may be allowed. */
function isPatterned(schema: JsonObject): boolean {
  return ["patternProperties", "allOf", "anyOf", "oneOf", "$ref"].some((keyword) => keyword in schema);
}

const missing = (properties: JsonObject, value: JsonObject) =>
  Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
