/** Describes a workflow and its input for models that can call it. */
import type { InputDefinition } from "../workflows/input/input-field.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { Workflow } from "../workflows/workflow.ts";

export interface WorkflowDescription {
  readonly name: string;
  readonly description: string | null;
  /** Input fields of the latest version at its start step. */
  readonly input: InputDefinition;
}

/** @throws StepwellError `not_found`; `conflict` if no version was deployed */
export type DescribeWorkflow = (appId: string, workflowId: string) => Promise<WorkflowDescription>;

export function createDescribeWorkflow(parts: {
  getWorkflow(appId: string, workflowId: string): Promise<Workflow>;
  versionForRun(appId: string, workflowId: string, version: string): Promise<Version>;
}): DescribeWorkflow {
  return async (appId, workflowId) => {
    const { name, description } = await parts.getWorkflow(appId, workflowId);
    const version = await parts.versionForRun(appId, workflowId, "latest");
    return { name, description, input: definitionAt(version, startOf(version, undefined)) };
  };
}
