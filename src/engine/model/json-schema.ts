/** Validates values against an author's JSON Schema, with a limit on the work. */
import type { Schema } from "@cfworker/json-schema";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { Problem } from "../compile/step-implementation.ts";
import { compilePattern, loadPatterns } from "../expressions/bounded-patterns.ts";
import { StepError } from "../step-error.ts";
import { createPatternBudget, schemaErrors } from "./schema-check.ts";
import { schemaProblems } from "./validate-schema.ts";

/**
 * Returns one line for each error in a value, at most ten; none if it is valid.
 * @throws StepError `unusable_schema`: no other value would be accepted either.
 */
export type CheckBySchema = (value: JsonValue) => Promise<readonly string[]>;

/** Maximum number of reported errors. */
const MAX_REPORTED_ERRORS = 10;

/** Prepares the schema at the first value. */
export function createSchemaCheck(schema: JsonObject): CheckBySchema {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (value) => {
    prepared ??= prepare(schema);
    try {
      return (await prepared)(value).slice(0, MAX_REPORTED_ERRORS);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StepError("unusable_schema", `The JSON Schema cannot be evaluated: ${reason}`, { cause });
    }
  };
}

async function prepare(schema: JsonObject): Promise<(value: JsonValue) => string[]> {
  const { dereference, validate } = await import("@cfworker/json-schema");
  const engine = hasPatterns(schema) ? await loadPatterns() : null;
  const own = ownSchema(schema);
  const schemas = dereference(own);
  return (value) => schemaErrors(own, schemas, value, { validate, engine });
}

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

const hasPatterns = (schema: JsonObject) => JSON.stringify(schema).includes('"pattern');

/** Clones the schema, because the library writes into it and definitions are shared. */
function ownSchema(schema: JsonObject): Schema {
  return structuredClone(schema) as Schema; // validated when it was deployed
}
