/** Reads a definition from JSON text that a person types. Pure. */
import * as v from "valibot";
import { isRecord, jsonProblem, pointer } from "../../../../../src/json.ts";
import { type Definition, DraftPut } from "../../../../../src/workflows/version.ts";
import { rangeOf } from "../../code-editor/json-place.ts";
import { jsonErrorAt } from "../../code-editor/json-syntax.ts";
import { wholeDefinition } from "../draft/whole-definition.ts";

export interface TextProblem {
  readonly message: string;
  readonly from?: number;
  readonly to?: number;
}

export type ReadText =
  | { readonly definition: Definition }
  /** Why the text is no definition. */
  | { readonly problems: readonly TextProblem[] };

const MAX_PROBLEMS = 50;

export function readDefinition(text: string): ReadText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [syntaxProblem(text, error)] };
  }
  const unusable = jsonProblem(value);
  if (unusable !== null) return { problems: [{ ...rangeOf(text, unusable.pointer), message: unusable.message }] };
  const read = v.safeParse(DraftPut, withoutName(value));
  if (read.success) return { definition: wholeDefinition(read.output) };
  const problems = read.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const place = pointer(issue.path?.map(({ key }) => (typeof key === "number" ? key : String(key))) ?? []);
    return { ...rangeOf(text, place), message: `${place} ${issue.message}`.trim() };
  });
  return { problems };
}

/** A definition that was downloaded has the name of its workflow, which is none of the draft's. */
function withoutName(value: unknown): unknown {
  if (!isRecord(value) || typeof value["name"] !== "string") return value;
  const { name: _, ...definition } = value;
  return definition;
}

function syntaxProblem(text: string, error: unknown): TextProblem {
  const at = Math.min(jsonErrorAt(text) ?? 0, Math.max(0, text.length - 1));
  return {
    message: error instanceof Error ? error.message : String(error),
    from: at,
    to: Math.min(at + 1, text.length),
  };
}
