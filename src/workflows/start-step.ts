/** The start step of a run, and the input fields that apply there. Pure. */
import { StepwellError } from "../errors.ts";
import { didYouMean } from "../messages/closest-name.ts";
import { invalid } from "../messages/field-errors.ts";
import type { InputDefinition } from "./input/input-field.ts";
import type { Definition } from "./version.ts";

type InputSource = Pick<Definition, "input" | "steps">;

/**
 * The key of the input step that a run starts at; null if the version has none.
 * @throws StepwellError `invalid` if `wanted` is not the key of an input step
 */
export function startOf({ steps }: InputSource, wanted: string | undefined): string | null {
  const inputs = steps.filter(({ type }) => type === "input");
  if (wanted === undefined) return inputs[0]?.key ?? null;
  if (inputs.some(({ key }) => key === wanted)) return wanted;
  const keys = inputs.map(({ key }) => JSON.stringify(key)).join(", ");
  const message =
    keys === "" ? "Must be omitted: the version has no input step." : `Must be the key of an input step: ${keys}.`;
  throw invalid([{ pointer: "/step_key", message }]);
}

/** The input fields of a run: those of the version and those of its start step. */
export function definitionAt({ input, steps }: InputSource, start: string | null): InputDefinition {
  const step = steps.find(({ key }) => key === start);
  return step?.type === "input" ? { ...input, ...step.input } : input;
}

/** The error of a call for an input step that is none. @param version Null if it has been deleted. */
export function noInputStep(version: Pick<Definition, "steps"> | null, key: string): StepwellError {
  const keys = version?.steps.flatMap((step) => (step.type === "input" ? [step.key] : [])) ?? [];
  const message = `The version has no input step with the key ${JSON.stringify(key)}.${didYouMean(key, keys)}`;
  return new StepwellError("not_found", message);
}
