/** Retries an ended run from the failed step. Completed steps are not executed again. */
import { StepwellError } from "../../errors.ts";
import type { Change, Key, Stored } from "../../ports/store.ts";
import type { Plan } from "../compile/plan.ts";
import type { Slot } from "../dispatch/run-queue.ts";
import { appendRecord, asStoredEntry } from "./journal.ts";
import { isLargeValue } from "./large-values.ts";
import { putRun } from "./run-changes.ts";
import { asRetried, type RunDocument } from "./run-document.ts";
import type { Outcome } from "./step-state.ts";

/**
 * @param enter Takes a slot or a position in the queue. The caller commits the changes and releases the slot on
 * failure.
 * @throws StepwellError `conflict` if there is nothing to retry.
 */
export function prepareRetry(
  { document, version }: Stored<RunDocument>,
  plan: Plan,
  enter: () => Slot,
  now: string,
): { readonly document: RunDocument; readonly slot: Slot; readonly changes: readonly Change[] } {
  const { status, steps = [], order = [] } = document;
  if (status !== "failed" && status !== "canceled") {
    throw new StepwellError("conflict", `Only a failed or canceled run can be retried. This run is ${status}.`);
  }
  if (document.awaiting !== undefined) {
    throw new StepwellError(
      "conflict",
      "The run never started because it was waiting for files. Upload the files, then replay the run.",
    );
  }
  if (steps.length === 0) throw new StepwellError("conflict", "The run has no steps to retry.");

  const entries = order.flatMap((index) => {
    const step = steps[index];
    const compiled = plan.steps[index];
    if (step === undefined || compiled === undefined) return [];
    const isComputed = compiled.executable.kind === "pure" && compiled.loop === undefined;
    const isKept = step.status === "succeeded" || (step.status === "failed" && compiled.step.throw_on_error === false);
    if (isComputed || !isKept || step.finished_at === null) return [];
    const outcome: Omit<Outcome, "output"> = {
      error: step.error,
      attempts: step.attempts,
      logs: step.logs,
      started_at: Date.parse(step.started_at ?? step.finished_at),
      finished_at: Date.parse(step.finished_at),
      whole: true,
    };
    return [asStoredEntry(index, outcome, step.output)];
  });

  const slot = enter();
  const next = asRetried(document, slot.isAdmitted ? "running" : "queued", now);
  const unused = steps.flatMap(({ output }, index): Key[] =>
    isLargeValue(output) && !entries.some((entry) => entry.index === index) ? [output.at] : [],
  );
  const changes = [
    putRun(next, version),
    appendRecord(document.id, 1, entries),
    ...unused.map((key) => ({ key, document: null, expected: 1 })),
  ];
  return { document: next, slot, changes };
}
