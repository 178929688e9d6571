/** Retries an ended run from the failed step. Completed steps are not executed again. */
import { StepwellError } from "../../errors.ts";
import type { Change, Key, Stored } from "../../ports/store.ts";
import type { Plan } from "../compile/plan.ts";
import type { Outcome } from "../progress/step-state.ts";
import { appendRecord, asStoredEntry } from "./journal.ts";
import { isLargeValue } from "./large-values.ts";
import { asRetried, type RunDocument } from "./run-document.ts";

/**
 * Returns the run as it continues, and what to commit with it.
 * @throws StepwellError `conflict` if there is nothing to retry.
 */
export function prepareRetry(
  { document }: Stored<RunDocument>,
  plan: Plan,
  now: string,
  by?: string,
): { readonly document: RunDocument; readonly changes: readonly Change[] } {
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

  const interrupted = [...steps.keys()].filter((index) => !order.includes(index));
  const entries = [...order, ...interrupted].flatMap((index) => {
    const step = steps[index];
    const compiled = plan.steps[index];
    if (step === undefined || compiled === undefined) return [];
    const isComputed = compiled.executable.kind === "pure" && compiled.loop === undefined;
    const isWhole = step.status === "succeeded" || (step.status === "failed" && step.caught_by !== undefined);
    const kept = isWhole ? "whole" : step.has_items === true ? "items" : undefined;
    if (isComputed || kept === undefined || step.finished_at === null) return [];
    const outcome: Omit<Outcome, "output"> = {
      error: step.error,
      attempts: step.attempts,
      logs: step.logs,
      started_at: Date.parse(step.started_at ?? step.finished_at),
      finished_at: Date.parse(step.finished_at),
      kept,
      caught_by: step.caught_by,
    };
    return [asStoredEntry({ index, item: null }, outcome, step.output)];
  });

  const unused = steps.flatMap(({ output }, index): Key[] =>
    isLargeValue(output) && !entries.some((entry) => entry.index === index) ? [output.at] : [],
  );
  const changes = [
    appendRecord(document.id, 1, entries),
    ...unused.map((key) => ({ key, document: null, expected: 1 })),
  ];
  return { document: asRetried(document, now, keptKeys(document, plan), by), changes };
}

/**
 * The interrupted steps that keep their idempotency key, because their effect may have happened. What they send is the
 * same again: it follows from outcomes that are kept. The others get a new key:
 * - A failed step, or the item that failed it: a receiver that remembers the key would repeat the failure.
 * - A step with a loop, an answer of a model or a child run: it starts from its beginning, so under the same key it may
 *   send something else, or find its canceled child.
 */
function keptKeys(document: RunDocument, plan: Plan): Pick<RunDocument, "key_retries" | "key_attempts"> {
  const { steps = [], retries = 0, key_retries = {} } = document;
  const kept = steps.flatMap(({ status, started_at, has_items, error }, index): [string, number][] => {
    const step = plan.steps[index]?.step;
    const isSame = step?.loop === undefined && step?.auto === undefined;
    const isCall = step?.type === "service" || step?.type === "http_request";
    const isInterrupted = status === "canceled" || (status === "failed" && has_items === true);
    if (!isInterrupted || started_at === null || !isSame || !isCall) return [];
    const items = Object.entries(key_retries).filter(([key]) => key.startsWith(`${index}.`));
    const failed: [string, number][] = error?.index === undefined ? [] : [[`${index}.${error.index}`, retries + 1]];
    return [[String(index), key_retries[index] ?? retries], ...items, ...failed];
  });
  if (kept.length === 0) return {};
  const indexes = new Set(kept.map(([name]) => name));
  const changed = Object.entries(document.key_attempts ?? {}).filter(([name]) => indexes.has(name.split(".")[0] ?? ""));
  return { key_retries: Object.fromEntries(kept), key_attempts: Object.fromEntries(changed) };
}
