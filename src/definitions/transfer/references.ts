/** References between definitions that are more than an id. Pure. */
import type { StepOf } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";

const NUMBER = /^[1-9]\d{0,14}$/;

/** A workflow step that names a version by its number. */
export interface Pin {
  readonly step: StepOf<"workflow">;
  readonly workflow_id: string;
  readonly version: number;
}

/** The number of a version that is named by its number; null for an id, `latest` and `draft`. */
export function numberOf(version: string | number | undefined): number | null {
  return NUMBER.test(String(version)) ? Number(version) : null;
}

export function pinsIn({ steps = [] }: Partial<Pick<Definition, "steps">>): Pin[] {
  return steps.flatMap((step) => {
    if (step.type !== "workflow" || step.workflow_id === undefined) return [];
    const version = numberOf(step.workflow_version_id);
    return version === null ? [] : [{ step, workflow_id: step.workflow_id, version }];
  });
}

/** Whether a workflow step names the draft of a workflow. */
export function usesDraftOf({ steps }: Pick<Definition, "steps">): ReadonlySet<string> {
  const drafts = steps.flatMap((step) =>
    step.type === "workflow" && step.workflow_version_id === "draft" && step.workflow_id !== undefined
      ? [step.workflow_id]
      : [],
  );
  return new Set(drafts);
}
