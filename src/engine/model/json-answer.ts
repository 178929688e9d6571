/** Parses JSON responses and validates them against the author's JSON Schema. */
import { isRecord, type JsonValue, parseJson } from "../../json.ts";
import type { CheckBySchema } from "./json-schema.ts";

export type JsonAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses a text as JSON and validates it.
 * @param check Checks the response by its JSON Schema; null requires any object.
 * @throws StepError if the schema is unusable: asking the model again would not help.
 */
export async function readJsonAnswer(
  text: string,
  check: CheckBySchema | null,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  const parsed = parsedJson(text);
  if (!parsed.ok) return parsed;
  if (check === null)
    return isRecord(parsed.value) ? parsed : { ok: false, problem: "The response is not a JSON object." };
  const errors = await check(parsed.value, signal);
  return errors.length === 0 ? parsed : { ok: false, problem: errors.join("\n") };
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
