/** Parses JSON responses and validates them against the author's JSON Schema. */
import type { Schema } from "@cfworker/json-schema";
import { isRecord, type JsonObject, type JsonValue, parseJson } from "../../json.ts";
import type { Problem } from "../compile/step-implementation.ts";
import { compilePattern, loadPatterns } from "../expressions/bounded-patterns.ts";
import { StepError } from "../step-error.ts";
import { createPatternBudget, schemaErrors } from "./schema-check.ts";
import { schemaProblems } from "./validate-schema.ts";

export type JsonAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** Maximum number of reported errors. */
const MAX_REPORTED_ERRORS = 10;

/**
 * Parses a text as JSON and validates it.
 * @param schema JSON Schema of the response; null requires any object.
 * @throws StepError if the schema is unusable: asking the model again would not help.
 */
export async function readJsonAnswer(text: string, schema: JsonObject | null): Promise<JsonAnswer> {
  const parsed = parsedJson(text);
  if (!parsed.ok) return parsed;
  if (schema === null)
    return isRecord(parsed.value) ? parsed : { ok: false, problem: "The response is not a JSON object." };
  const { dereference, validate } = await import("@cfworker/json-schema");
  const engine = hasPatterns(schema) ? await loadPatterns() : null;
  try {
    const own = ownSchema(schema);
    const errors = schemaErrors(own, dereference(own), parsed.value, { validate, engine });
    return errors.length === 0 ? parsed : { ok: false, problem: errors.slice(0, MAX_REPORTED_ERRORS).join("\n") };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StepError("unusable_schema", `The JSON Schema cannot be evaluated: ${reason}`, { cause });
  }
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

const FENCE = "```";

/** Some models wrap JSON in a Markdown code block. */
function withoutFence(text: string): string {
  const lineEnd = text.indexOf("\n");
  const opening = text.slice(0, Math.max(0, lineEnd)).trim();
  const isFenced = (opening === FENCE || opening === `${FENCE}json`) && text.endsWith(FENCE);
  return isFenced ? text.slice(lineEnd, -FENCE.length) : text;
}

function parsedJson(text: string): JsonAnswer {
  try {
    return { ok: true, value: parseJson(withoutFence(text.trim())) };
  } catch (error) {
    return {
      ok: false,
      problem: error instanceof Error ? error.message.replace(/^The body/, "The response") : String(error),
    };
  }
}
