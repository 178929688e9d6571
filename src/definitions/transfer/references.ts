/**
 * References between definitions. Ids are unique, so they are found wherever they stand: in fields, in the input of actions, in
 * expressions and in code. Pure.
 */
import type { StepOf } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";

const ID = /\b(?:workv|work|coll|con|tag|trig|sched|whk)_[0-9a-z]{26}\b/g;
const NUMBER = /^[1-9]\d{0,14}$/;

/** The ids in a JSON value of everything that an export may contain. */
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
