/** The query of a list of records: conditions on fields, tags, results of rules and times, and the order. */
import * as v from "valibot";
import { pageQuery, searchQuery, tokenQuery } from "../../../documents/pagination.ts";
import { instantText, list, map, strictObject } from "../../../schema.ts";
import { FieldPath } from "../../mapping.ts";
import { tagsQuery } from "../../tag.ts";
import { RULE_OUTCOMES } from "../record.ts";
import { readBracketParameters } from "./bracket-parameters.ts";

/** How a condition compares a field with its value. */
export const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "exists"] as const;
export type Operator = (typeof OPERATORS)[number];

/** Conditions of one query. Each is checked on every record that is read. */
const MAX_CONDITIONS = 10;
/** Values of one condition with `in`. */
const MAX_VALUES = 100;

const SCALAR = "Must be a string of at most 1024 characters, a number or a boolean.";
const scalar = v.union([v.pipe(v.string(), v.maxLength(1_024, SCALAR)), v.number(), v.boolean()], SCALAR);
/** A value that conditions compare with. */
export type Scalar = v.InferOutput<typeof scalar>;

const isScalar = (value: Scalar | readonly Scalar[]): value is Scalar => typeof value !== "object";
const isOrdered = (value: Scalar | readonly Scalar[]) => typeof value === "number" || typeof value === "string";

const Condition = v.pipe(
  strictObject({
    /** Field to compare, as `entity:field`. */
    field: FieldPath,
    /** How to compare. @default eq */
    op: v.exactOptional(v.picklist(OPERATORS), "eq"),
    /** Value to compare with: a list of at most 100 values for `in`, a boolean for `exists`. */
    value: v.union([list(scalar), scalar], SCALAR),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { op, value } = dataset.value;
    const message = valueProblem(op, value);
    if (message === null) return;
    addIssue({
      message,
      path: [{ type: "object", origin: "value", input: { ...dataset.value }, key: "value", value }],
    });
  }),
);
/** A condition on a field of a record. */
export interface Condition extends v.InferOutput<typeof Condition> {}

/** The error message for the value of a condition; null if it is valid. */
function valueProblem(op: Operator, value: Scalar | readonly Scalar[]): string | null {
  switch (op) {
    case "in":
      if (isScalar(value) || value.length === 0) return "Must be a list of values.";
      return value.length > MAX_VALUES ? `Must have at most ${MAX_VALUES} values.` : null;
    case "exists":
      return typeof value === "boolean" ? null : "Must be true or false.";
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return isOrdered(value) ? null : "Must be a number or a string.";
    default:
      return isScalar(value) ? null : "Must be a single value. To pass a list, use the operator in.";
  }
}

const Sort = strictObject({
  /** Field to sort by, as `entity:field`. */
  field: FieldPath,
  /** Whether to sort in descending order. @default false */
  descending: v.exactOptional(v.boolean(), false),
});
export interface Sort extends v.InferOutput<typeof Sort> {}

/** `entity:field`, or `-entity:field` for descending. */
const sortText = v.pipe(
  v.string(),
  v.transform((text) => ({ field: text.startsWith("-") ? text.slice(1) : text, descending: text.startsWith("-") })),
  v.object({ field: FieldPath, descending: v.boolean() }),
);

const ruleKey = v.pipe(v.string(), v.maxLength(128, "Must have at most 128 characters."));
const ruleResults = v.pipe(
  map(v.picklist(RULE_OUTCOMES), ruleKey),
  v.check(
    (results) => Object.keys(results).length <= MAX_CONDITIONS,
    `Must have at most ${MAX_CONDITIONS} results of rules.`,
  ),
);

/** Conditions on the content of records, beside their tags and texts. */
export const contentConditions = {
  /** Conditions on fields, at most 10. */
  filter: v.pipe(list(Condition), v.maxLength(MAX_CONDITIONS, `Must have at most ${MAX_CONDITIONS} conditions.`)),
  /** Results of rules by their keys, at most 10. */
  rule_result: ruleResults,
  /** Time of the last change, ISO 8601. */
  updated_after: v.pipe(
    instantText,
    v.transform((text) => new Date(text).toISOString()),
  ),
} as const;

export const RecordQuery = readBracketParameters(
  strictObject({
    ...pageQuery,
    ...tokenQuery,
    ...searchQuery,
    ...tagsQuery,
    filter: v.optional(contentConditions.filter, []),
    sort: v.optional(v.union([sortText, Sort], 'Must be "entity:field" or "-entity:field".')),
    rule_result: v.optional(contentConditions.rule_result, {}),
    updated_after: v.optional(contentConditions.updated_after),
  }),
);
export interface RecordQuery extends v.InferOutput<typeof RecordQuery> {}
