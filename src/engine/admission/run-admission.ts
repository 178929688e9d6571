/** What a run must pass before it begins, and how it is stored until then. Pure. */
import { omitUndefined } from "../../json.ts";
import type { Hash } from "../../ports/hash.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import { instant } from "../../time/iso.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { CompiledLimits, LimitName } from "../compile/compile-run-limits.ts";
import { baseScope } from "../state/base-scope.ts";
import { asNotBegun, type RunDocument } from "../state/run-document.ts";
import { type RunAdmission, type RunConcurrency, strategyOf } from "../state/stored-admission.ts";
import type { Place } from "./concurrency-limit.ts";

/** Whether another run or a rule starts the run: it must not be lost, and is not combined with others. */
const isStartedByEngine = ({ trigger, parent }: NewRun): boolean =>
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
  const isFromEngine = isStartedByEngine(run);
  const isDebounced = debounce !== undefined && !isFromEngine && !isReplay(run);
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
              strategy: strategyOf(concurrency.strategy, isFromEngine || begins > now || run.awaiting !== null),
              state: "undecided",
            } as const),
    }),
  };
}

/** Default of `max_wait`, in periods. */
const DEFAULT_MAX_WAIT_PERIODS = 10;

/** Returns the run as waiting for its start under the rate limit. */
export function waitingForStart(
  document: RunDocument,
  rate_limit: NonNullable<RunAdmission["rate_limit"]>,
  at: number,
): RunDocument {
  const begins_at = instant(Math.ceil(at));
  return asNotBegun({ ...document, begins_at, admission: { rate_limit } }, "waiting", begins_at);
}

/** Returns the run after the decision of its concurrency limit. */
export function withConcurrency(
  document: RunDocument,
  { key, limit, strategy }: RunConcurrency,
  state: Place,
  now: string,
): RunDocument {
  const own = { key, limit, strategy };
  return {
    ...document,
    concurrency: state === "exempt" ? { ...own, state } : { ...own, state, entered_at: now },
  };
}
