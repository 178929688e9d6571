/** The child runs of the steps of a run. */
import type { Store } from "../ports/store.ts";
import type { Run } from "./run.ts";
import { appRuns, childMark } from "./run-rows.ts";
import type { RunStep } from "./run-step.ts";

/** Number of child runs that a step names. */
const MAX_NAMED = 10;

/** Adds its child runs to each step that can have any. */
export async function withChildRuns<R extends Pick<Run, "id" | "app_id" | "steps">>(store: Store, run: R): Promise<R> {
  if (!run.steps.some(mayHaveChildren)) return run;
  const steps = run.steps.map(async (step): Promise<RunStep> => {
    if (!mayHaveChildren(step)) return step;
    const marks = [[childMark(run.id, step.key)]];
    const { ids, total = 0 } = await store.list(appRuns(run.app_id), { limit: MAX_NAMED, marks });
    return total === 0 ? step : { ...step, child_runs: { total, latest: [...ids] } };
  });
  return { ...run, steps: await Promise.all(steps) };
}

const mayHaveChildren = ({ type, started_at }: RunStep) =>
  started_at !== null && (type === "workflow" || type === "model");
