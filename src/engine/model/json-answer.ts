/** Answers that are to be JSON: read, and held against the JSON Schema that the author gave. */
import type { Schema } from "@cfworker/json-schema";
import { isRecord, type JsonObject, type JsonValue, parseJson } from "../../json.ts";
import type { Problem } from "../compile/step-kind.ts";
import { compilePattern, loadPatterns } from "../expressions/bounded-patterns.ts";
import { StepError } from "../step-error.ts";
import { createPatternBudget, wrongBySchema } from "./schema-check.ts";
import { schemaProblems } from "./validate-schema.ts";

export type JsonAnswer = { readonly value: JsonValue } | { readonly wrong: string };

/** Wrong places that are told. */
const MAX_REPORTED_ERRORS = 10;

/**
 * What a text says as JSON, or what is wrong with it.
 * @param schema Null asks for any object.
 * @throws StepError when the schema is what is wrong: asking the model again would not help.
 */
export async function readJsonAnswer(text: string, schema: JsonObject | null): Promise<JsonAnswer> {
  const parsed = parsedJson(text);
  if ("wrong" in parsed) return parsed;
  if (schema === null) return isRecord(parsed.value) ? parsed : { wrong: "The response is not a JSON object." };
  const { dereference, validate } = await import("@cfworker/json-schema");
  const engine = hasPatterns(schema) ? await loadPatterns() : null;
  try {
    const own = ownSchema(schema);
    const wrong = wrongBySchema(own, dereference(own), parsed.value, { validate, engine });
    return wrong.length === 0 ? parsed : { wrong: wrong.slice(0, MAX_REPORTED_ERRORS).join("\n") };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StepError("unusable_schema", `The JSON Schema cannot be evaluated: ${reason}`, { cause });
  }
}

/** What is wrong with a JSON Schema, for those who deploy it. */
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

/** The library writes into what it is given, and definitions are shared. */
function ownSchema(schema: JsonObject): Schema {
  return structuredClone(schema) as Schema; // looked through when it was deployed
}

const FENCE = "```";

/** Some models put their JSON into a block of Markdown. */
function withoutFence(text: string): string {
  const lineEnd = text.indexOf("\n");
  const opening = text.slice(0, Math.max(0, lineEnd)).trim();
  const isFenced = (opening === FENCE || opening === `${FENCE}json`) && text.endsWith(FENCE);
  return isFenced ? text.slice(lineEnd, -FENCE.length) : text;
}

function parsedJson(text: string): JsonAnswer {
  try {
    return { value: parseJson(withoutFence(text.trim())) };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message.replace(/^The body/, "The response") : String(error) };
  }
}
