/** Where a run of a version starts, and what it is asked for there. Pure. */
import { invalid } from "../messages/field-errors.ts";
import type { InputDefinition } from "./input/input-field.ts";
import type { Definition } from "./version.ts";

type Asking = Pick<Definition, "input" | "steps">;

/**
 * The input step that a run starts at; null where the version has none.
 * @throws StepwellError `invalid` for a key of no input step.
 */
export function startOf({ steps }: Asking, wanted: string | undefined): string | null {
  const inputs = steps.filter(({ type }) => type === "input");
  if (wanted === undefined) return inputs[0]?.key ?? null;
  if (inputs.some(({ key }) => key === wanted)) return wanted;
  const keys = inputs.map(({ key }) => JSON.stringify(key)).join(", ");
  const message =
    keys === "" ? "Must be omitted: the version has no input step." : `Must be the key of an input step: ${keys}.`;
  throw invalid([{ pointer: "/step_key", message }]);
}

/** What the version asks every run for, and what the input step asks for that it starts at. */
export function definitionAt({ input, steps }: Asking, start: string | null): InputDefinition {
  const step = steps.find(({ key }) => key === start);
  return step?.type === "input" ? { ...input, ...step.input } : input;
}
