/** Decides what a run must pass before it begins, and in which lists it waits. Pure. */
import { omitUndefined } from "../../json.ts";
import type { Hash } from "../../ports/hash.ts";
import type { RowChange } from "../../ports/store.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import { concurrencyRuns, debouncedRuns, HELD_RUNS } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { CompiledLimits, LimitName } from "../compile/compile-run-limits.ts";
import { baseScope } from "../state/base-scope.ts";
import type { RunDocument } from "../state/run-document.ts";
import { type RunAdmission, type RunConcurrency, strategyOf } from "./stored-admission.ts";

/** Whether the run has begun, or needs only a slot to begin. */
export function isAdmitted({ awaiting, begins_at, concurrency }: RunDocument): boolean {
  return awaiting === undefined && begins_at === undefined && concurrency?.state !== "queued";
}

/** Whether no step of the run can have been executed. A retried run has begun before. */
export const hasNeverBegun = (document: RunDocument): boolean =>
  document.retries === undefined && !isAdmitted(document);

/** A run that another run or a rule starts is not combined with others, does not replace others, and must not be lost. */
const isAlwaysStarted = ({ trigger, parent }: NewRun): boolean =>
  parent !== null || trigger.type === "workflow" || trigger.type === "rule" || trigger.type === "failure";

/**
 * Returns a new run with its limits.
 * @throws StepwellError `invalid` if a key or the priority cannot be evaluated
 */
export function withLimits(
  created: RunDocument,
  run: NewRun,
  limits: CompiledLimits | null,
  hash: Hash,
  now: number,
): RunDocument {
  const scope = { ...baseScope(created), steps: {}, now: new Date(now) };
  const { concurrency, debounce, rate_limit } = limits?.settings ?? {};
  const keyOf = (limit: LimitName) => {
    const value = limits?.keyOf(limit, scope) ?? null;
    return hash.sha256(JSON.stringify([run.version.workflow_id, limit, value])).slice(0, 32);
  };
  const priority = run.priority ?? limits?.priority(scope) ?? 0;
  const isStarted = isAlwaysStarted(run);
  const isDebounced = debounce !== undefined && !isStarted;
  const waitMs = isDebounced ? (debounce.max_wait ?? debounce.period * DEFAULT_MAX_WAIT_PERIODS) * SECOND_MS : 0;
  const begins = Math.max(
    run.run_at === undefined ? 0 : Date.parse(run.run_at),
    isDebounced ? now + debounce.period * SECOND_MS : 0,
  );
  const admission: RunAdmission = omitUndefined({
    debounce: isDebounced ? { key: keyOf("debounce"), until: instant(Math.max(begins, now + waitMs)) } : undefined,
    rate_limit:
      rate_limit === undefined
        ? undefined
        : { key: keyOf("rate_limit"), limit: rate_limit.limit, period_ms: rate_limit.period * SECOND_MS },
  });
  return {
    ...created,
    ...omitUndefined({
      priority: priority === 0 ? undefined : priority,
      begins_at: begins > now ? instant(begins) : undefined,
      admission: Object.keys(admission).length === 0 ? undefined : admission,
      concurrency:
        concurrency === undefined
          ? undefined
          : ({
              key: keyOf("concurrency"),
              limit: concurrency.limit,
              strategy: strategyOf(concurrency.strategy, isStarted || begins > now || run.awaiting !== null),
              state: "undecided",
            } as const),
    }),
  };
}

/** Default of `max_wait`, in periods. */
const DEFAULT_MAX_WAIT_PERIODS = 10;

/** Returns the run as waiting for the time at which it begins. */
export function waitingUntil(document: RunDocument, begins_at: string): RunDocument {
  return { ...document, status: "waiting", started_at: null, begins_at, due_at: begins_at };
}

/** Returns the run as waiting for its turn under the rate limit. */
export function waitingForTurn(
  document: RunDocument,
  rate_limit: NonNullable<RunAdmission["rate_limit"]>,
  at: number,
): RunDocument {
  return waitingUntil({ ...document, admission: { rate_limit } }, instant(Math.ceil(at)));
}

/** Returns the run as waiting for another run with its concurrency key to end. */
export function heldBack(document: RunDocument): RunDocument {
  const { due_at, ...rest } = document;
  return rest.retries === undefined ? { ...rest, status: "queued", started_at: null } : { ...rest, status: "queued" };
}

export function withConcurrency(document: RunDocument, state: RunConcurrency["state"]): RunDocument {
  const { concurrency } = document;
  return concurrency === undefined ? document : { ...document, concurrency: { ...concurrency, state } };
}

/** The mark of the runs that count for a concurrency key. */
export const countedMark = (key: string) => `counted:${key}`;
/** The mark of the runs that wait for others with their concurrency key. */
export const queuedMark = (key: string) => `queued:${key}`;

/** The rows by which limits find runs. */
export function limitRows(document: RunDocument, hasEnded: boolean): RowChange[] {
  const { id, workflow_id, created_at, priority = 0, concurrency, admission } = document;
  const rows: RowChange[] = [];
  if (concurrency !== undefined && concurrency.state !== "undecided" && concurrency.state !== "below") {
    const list = concurrencyRuns(workflow_id);
    const isQueued = concurrency.state === "queued" && !hasEnded;
    const mark = isQueued ? queuedMark(concurrency.key) : countedMark(concurrency.key);
    // Otherwise the order is that of creation, because the oldest run is shown or canceled.
    const rank = isQueued && concurrency.strategy !== "cancel_oldest" ? HIGHEST_PRIORITY - priority : 0;
    const order = `${String(rank).padStart(3, "0")}.${created_at}`;
    rows.push(hasEnded ? { list, delete: id } : { list, put: { id, order, marks: [mark] } });
    rows.push(isQueued ? { list: HELD_RUNS, put: { id } } : { list: HELD_RUNS, delete: id });
  }
  if (admission?.debounce !== undefined) {
    const list = debouncedRuns(workflow_id);
    rows.push(hasEnded ? { list, delete: id } : { list, put: { id, marks: [admission.debounce.key] } });
  }
  return rows;
}

const HIGHEST_PRIORITY = 100;

/** Removes the row of a run whose input can no longer be replaced. @param before The stored document. */
export function debounceEnd(document: RunDocument, before: RunDocument | undefined): RowChange[] {
  const isOver = before?.admission?.debounce !== undefined && document.admission?.debounce === undefined;
  return isOver ? [{ list: debouncedRuns(document.workflow_id), delete: document.id }] : [];
}
