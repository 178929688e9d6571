/** Where a run failed: its steps and the items of its lists, in order, for the jump to the next one. Pure. */
import type { Run } from "../../../../src/runs/run.ts";

export interface FailurePlace {
  readonly step: string;
  /** Index of the item; null for the step itself. */
  readonly at: number | null;
}

export function failuresOf({ steps }: Pick<Run, "steps">): FailurePlace[] {
  return steps.flatMap((step): FailurePlace[] => {
    const items = (step.errors ?? []).map(({ index }) => ({ step: step.key, at: index }));
    if (items.length > 0) return items;
    // The errors of items that are too long are in none of the lists of the run.
    const hasFailed = step.status === "failed" || step.omitted?.includes("errors") === true;
    return hasFailed ? [{ step: step.key, at: null }] : [];
  });
}

/**
 * Where a failed run failed: at the step of its error, else at its first failed step, because a step that failed before may
 * have been caught. Null if the run has not failed.
 */
export function failureOf({ status, steps, error }: Pick<Run, "status" | "steps" | "error">): FailurePlace | null {
  if (status !== "failed") return null;
  const failed = steps.find(({ key }) => key === error?.step) ?? steps.find((step) => step.status === "failed");
  return failed === undefined ? null : (failuresOf({ steps: [failed] })[0] ?? { step: failed.key, at: null });
}

/** The failure after a place in the order of the run; the first one after the last. Null if there is none. */
export function nextFailure(run: Pick<Run, "steps">, from: { step: string | null; at: number | null }, isBack = false) {
  const all = failuresOf(run);
  const order = new Map(run.steps.map(({ key }, index) => [key, index]));
  const rank = ({ step, at }: { step: string | null; at: number | null }) =>
    (order.get(step ?? "") ?? -1) * 100_000 + (at ?? -1);
  const here = rank(from);
  const found = isBack ? all.findLast((place) => rank(place) < here) : all.find((place) => rank(place) > here);
  return found ?? (isBack ? all.at(-1) : all[0]) ?? null;
}
