/** Expressions that are evaluated on a run, for previews in editors. */
import * as v from "valibot";
import { jsonValue, list, strictObject, wholeNumber } from "../../schema.ts";
import { MAX_ITEMS } from "../../workflows/step-policies.ts";

const MAX_CHARS = 32_768;
const MAX_VALUE_CHARS = 16_384;
const MAX_EXPRESSIONS = 200;
const MAX_TOTAL_CHARS = 262_144;

const text = v.exactOptional(
  v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(MAX_CHARS, "Must have at most 32,768 characters."),
  ),
);

const place = v.exactOptional(v.picklist(["anywhere", "loop", "for_each", "on_error"]));

const hasOneText = ({ expression, template }: { readonly expression?: string; readonly template?: string }) =>
  (expression === undefined) !== (template === undefined);

const ExpressionToEvaluate = v.pipe(
  strictObject({
    /** CEL expression, at most 32,768 characters. Either this or `template` is required. */
    expression: text,
    /** Text that may contain `{{ expression }}`, at most 32,768 characters. */
    template: text,
    /**
     * Where it stands, which decides its variables: `loop` has `iteration`, `previous` and `output`; `for_each` has `item`
     * and `index`; `on_error` has `error`.
     * @default the place of most fields of the step `before_step`
     */
    place,
  }),
  v.forward(v.check(hasOneText, "Must be given, unless template is. Give one of them."), ["expression"]),
);
/** One of several expressions to evaluate. */
export type ExpressionToEvaluate = v.InferInput<typeof ExpressionToEvaluate>;

const lengthOf = ({ expression, template }: ExpressionToEvaluate) => (expression ?? template ?? "").length;

export const RunEvaluate = v.pipe(
  strictObject({
    /** CEL expression, at most 32,768 characters. This, `template` or `expressions` is required. */
    expression: text,
    /** Text that may contain `{{ expression }}`, at most 32,768 characters. */
    template: text,
    /**
     * Several expressions and templates, at most 200 with 262,144 characters in total. They share the operations that the
     * expressions of one step may take. Their results are in `results`.
     */
    expressions: v.exactOptional(
      v.pipe(
        list(ExpressionToEvaluate),
        v.minLength(1, "Must have at least one expression."),
        v.maxLength(MAX_EXPRESSIONS, "Must have at most 200 expressions."),
        v.check(
          (all) => all.reduce((total, one) => total + lengthOf(one), 0) <= MAX_TOTAL_CHARS,
          "Must have at most 262,144 characters in total.",
        ),
      ),
    ),
    /** Like that of one of `expressions`, for `expression` and `template`. */
    place,
    /**
     * Key of the step whose variables it has: the steps before it and, in a step with `for_each` or `loop`, those of an item
     * or a repetition.
     * @default all steps that have settled
     */
    before_step: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."))),
    /** Index of an item or a repetition of that step, from 0. @default 0 */
    item: v.exactOptional(wholeNumber(0, MAX_ITEMS)),
    /**
     * CEL expression, or text with `{{ expression }}`, of the list that `item` selects from, such as one that has changed
     * since the run. At most 32,768 characters.
     * @default that of the step
     */
    items: text,
    /** Maximum length of a value as JSON, in characters. A longer one is cut. @default 16,384 */
    max_value_chars: v.exactOptional(wholeNumber(1, MAX_VALUE_CHARS)),
  }),
  v.forward(
    v.check(
      ({ expressions, ...one }) => (expressions === undefined ? hasOneText(one) : isWithoutText(one)),
      "Must be given, unless template or expressions is. Give one of them.",
    ),
    ["expression"],
  ),
);
/**
 * Expressions to evaluate on a run.
 * @example { "expression": "run.id" }
 */
export type RunEvaluate = v.InferInput<typeof RunEvaluate>;

function isWithoutText({ expression, template }: { readonly expression?: string; readonly template?: string }) {
  return expression === undefined && template === undefined;
}

const resultFields = {
  /** Type of the value. Absent if it has none. */
  type: v.exactOptional(v.picklist(["null", "boolean", "number", "string", "list", "object"])),
  /** The value, as JSON. Absent if it is longer than `max_value_chars`. */
  value: v.exactOptional(jsonValue),
  /** The first `max_value_chars` characters of a longer value as JSON. */
  preview: v.exactOptional(v.string()),
  /** Present if a model fills in a part of the template (`auto`), so that it has no value before it is executed. */
  filled_by_model: v.exactOptional(v.literal(true)),
  /** Why it could not be evaluated. Absent if it was. */
  error: v.exactOptional(
    v.object({
      /** What is wrong. */
      message: v.string(),
      /** Whether the text is invalid, in any run. If not, it has no value in this run. */
      invalid: v.boolean(),
      /** Position in the expression or the template, from 0. Absent if it is not known. */
      at: v.exactOptional(v.number()),
      /** Position after the last character that is wrong. Absent if it is not known. */
      end: v.exactOptional(v.number()),
    }),
  ),
};

export const ExpressionResult = v.object(resultFields);
/** The value of one of several expressions, or why it has none. */
export interface ExpressionResult extends Readonly<v.InferOutput<typeof ExpressionResult>> {}

export const RunEvaluation = v.object({
  ...resultFields,
  /** Results of `expressions`, in their order. Absent for a single expression. */
  results: v.exactOptional(list(ExpressionResult)),
});
/** The value of an expression on a run, or why it has none. */
export interface RunEvaluation extends Readonly<v.InferOutput<typeof RunEvaluation>> {}
