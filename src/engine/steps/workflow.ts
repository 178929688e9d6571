/** The step type `workflow`: starts a child run, whose output becomes the step's output. */
import { isRecord, type JsonValue, omitUndefined, parseObject } from "../../json.ts";
import type { StepImplementation } from "../compile/step-implementation.ts";
import { StepError } from "../step-error.ts";

export const workflow: StepImplementation<"workflow"> = {
  compile(step, { template, text }) {
    const workflowId = text(step.workflow_id ?? "", ["workflow_id"]);
    const version = text(String(step.workflow_version_id ?? "latest"), ["workflow_version_id"]);
    const input = template(step.input, ["input"]);
    const stepKey = step.step_key == null ? () => undefined : text(step.step_key, ["step_key"]);
    return {
      kind: "effect",
      maxAttempts: 1,
      timeoutMs: Number.POSITIVE_INFINITY, // a child may wait for people; the time limit of the run ends both
      isChildRun: true,
      input: (scope) =>
        omitUndefined({
          workflow_id: workflowId(scope),
          version: version(scope),
          step_key: stepKey(scope),
          input: asInput(input(scope)),
        }),
      run: (scope, attempt, { runChild }) =>
        runChild({
          attempt,
          workflow_id: workflowId(scope),
          version: version(scope),
          input: asInput(input(scope)),
          step_key: stepKey(scope),
        }),
    };
  },
};

/** Accepts an object or its JSON text. Null means an empty object. */
function asInput(value: JsonValue): JsonValue {
  if (value === null) return {};
  if (isRecord(value)) return value;
  const parsed = typeof value === "string" ? parseObject(value) : null;
  if (parsed !== null) return parsed;
  throw new StepError(
    "invalid",
    `The input of a workflow must be an object, not ${JSON.stringify(value).slice(0, 100)}.`,
  );
}
