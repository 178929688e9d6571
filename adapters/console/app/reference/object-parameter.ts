/** Parameters of the query that are objects, such as `filter[loan:amount][gte]=1000`. People write them as JSON. Pure. */
import { queryPairs } from "../../../../src/client/query.ts";
import { isRecord } from "../../../../src/json.ts";
import type { Parameter, Schema } from "./document.ts";

/** The fields of a value; null for a parameter of another type, and for a text that is no JSON object. */
export function fieldsOf({ schema }: Parameter, value: string): Readonly<Record<string, unknown>> | null {
  if (schema?.type !== "object") return null;
  try {
    const fields: unknown = JSON.parse(value);
    return isRecord(fields) ? fields : null;
  } catch {
    return null;
  }
}

/** Names and values as they stand in a query. */
export function pairsOf(parameter: Parameter, value: string): readonly (readonly [string, string])[] {
  const fields = fieldsOf(parameter, value);
  return fields === null ? [[parameter.name, value]] : queryPairs(parameter.name, optionOf(parameter.name, fields));
}

/** The option of the client in TypeScript. */
export const objectLiteral = (name: string, fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(optionOf(name, fields));

/** The option of the client: it takes the conditions of a filter as a list. */
function optionOf(name: string, fields: Readonly<Record<string, unknown>>): unknown {
  if (name !== "filter") return fields;
  return Object.entries(fields).flatMap(([field, given]) =>
    Object.entries(isRecord(given) ? given : { eq: given }).map(([op, value]) => ({ field, op, value })),
  );
}

/** A value as JSON, for the hint of a field. */
export function exampleObject({ examples = [], additionalProperties }: Schema): string {
  const [known] = typeof additionalProperties === "object" ? (additionalProperties.enum ?? []) : [];
  return JSON.stringify(examples[0] ?? { name: known ?? "value" });
}
