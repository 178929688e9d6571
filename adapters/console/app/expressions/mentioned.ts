/** What the expressions and the code of a step mention of what they could read. Pure. */
import { isRecord } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import { isWholeExpression } from "./whole-expressions.ts";

export interface Mentioned {
  /** Names of variables, such as `input`. */
  readonly variables: ReadonlySet<string>;
  /** Keys of steps that are read as `steps.KEY` or `steps["KEY"]`. */
  readonly steps: ReadonlySet<string>;
}

/** Names that are no field of something else. */
const VARIABLE = /(?<![.\w$])[A-Za-z_]\w*/g;
const STEP =
  /\bsteps(?:\??\.([A-Za-z_$][\w$]*)|\.`([^`\n]{1,128})`|(?:\?\.)?\[(?:"([^"\n]{1,128})"|'([^'\n]{1,128})')\])/g;

export function mentionedBy(step: Step): Mentioned {
  const variables = new Set<string>();
  const steps = new Set<string>();
  for (const source of sourcesIn(step, step, undefined)) {
    for (const [name] of source.matchAll(VARIABLE)) variables.add(name);
    for (const [, ...forms] of source.matchAll(STEP)) {
      const key = forms.find((form) => form !== undefined);
      if (key !== undefined) steps.add(key);
    }
  }
  return { variables, steps };
}

/** @param name Name of the field that the value stands in. */
function* sourcesIn(step: Step, value: unknown, name: string | undefined): Iterable<string> {
  if (typeof value === "string") yield* sourcesOf(step, value, name);
  else if (Array.isArray(value)) for (const item of value) yield* sourcesIn(step, item, name);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* sourcesIn(step, item, key);
}

function* sourcesOf(step: Step, text: string, name: string | undefined): Iterable<string> {
  if (step.type === "note" || name === "key") return;
  const isCode = step.type === "code" && name === "code";
  if (isCode || isWholeExpression(text, name)) yield text;
  else for (const piece of text.split("{{").slice(1)) yield piece.split("}}", 1)[0] ?? "";
}
