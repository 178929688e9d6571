/** Rules that could never be carried out: they name a workflow, or a version of it, that the app does not have. */
import { type FieldError, isStepwellError } from "../errors.ts";
import type { Rule } from "./rule.ts";

/**
 * What is wrong with the rules of a collection. A workflow that was not deployed yet may be named: its latest version
 * is asked for when a record comes.
 */
export type RuleErrors = (appId: string, rules: readonly Rule[]) => Promise<readonly FieldError[]>;

export function createRuleErrors(parts: {
  /** @throws StepwellError `not_found` */
  getWorkflow(appId: string, workflowId: string): Promise<unknown>;
  /** @throws StepwellError `not_found` */
  getVersion(appId: string, workflowId: string, versionId: string): Promise<unknown>;
}): RuleErrors {
  const { getWorkflow, getVersion } = parts;

  async function wrong(
    { workflow_id, workflow_version_id }: Rule,
    appId: string,
    index: number,
  ): Promise<FieldError[]> {
    const at = (field: string, message: string) => [{ pointer: `/config/rules/${index}/${field}`, message }];
    const workflow = await missing(getWorkflow(appId, workflow_id));
    if (workflow !== null) return at("workflow_id", workflow);
    if (workflow_version_id === undefined) return [];
    const version = await missing(getVersion(appId, workflow_id, workflow_version_id));
    return version === null ? [] : at("workflow_version_id", version);
  }

  return async (appId, rules) => (await Promise.all(rules.map((rule, index) => wrong(rule, appId, index)))).flat();
}

/** Says that it is not there; null when it is. */
async function missing(found: Promise<unknown>): Promise<string | null> {
  try {
    await found;
    return null;
  } catch (error) {
    if (isStepwellError(error, "not_found")) return error.message;
    throw error;
  }
}
