/**
 * References between definitions. Ids are unique, so they are found wherever they stand: in fields, in the input of actions, in
 * expressions and in code. Pure.
 */
import type { StepOf } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";

const ID = /\b(?:workv|work|coll|con)_[0-9a-z]{26}\b/g;
const NUMBER = /^[1-9]\d{0,14}$/;

/** The ids of workflows, versions, collections and connections in a JSON value. */
export function idsIn(value: unknown): ReadonlySet<string> {
  return new Set(JSON.stringify(value).match(ID) ?? []);
}

/** A JSON value with other ids. */
export function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value).replace(ID, (id) => ids.get(id) ?? id));
}

/** A workflow step that names a version by its number. */
export interface Pin {
  readonly step: StepOf<"workflow">;
  readonly workflow_id: string;
  readonly version: number;
}

export function pinsIn({ steps = [] }: Partial<Pick<Definition, "steps">>): Pin[] {
  return steps.flatMap((step) => {
    if (step.type !== "workflow" || step.workflow_id === undefined) return [];
    const version = String(step.workflow_version_id ?? "");
    return NUMBER.test(version) ? [{ step, workflow_id: step.workflow_id, version: Number(version) }] : [];
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
