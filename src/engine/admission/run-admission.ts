/** Decides what a run must pass before it begins, and in which lists it waits. Pure. */
import { omitUndefined } from "../../json.ts";
import type { Hash } from "../../ports/hash.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import { instant } from "../../time/iso.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { CompiledLimits, LimitName } from "../compile/compile-run-limits.ts";
import { baseScope } from "../state/base-scope.ts";
import type { RunDocument } from "../state/run-document.ts";
import { type RunAdmission, type RunConcurrency, strategyOf } from "../state/stored-admission.ts";

/** A run that another run or a rule starts is not combined with others, and must not be lost. */
const isAlwaysStarted = ({ trigger, parent }: NewRun): boolean =>
  parent !== null || trigger.type === "workflow" || trigger.type === "rule" || trigger.type === "failure";

/** A replay is meant to be a run of its own. One that keeps outcomes must keep the input that they follow from, too. */
const isReplay = ({ trigger, continues }: NewRun): boolean => trigger.type === "replay" || continues !== undefined;

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
  const isDebounced = debounce !== undefined && !isStarted && !isReplay(run);
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

/** Returns the run after the decision of its concurrency limit. */
export function withConcurrency(
  document: RunDocument,
  { key, limit, strategy }: RunConcurrency,
  state: "queued" | "counted" | "below",
  now: string,
): RunDocument {
  const own = { key, limit, strategy };
  return {
    ...document,
    concurrency: state === "below" ? { ...own, state } : { ...own, state, entered_at: now },
  };
}
