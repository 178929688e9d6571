/** Expressions that are evaluated on a run, for previews in editors. */
import * as v from "valibot";
import { jsonValue, strictObject, wholeNumber } from "../../schema.ts";
import { MAX_ITEMS } from "../../workflows/step-policies.ts";

const MAX_CHARS = 32_768;
const text = v.exactOptional(
  v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(MAX_CHARS, "Must have at most 32,768 characters."),
  ),
);

export const RunEvaluate = v.pipe(
  strictObject({
    /** CEL expression, at most 32,768 characters. Either this or `template` is required. */
    expression: text,
    /** Text that may contain `{{ expression }}`, at most 32,768 characters. */
    template: text,
    /**
     * Key of the step whose variables it has: the steps before it and, in a step with `for_each` or `loop`, those of an item
     * or a repetition.
     * @default all steps that have settled
     */
    before_step: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."))),
    /** Index of an item or a repetition of that step, from 0. @default 0 */
    item: v.exactOptional(wholeNumber(0, MAX_ITEMS)),
  }),
  v.forward(
    v.check(
      ({ expression, template }) => (expression === undefined) !== (template === undefined),
      "Must be given, unless template is. Give one of them.",
    ),
    ["expression"],
  ),
);
/** An expression to evaluate on a run. */
export type RunEvaluate = v.InferInput<typeof RunEvaluate>;

export const RunEvaluation = v.object({
  /** Type of the value. Absent if it could not be evaluated. */
  type: v.exactOptional(v.picklist(["null", "boolean", "number", "string", "list", "object"])),
  /** The value, as JSON. Absent if it is longer than 16,384 characters. */
  value: v.exactOptional(jsonValue),
  /** The first 16,384 characters of a longer value as JSON. */
  preview: v.exactOptional(v.string()),
  /** Why it could not be evaluated. Absent if it was. */
  error: v.exactOptional(
    v.object({
      /** What is wrong. */
      message: v.string(),
      /** Position in the expression or the template, from 0. Absent if it is not known. */
      at: v.exactOptional(v.number()),
    }),
  ),
});
/** The value of an expression on a run, or why it has none. */
export interface RunEvaluation extends Readonly<v.InferOutput<typeof RunEvaluation>> {}
