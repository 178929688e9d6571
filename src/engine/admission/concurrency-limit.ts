/**
 * Limits how many runs with the same key are open at once. Lists in the storage contain them, so the limit holds across
 * restarts. Decisions about one key are made one after another.
 */
import { rowIds } from "../../documents/documents.ts";
import { StepwellError } from "../../errors.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { concurrencyRuns, runKey } from "../../runs/run-rows.ts";
import { countedMark, END_OF_CANCELABLE, queuedMark } from "../state/limit-rows.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import { type EnteredConcurrency, hasEntered, type RunConcurrency } from "../state/stored-admission.ts";

/** How a run takes part in the limit. `exempt`: a run above it has the same key and counts. */
export type Place = "counted" | "queued" | "exempt";

/** Value of `Retry-After` for a rejected run. */
const RETRY_AFTER_SECONDS = "1";

/** A run whose place is decided. */
type LimitedRun = Pick<RunDocument, "id" | "app_id" | "workflow_id" | "parent_run_id" | "root_run_id">;

/** Decides about a run that would begin now. */
export async function placeOf(store: Store, run: LimitedRun, { key, limit }: RunConcurrency): Promise<Place> {
  if (await isBelowCounted(store, run, key)) return "exempt";
  const open = await count(store, concurrencyRuns(run.workflow_id), [countedMark(key), queuedMark(key)]);
  return open < limit ? "counted" : "queued";
}

/**
 * Returns the open run that takes the place of a new run beyond the limit; null if the new run is queued.
 * @throws StepwellError `too_many_requests` if it is neither, by its strategy or because too many runs are queued
 */
export async function replacementOf(
  store: Store,
  run: LimitedRun,
  { key, limit, strategy }: RunConcurrency,
  maxQueued: number,
): Promise<{ readonly kind: "skipped"; readonly by: string } | null> {
  const list = concurrencyRuns(run.workflow_id);
  if (strategy === "reject")
    throw rejection(`${limit} ${limit === 1 ? "run" : "runs"} with this key may be open at the same time`);
  const by = strategy === "skip" ? await first(store, list, countedMark(key)) : null;
  if (by !== null) return { kind: "skipped", by };
  if (run.parent_run_id !== null) return null;
  const queued = await count(store, list, [queuedMark(key)]);
  if (queued < maxQueued) return null;
  throw rejection(`${queued} ${queued === 1 ? "run is" : "runs are"} queued for this key already`);
}

/** A run that is held back. */
export interface HeldRun extends Stored<RunDocument> {
  readonly concurrency: EnteredConcurrency;
}

/** Returns the run to begin next, or null if the limit is reached or none is held back. */
export async function nextHeld(store: Store, workflowId: string, key: string): Promise<HeldRun | null> {
  const list = concurrencyRuns(workflowId);
  for await (const id of rowIds(store, list, { marks: [[queuedMark(key)]] })) {
    const held = asHeld(await store.get<RunDocument>(runKey(id)));
    // It may have ended since the row was read.
    if (held === null) continue;
    return (await count(store, list, [countedMark(key)])) < held.concurrency.limit ? held : null;
  }
  return null;
}

function asHeld(found: Stored<RunDocument> | null): HeldRun | null {
  const concurrency = found?.document.concurrency;
  if (found === null || concurrency === undefined || isEnded(found.document)) return null;
  return hasEntered(concurrency) && concurrency.state === "queued" ? { ...found, concurrency } : null;
}

/**
 * Returns the runs that newer ones overtake under `cancel_oldest`: all but as many as the limit allows.
 * @param newest Not among them, even if others entered at the same time.
 */
export async function overtakenRuns(
  store: Store,
  { workflow_id }: LimitedRun,
  { key, limit }: RunConcurrency,
  newest?: string,
): Promise<string[]> {
  const list = concurrencyRuns(workflow_id);
  const open = { marks: [[countedMark(key), queuedMark(key)]], until: END_OF_CANCELABLE, descending: false };
  const { total = 0 } = await store.list(list, { ...open, limit: 1 });
  const excess = total - limit;
  if (excess <= 0) return [];
  const { ids } = await store.list(list, { ...open, limit: excess + 1, withoutTotal: true });
  return ids.filter((id) => id !== newest).slice(0, excess);
}

/** Whether a run above has the key and counts, so that this one must not wait for it to end. */
async function isBelowCounted(store: Store, run: LimitedRun, key: string): Promise<boolean> {
  let above = run.parent_run_id ?? run.root_run_id;
  while (above !== undefined && above !== null) {
    const found: RunDocument | undefined = (await store.get<RunDocument>(runKey(above)))?.document;
    if (found?.concurrency?.key === key && found.concurrency.state !== "queued") return true;
    above = found?.parent_run_id ?? (found?.root_run_id === above ? undefined : found?.root_run_id);
  }
  return false;
}

async function count(store: Store, list: string, marks: readonly string[]): Promise<number> {
  return (await store.list(list, { marks: [marks], limit: 1 })).total ?? 0;
}

async function first(store: Store, list: string, mark: string): Promise<string | null> {
  for await (const id of rowIds(store, list, { marks: [[mark]] })) return id;
  return null;
}

function rejection(what: string): StepwellError {
  const detail = `The concurrency limit of the workflow is reached: ${what}. Try again later.`;
  return new StepwellError("too_many_requests", detail, { headers: { "retry-after": RETRY_AFTER_SECONDS } });
}
