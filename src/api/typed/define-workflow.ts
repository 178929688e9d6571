/** defineWorkflow: a definition apart from the call that creates it. */
import type { Step } from "../../workflows/step.ts";
import type { WorkflowCreate } from "../../workflows/workflow.ts";
import type { Checked, WithSteps } from "./typed-workflows.ts";

/**
 * Returns a definition as it is. The compiler checks its fields and keeps its literal types, so that `workflows.create` can infer
 * input and output. Service steps are checked by `workflows.create`, which knows the services.
 *
 * @example
 * ```ts
 * export const double = defineWorkflow({
 *   name: "Double",
 *   input: { n: { type: "number" } },
 *   steps: [{ type: "code", key: "double", code: "return input.n * 2", output: { type: "number" } }],
 * });
 * const workflow = await stepwell.workflows.create(app.id, double);
 * ```
 */
export function defineWorkflow<const Written>(definition: Checked<Written, WithSteps<WorkflowCreate, Step>>): Written {
  return definition as Written; // the same object: `Checked` is `Written`, checked against what is accepted
}
