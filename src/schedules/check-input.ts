/** What each run of a schedule would be refused for, as far as it can be told beforehand: its version, step and input. */
import { type FieldError, isStepwellError } from "../errors.ts";
import { checkInput } from "../workflows/input/check-input.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { ScheduleDocument } from "./schedule.ts";

/**
 * By the version that would run now. Nothing is said where none was deployed yet, of a draft, which may be half-done, and
 * of files and connections, which may come and go until the moment has come.
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
      if (isStepwellError(error, "invalid")) return error.errors; // no input step has this key
      if (!isStepwellError(error, "not_found")) throw error;
      return wanted === "latest" ? [] : [{ pointer: "/version", message: error.message }];
    }
  };
}
