/** Retries an ended run from the failed step. Completed steps are not executed again. */
import { StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Change, Stored } from "../../ports/store.ts";
import type { Plan } from "../compile/plan.ts";
import { partsOf } from "../progress/step-log.ts";
import type { Outcome } from "../progress/step-state.ts";
import { appendRecord, asStoredEntry, type StoredOutcome } from "./journal.ts";
import { keptSteps } from "./kept-steps.ts";
import { keysOfLargeValues } from "./large-values.ts";
import { asRetried, type NewVersion, onVersion, type RunDocument, type StoredStep, valuesOf } from "./run-document.ts";

/** How a run continues: on a version, and from where. */
export interface Continuation {
  /** The plan of the run before. */
  readonly before: Plan;
  readonly after: Plan;
  /** Key of the step from which everything is executed again. @default the steps without an outcome */
  readonly from_step?: string | undefined;
}

/** An outcome of a run that another one, or the same one after a retry, keeps. */
export interface KeptOutcome {
  /** Index of the step in the new plan. */
  readonly index: number;
  readonly outcome: StoredOutcome;
  readonly output: StoredStep["output"];
  readonly history: StoredStep["history"];
}

/**
 * Returns the outcomes that a run keeps, in the order in which the steps settled.
 * @throws StepwellError `invalid` for an unknown step; `conflict` if steps that have outcomes differ
 */
export function keptOutcomes(
  { steps = [], order = [] }: RunDocument,
  { before, after, from_step }: Continuation,
): readonly KeptOutcome[] {
  const redone = from_step === undefined ? undefined : after.graph.indexOf.get(from_step);
  if (from_step !== undefined && redone === undefined) {
    const message = `The version has no step with the key ${JSON.stringify(from_step)}.`;
    throw invalid([{ pointer: "/from_step", message }]);
  }
  const { sourceOf, differing } = keptSteps(
    before.graph,
    after.graph,
    (index) => keptAs(steps[index]) !== undefined,
    redone,
  );
  if (differing.length > 0) throw differingError(differing);
  const targetOf = new Map([...sourceOf].map(([index, source]) => [source, index]));
  const interrupted = [...steps.keys()].filter((index) => !order.includes(index));
  return [...order, ...interrupted].flatMap((source): KeptOutcome[] => {
    const step = steps[source];
    const index = targetOf.get(source);
    const compiled = index === undefined ? undefined : after.steps[index];
    if (index === undefined || step?.finished_at == null || compiled === undefined) return [];
    const isComputed = compiled.executable.kind === "pure" && compiled.loop === undefined;
    if (isComputed) return [];
    const outcome: StoredOutcome = {
      error: step.error,
      attempts: step.attempts,
      logs: step.logs,
      log_parts: step.log_parts ?? partsOf({ attempts: 1, logs: step.logs }),
      started_at: Date.parse(step.started_at ?? step.finished_at),
      finished_at: Date.parse(step.finished_at),
      kept: keptAs(step),
      caught_by: step.caught_by,
    };
    return [{ index, outcome, output: step.output, history: step.history }];
  });
}

/** What of a step a retry keeps. */
function keptAs(step: StoredStep | undefined): Outcome["kept"] {
  const isWhole = step?.status === "succeeded" || (step?.status === "failed" && step.caught_by !== undefined);
  return isWhole ? "whole" : step?.has_items === true ? "items" : undefined;
}

const MAX_NAMED = 10;

function differingError(keys: readonly string[]): StepwellError {
  const named = keys.slice(0, MAX_NAMED).map((key) => JSON.stringify(key));
  const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : "";
  return new StepwellError(
    "conflict",
    `Steps that have been executed differ in this version, or steps before them do: ${named.join(", ")}${more}. Set from_step to the first of them to execute it again, or start a new run.`,
  );
}

/**
 * Returns a run that is retried, and what to commit with it.
 * @param version The version on which it continues, with the input for it; undefined for its own.
 * @throws StepwellError `conflict` if there is nothing to retry, or if steps that have outcomes differ; `invalid` for an unknown
 * step
 */
export function prepareRetry(
  { document }: Stored<RunDocument>,
  continuation: Continuation,
  now: string,
  more: { readonly by?: string | undefined; readonly version?: NewVersion | undefined } = {},
): { readonly document: RunDocument; readonly changes: readonly Change[] } {
  const { status, steps = [] } = document;
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
  const kept = keptOutcomes(document, continuation);
  const entries = kept.map(({ index, outcome, output, history }) =>
    asStoredEntry({ index, item: null }, { ...outcome, ...omitUndefined({ history }) }, output),
  );
  const used = new Set(
    keysOfLargeValues(kept.flatMap(({ output, history }) => [output, ...(history ? [history] : [])])),
  );
  const unused = keysOfLargeValues(steps.flatMap(valuesOf)).filter((key) => !used.has(key));
  const changes = [
    appendRecord(document.id, 1, entries),
    ...unused.map((key) => ({ key, document: null, expected: 1 })),
  ];
  const { before, after, from_step } = continuation;
  const keys = keptKeys(document, after, before !== after || from_step !== undefined);
  const again = asRetried(document, now, keys, more.by);
  return { document: more.version === undefined ? again : onVersion(again, more.version), changes };
}

/**
 * The interrupted steps that keep their idempotency key, because their effect may have happened. What they send is the
 * same again: it follows from outcomes that are kept. The others get a new key:
 * - A failed step, or the item that failed it: a receiver that remembers the key would repeat the failure.
 * - A step with a loop, an answer of a model or a child run: it starts from its beginning, so under the same key it may
 *   send something else, or find its canceled child.
 */
function keptKeys(
  document: RunDocument,
  plan: Plan,
  isOnOtherVersion: boolean,
): Pick<RunDocument, "key_retries" | "key_attempts"> {
  // What the steps of another version send may be different.
  if (isOnOtherVersion) return {};
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
