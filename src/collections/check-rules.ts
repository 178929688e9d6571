/** Checks that rules can run: the workflow, version and input step that they name, and the input that they provide. */
import { lookUp } from "../documents/look-up.ts";
import { type FieldError, isStepwellError } from "../errors.ts";
import { pointer } from "../json.ts";
import { errorsOfEach } from "../messages/field-errors.ts";
import type { CheckInputReferences } from "../runs/resolve-input.ts";
import { isAdditionalName } from "../workflows/field-options.ts";
import { checkInput } from "../workflows/input/check-input.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import { CollectionRecord } from "./records/record.ts";
import type { Rule } from "./rule.ts";

/**
 * Checks the rules of a collection. A rule may name a workflow without a version, because the latest version is looked up
 * for each record. The input of a rule is checked against the version that would run now, unless the rule is disabled:
 * its workflow may be unfinished.
 */
export type CheckRules = (
  appId: string,
  rules: readonly Rule[],
  /** Where the rule is in the body. @default in the `config` of a collection */
  pathOf?: (index: number) => readonly (string | number)[],
) => Promise<readonly FieldError[]>;

const pathInConfig = (index: number) => ["config", "rules", index];

const RECORD_FIELDS = Object.keys(CollectionRecord.entries);
const NO_RECORD =
  "The input of the workflow does not accept records. Use an input step with input: {}, or with the field " +
  'record: { type: "object", fields: {}, additional_fields: true }.';

type At = (field: string, message: string) => FieldError;

export function createCheckRules(parts: {
  /** @throws StepwellError `not_found` */
  getWorkflow(appId: string, workflowId: string): Promise<unknown>;
  /** @throws StepwellError `not_found` */
  getVersion(appId: string, workflowId: string, version: string): Promise<Version>;
  checkInputReferences: CheckInputReferences;
}): CheckRules {
  const { getWorkflow, getVersion, checkInputReferences } = parts;

  async function checkRule(
    appId: string,
    rule: Rule,
    path: readonly (string | number)[],
  ): Promise<readonly FieldError[]> {
    const { workflow_id, workflow_version_id, workflow_use_latest, disabled } = rule;
    const at: At = (field, message) => ({ pointer: pointer([...path, field]), message });
    const workflow = await lookUp(getWorkflow(appId, workflow_id));
    if (!workflow.ok) return [at("workflow_id", workflow.message)];
    const named =
      workflow_version_id === undefined ? null : await lookUp(getVersion(appId, workflow_id, workflow_version_id));
    if (named?.ok === false) return [at("workflow_version_id", named.message)];
    if (disabled) return [];
    const version = workflow_use_latest ? await lookUp(getVersion(appId, workflow_id, "latest")) : named;
    return version?.ok === true ? checkRuleInput(appId, rule, version.value, at, path) : [];
  }

  /** Checks the input of a rule's run, with a record that may contain any data. */
  async function checkRuleInput(
    appId: string,
    { step_key, workflow_input_default }: Rule,
    version: Version,
    at: At,
    path: readonly (string | number)[],
  ): Promise<readonly FieldError[]> {
    const start = startIn(version, step_key);
    if (typeof start === "object" && start !== null) return start.errors.map(({ message }) => at("step_key", message));
    const base = [...path, "workflow_input_default"];
    const definition = definitionAt(version, start);
    const given = { ...workflow_input_default, record: {} };
    const found = checkInput(definition, given, version.input_default ?? {}, base);
    const record = pointer([...base, "record"]);
    const isRefused = found.errors.some((error) => error.pointer === record) || refusesRecords(definition);
    return [
      ...(isRefused ? [at("workflow_id", NO_RECORD)] : []),
      // Problems within the record depend on the data of each record.
      ...found.errors.filter((error) => error.pointer !== record && !error.pointer.startsWith(`${record}/`)),
      ...(await checkInputReferences(appId, found)),
    ];
  }

  return (appId, rules, pathOf = pathInConfig) =>
    errorsOfEach(rules, (rule, index) => checkRule(appId, rule, pathOf(index)));
}

/** Whether the field `record` rejects a field that every record has. */
function refusesRecords(definition: InputDefinition): boolean {
  const field = Object.hasOwn(definition, "record") ? definition["record"] : undefined;
  if (field?.type !== "object") return false;
  const { fields, additional_fields: additional = false } = field;
  return RECORD_FIELDS.some((name) => !Object.hasOwn(fields, name) && !isAdditionalName(name, additional));
}

/** The key of the start step, or the error if there is none with this key. */
function startIn(version: Version, wanted: string | undefined) {
  try {
    return startOf(version, wanted);
  } catch (error) {
    if (isStepwellError(error, "invalid")) return { errors: error.errors };
    throw error;
  }
}
