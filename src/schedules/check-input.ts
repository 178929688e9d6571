/** Checks what would make the runs of a schedule fail: its version, start step and input. */
import { type FieldError, isStepwellError } from "../errors.ts";
import { checkInput } from "../workflows/input/check-input.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { ScheduleDocument } from "./schedule.ts";

/**
 * Checks against the version that would run now. Reports nothing if no version was deployed yet, nothing about the input
 * of a draft, which may be incomplete, and nothing about files and connections, which may change until the run.
 */
export type CheckScheduleInput = (schedule: ScheduleDocument) => Promise<readonly FieldError[]>;

export function createCheckScheduleInput(parts: {
  /** @throws StepwellError `not_found` */
  getVersion(appId: string, workflowId: string, version: string): Promise<Version>;
}): CheckScheduleInput {
  return async ({ app_id, workflow_id, version: wanted, step_key, input }) => {
    if (wanted === "draft") return [];
    try {
      const version = await parts.getVersion(app_id, workflow_id, wanted);
      const definition = definitionAt(version, startOf(version, step_key ?? undefined));
      return checkInput(definition, input, version.input_default ?? {}).errors;
    } catch (error) {
      if (isStepwellError(error, "invalid")) return error.errors; // unknown step_key
      if (!isStepwellError(error, "not_found")) throw error;
      return wanted === "latest" ? [] : [{ pointer: "/version", message: error.message }];
    }
  };
}
