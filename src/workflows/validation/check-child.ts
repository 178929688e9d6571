/** Checks the constant fields of `workflow` steps: whether the child run could ever start. Pure. */
import { type FieldError, isStepwellError } from "../../errors.ts";
import { parseObject, pointer } from "../../json.ts";
import { checkInput } from "../input/check-input.ts";
import { definitionAt, startOf } from "../start-step.ts";
import type { StepOf } from "../step.ts";
import type { Version } from "../version.ts";
import { checkModes } from "./check-modes.ts";

const isTemplate = (value: unknown) => JSON.stringify(value).includes("{{");

/** Reports a constant text that is not a JSON object. */
export function* checkChildInput({ input }: StepOf<"workflow">, index: number): Generator<FieldError, void> {
  if (typeof input !== "string" || isTemplate(input) || parseObject(input) !== null) return;
  yield { pointer: `/steps/${index}/input`, message: "Must be an object, its JSON text, or an expression in {{ }}." };
}

/** Checks the step key and the input against a version, which never changes. Values with expressions are left to the run. */
export function* checkChildStart(
  { step_key, input }: StepOf<"workflow">,
  index: number,
  version: Version,
): Generator<FieldError, void> {
  if (typeof step_key === "string" && isTemplate(step_key)) return;
  let start: string | null;
  try {
    start = startOf(version, step_key ?? undefined);
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    yield* (error.errors ?? []).map((one) => ({ ...one, pointer: `/steps/${index}${one.pointer}` }));
    return;
  }
  const given = typeof input === "string" ? (isTemplate(input) ? null : parseObject(input)) : (input ?? {});
  if (given === null) return;
  const base = ["steps", index, "input"];
  const { errors } = checkInput(definitionAt(version, start), given, version.input_default ?? {}, base);
  yield* checkModes(definitionAt(version, start), given, base);
  const unknown = Object.keys(given).filter((name) => isTemplate(given[name]));
  const open = unknown.map((name) => pointer([...base, name]));
  yield* errors.filter((error) => !open.some((at) => error.pointer === at || error.pointer.startsWith(`${at}/`)));
}
