/** A rule: a workflow that checks whether a record passes. */
import * as v from "valibot";
import { MAX_ERRORS } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import { jsonObject, list, Name, segment, strictObject } from "../schema.ts";
import { FieldPath } from "./mapping.ts";

const Outcome = v.picklist(["PASS", "WARN", "FAIL"]);

const key = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
);

/** A key in the paths of requests. */
const ruleKey = v.pipe(key, segment);

const workflowId = v.pipe(v.string(), v.regex(/^work_[\w-]+$/, "Must be the id of a workflow (work_…)."));
const versionId = v.pipe(v.string(), v.regex(/^workv_[\w-]+$/, "Must be the id of a version (workv_…)."));
const executionOrder = v.picklist(["before-all", "default", "after-all"]);

/** Fields of the record, 1 to 100: without any, the rule would never run again. */
const when = v.pipe(
  list(FieldPath),
  v.minLength(1, "Must name at least one field. Omit it to run the rule on every change."),
  v.maxLength(100, "Must name at most 100 fields."),
);

const fields = {
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Key of the rule, 1 to 128 characters, unique within the collection. */
  key: ruleKey,
  /**
   * Result if the workflow outputs `{ passed: true }`, or a value without `passed` that JavaScript treats as true.
   * @default PASS
   */
  on_success: v.exactOptional(Outcome, "PASS"),
  /** Result if the workflow outputs anything else. @default WARN */
  on_fail: v.exactOptional(Outcome, "WARN"),
  /** Workflow that checks the record. */
  workflow_id: workflowId,
  /** Id of the version to run. Required if `workflow_use_latest` is false. @default the latest version */
  workflow_version_id: v.exactOptional(versionId),
  /** Group of the rule. Groups run one after the other; rules of the same group run in parallel. @default default */
  execution_order: v.exactOptional(executionOrder, "default"),
  /** Key of the input step that the run starts at. @default the first input step */
  step_key: v.exactOptional(key),
  /**
   * Fields as `entity:field`, at most 100. The rule runs only if one of these fields, or the rule itself, changed since
   * its last result.
   * @default any change of the record
   */
  when: v.exactOptional(when),
  /** Whether the rule is disabled and does not run. @default false */
  disabled: v.exactOptional(v.boolean(), false),
} as const;

export const Rule = v.object({
  ...fields,
  /** Whether the rule runs the latest version of the workflow. */
  workflow_use_latest: v.boolean(),
  /** Defaults for the input of the workflow. */
  workflow_input_default: jsonObject,
});
/** A rule: a workflow that checks whether a record passes. */
export interface Rule extends v.InferOutput<typeof Rule> {}

const VERSION_REQUIRED = "Is required when workflow_use_latest is false.";

export const RuleInput = v.pipe(
  strictObject({
    ...fields,
    /** Whether the rule runs the latest version of the workflow. @default true unless `workflow_version_id` is set */
    workflow_use_latest: v.exactOptional(v.boolean()),
    /** Defaults for the input of the workflow. @default {} */
    workflow_input_default: v.exactOptional(jsonObject),
  }),
  v.forward(
    v.check((rule) => rule.workflow_use_latest !== false || rule.workflow_version_id !== undefined, VERSION_REQUIRED),
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

/**
 * A rule: a workflow that checks whether a record passes.
 * @example { "name": "Credit check", "key": "credit", "workflow_id": "work_YOUR-WORKFLOW" }
 */
export interface RuleInput extends v.InferInput<typeof RuleInput> {}

export const RuleUpdate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Key of the rule, 1 to 128 characters, unique within the collection. */
  key: v.exactOptional(ruleKey),
  /** Result if the workflow outputs `{ passed: true }`, or a value without `passed` that JavaScript treats as true. */
  on_success: v.exactOptional(Outcome),
  /** Result if the workflow outputs anything else. */
  on_fail: v.exactOptional(Outcome),
  /** Workflow that checks the record. */
  workflow_id: v.exactOptional(workflowId),
  /** Id of the version to run, or null for the latest version. */
  workflow_version_id: v.exactOptional(v.nullable(versionId)),
  /** Whether the rule runs the latest version of the workflow. @default false if the update names a version */
  workflow_use_latest: v.exactOptional(v.boolean()),
  /** Group of the rule. */
  execution_order: v.exactOptional(executionOrder),
  /** Key of the input step that the run starts at, or null for the first input step. */
  step_key: v.exactOptional(v.nullable(key)),
  /** Fields whose change runs the rule, as `entity:field`, at most 100; null for any change of the record. */
  when: v.exactOptional(v.nullable(when)),
  /** Whether the rule is disabled and does not run. */
  disabled: v.exactOptional(v.boolean()),
  /** Defaults for the input of the workflow. */
  workflow_input_default: v.exactOptional(jsonObject),
});
export interface RuleUpdate extends v.InferOutput<typeof RuleUpdate> {}

/** The rule after an update. @throws StepwellError `invalid` if it would have no version to run */
export function updatedRule(before: Rule, update: RuleUpdate): Rule {
  const { workflow_version_id, step_key, when, ...rest } = { ...before, ...update };
  const { workflow_use_latest = before.workflow_use_latest } =
    update.workflow_version_id === undefined
      ? update
      : { workflow_use_latest: update.workflow_version_id === null, ...update };
  if (!workflow_use_latest && !workflow_version_id) {
    throw invalid([{ pointer: "/workflow_version_id", message: VERSION_REQUIRED }]);
  }
  const optional = omitUndefined({
    workflow_version_id: workflow_version_id ?? undefined,
    step_key: step_key ?? undefined,
    when: when ?? undefined,
  });
  return { ...rest, ...optional, workflow_use_latest };
}

/** Each write of a record starts a run for each rule, and each result is another write. */
export const MAX_RULES = 500;

/** The rules of a collection. If two rules have the same key, the error points to the later one. */
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
