/** A rule: a workflow that says whether a record passes. */
import * as v from "valibot";
import { MAX_ERRORS } from "../errors.ts";
import { jsonObject, list, Name, strictObject } from "../schema.ts";

const Outcome = v.picklist(["PASS", "WARN", "FAIL"]);

const key = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
);

const fields = {
  name: Name,
  /** Unique among the rules of a collection. */
  key,
  on_success: v.exactOptional(Outcome, "PASS"),
  on_fail: v.exactOptional(Outcome, "WARN"),
  workflow_id: v.pipe(v.string(), v.regex(/^work_[\w-]+$/, "Must be the id of a workflow (work_…).")),
  workflow_version_id: v.exactOptional(
    v.pipe(v.string(), v.regex(/^workv_[\w-]+$/, "Must be the id of a version (workv_…).")),
  ),
  execution_order: v.exactOptional(v.picklist(["before-all", "default", "after-all"]), "default"),
  /** The input step that the run starts at; left out, the first. */
  step_key: v.exactOptional(key),
  disabled: v.exactOptional(v.boolean(), false),
} as const;

export const Rule = v.object({ ...fields, workflow_use_latest: v.boolean(), workflow_input_default: jsonObject });
export interface Rule extends v.InferOutput<typeof Rule> {}

/** As given: without `workflow_use_latest`, it holds where no version is named. */
const RuleInput = v.pipe(
  strictObject({
    ...fields,
    workflow_use_latest: v.exactOptional(v.boolean()),
    workflow_input_default: v.exactOptional(jsonObject),
  }),
  v.forward(
    v.check(
      (rule) => rule.workflow_use_latest !== false || rule.workflow_version_id !== undefined,
      "Is required when workflow_use_latest is false.",
    ),
    ["workflow_version_id"],
  ),
  v.transform(
    (rule): Rule => ({
      ...rule,
      workflow_use_latest: rule.workflow_use_latest ?? rule.workflow_version_id === undefined,
      workflow_input_default: rule.workflow_input_default ?? {},
    }),
  ),
);

/** Each rule is a run for each write of a record, and a write into the record. */
export const MAX_RULES = 500;

/** The rules of a collection; of two with one key the later is at fault. */
export const RuleInputs = v.pipe(
  list(RuleInput),
  v.maxLength(MAX_RULES, `Must have at most ${MAX_RULES} rules.`),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const rules = dataset.value;
    const first = new Map<string, number>();
    let found = 0;
    for (const [index, rule] of rules.entries()) {
      const before = first.get(rule.key);
      if (before === undefined) {
        first.set(rule.key, index);
        continue;
      }
      if (found++ > MAX_ERRORS) break;
      addIssue({
        message: `Must be unique: rule ${before} has the same key.`,
        path: [
          { type: "array", origin: "value", input: rules, key: index, value: rule },
          { type: "object", origin: "value", input: { ...rule }, key: "key", value: rule.key },
        ],
      });
    }
  }),
);
