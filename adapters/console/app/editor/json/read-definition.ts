/** Reads a definition from JSON text that a person types. Pure. */
import * as v from "valibot";
import { jsonProblem, pointer } from "../../../../../src/json.ts";
import { type Definition, DraftPut } from "../../../../../src/workflows/version.ts";
import { wholeDefinition } from "../draft/whole-definition.ts";
import { rangeOf } from "./locate.ts";

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
  const read = v.safeParse(DraftPut, value);
  if (read.success) return { definition: wholeDefinition(read.output) };
  const problems = read.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const place = pointer(issue.path?.map(({ key }) => (typeof key === "number" ? key : String(key))) ?? []);
    return { ...rangeOf(text, place), message: `${place} ${issue.message}`.trim() };
  });
  return { problems };
}

/** Browsers say the place in their message. */
function syntaxProblem(text: string, error: unknown): TextProblem {
  const message = error instanceof Error ? error.message : String(error);
  const place = /position (\d{1,9})/.exec(message)?.[1];
  const line = /line (\d{1,9}) column (\d{1,9})/.exec(message);
  const at = place !== undefined ? Number(place) : line === null ? text.length - 1 : placeOf(text, line);
  return { message, from: Math.max(0, Math.min(at, text.length - 1)), to: Math.min(at + 1, text.length) };
}

function placeOf(text: string, [, line = "1", column = "1"]: RegExpExecArray): number {
  const before = text.split("\n").slice(0, Number(line) - 1);
  return before.join("\n").length + Number(column) - (before.length === 0 ? 1 : 0);
}
