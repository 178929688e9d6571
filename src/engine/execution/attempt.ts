/** Executes a step or a substep: attempts, backoff, time limit and cancellation. */
import { type JsonValue, omitUndefined } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { MINUTE_MS } from "../../time/units.ts";
import type { CompiledStep } from "../compile/plan.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { onDemand } from "../lazy-properties.ts";
import { SHORT_WAIT_MS } from "../progress/open-tasks.ts";
import { type StepLog, withLines } from "../progress/step-log.ts";
import type { NextAttempt, Outcome } from "../progress/step-state.ts";
import { asStepError, asStepFailure, hiddenCause, type StepError, timeoutError } from "../step-error.ts";
import type { ChildReports } from "./open-children.ts";
import { nextAttemptDelay } from "./retry-policy.ts";
import type { Attempt, AwaitedChild, Effect, Effects, Executable, Pure, RunSubstep, Substep } from "./step-context.ts";
import { outputProblem, ownedOutput } from "./step-output.ts";

export type AttemptIdentity = Pick<
  Attempt,
  "app_id" | "run_id" | "root_run_id" | "depth" | "step_key" | "idempotencyKey"
>;

export interface ExecutableParts {
  readonly executable: Effect | Pure;
  readonly scope: ExpressionScope;
  readonly identity: AttemptIdentity;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with log lines as they arrive. */
  readonly onLog: (lines: readonly string[]) => void;
  /** Called with each piece of the text that the step is generating. */
  readonly onDelta: (text: string) => void;
  /** Called when it begins to wait for a child run. */
  readonly onAwaitChild: (child: AwaitedChild) => void;
  readonly children: ChildReports;
  readonly runSubstep: RunSubstep;
  /** Set for a task: the run stores an attempt that another one follows after a wait. A substep waits in memory. */
  readonly stored?: StoredAttempts;
  /** Asked before each attempt. If it returns false, nothing begins and nothing is reported: the run ends. */
  readonly mayBegin: () => boolean;
}

/** The attempts of a task, as stored. */
export interface StoredAttempts {
  /** The last one that was stored. */
  readonly last: Outcome | undefined;
  /**
   * Number of the attempt that last changed the idempotency key, if the run was retried while an attempt with that key was
   * in progress. The first attempt uses this key again.
   */
  readonly firstKey: number | undefined;
}

/** A running step or substep. */
export interface RunningExecutable {
  /** Whether it works by itself. Waiting for a child run doesn't count: the child has its own grace period. */
  isWorking(): boolean;
  /** The child runs that it waits for, or null if it does anything else. */
  awaitedChildren(): readonly AwaitedChild[] | null;
  /** Stops it. Nothing is reported afterwards. */
  stop(reason: StepError): void;
}

/** Time limit of executables that define none. */
const DEFAULT_TIMEOUT_MS = MINUTE_MS;

/** @param onSettled Called once unless stopped, possibly before this function returns. */
export function startWithRetries(parts: ExecutableParts, onSettled: (outcome: Outcome) => void): RunningExecutable {
  const { executable, clock, stored } = parts;
  const started_at = stored?.last?.started_at ?? clock.now();
  const baseKey = parts.identity.idempotencyKey;
  let logs: StepLog = [];
  let attempts = stored?.last?.attempts ?? 0;
  /** Number of attempts, without the additional attempts of substeps. */
  let ownAttempts = stored?.last?.retry?.attempts ?? 0;
  /** Number of the attempt that changed the idempotency key last, or 0. */
  let keyAttempt = stored?.last?.retry?.key ?? stored?.firstKey ?? 0;
  let previousKey = stored?.last === undefined ? undefined : keyOf(stored.last.retry?.before ?? 0);
  let isSettled = false;
  const runningSubsteps = new Set<Substep>();
  let awaited: readonly AwaitedChild[] = [];
  /** Stops the current attempt, or the delay before the next. */
  let stopCurrent: (reason: StepError) => void = () => {};

  function keyOf(attempt: number): string {
    return attempt === 0 ? baseKey : `${baseKey}~${attempt}`;
  }

  function settle(output: JsonValue, error: StepError | null, retry?: NextAttempt): void {
    isSettled = true;
    if (error !== null) logs = withLines(logs, error.logs);
    onSettled({
      output,
      error: error === null ? null : asStepFailure(error),
      attempts,
      logs: logs.length === 0 ? undefined : logs,
      started_at,
      finished_at: clock.now(),
      ...omitUndefined({ retry }),
    });
  }

  function onLog(lines: readonly string[]): void {
    const before = logs.length;
    logs = withLines(logs, lines);
    if (logs.length > before) parts.onLog(logs.slice(before));
  }

  /** Attempts of a substep count as attempts of its step. */
  const runSubstep: RunSubstep = async (substep, within) => {
    runningSubsteps.add(substep);
    try {
      const outcome = await parts.runSubstep(substep, within);
      attempts += outcome.attempts - 1;
      return outcome;
    } finally {
      runningSubsteps.delete(substep);
      awaited = [];
    }
  };

  function onAwaitChild(child: AwaitedChild): void {
    awaited = [...awaited, child];
    parts.onAwaitChild(child);
  }

  function attemptOnce(): void {
    if (!parts.mayBegin()) return;
    attempts++;
    ownAttempts++;
    let isOver = false;
    awaited = [];
    const identity = { ...parts.identity, idempotencyKey: keyOf(keyAttempt), previousKey };
    const stop = startAttempt({ ...parts, identity, onLog, onAwaitChild, runSubstep }, (value, error) => {
      isOver = true;
      if (error === null) settle(value, null);
      else retryOrFail(error);
    });
    if (!isOver) stopCurrent = stop;
  }

  function retryOrFail(error: StepError): void {
    const { run_id } = parts.identity;
    const cause = hiddenCause(error);
    if (cause !== null)
      parts.logger.warn("a step attempt failed because of a storage error", { run: run_id, error: cause });
    const delay = nextAttemptDelay(executable, error, ownAttempts, baseKey);
    if (delay === null) {
      settle(null, error);
      return;
    }
    const before = keyAttempt;
    const hasPolicy = executable.kind === "effect" && executable.retry !== undefined;
    if (hasPolicy && (!error.retryable || isChildRun(executable))) keyAttempt = ownAttempts + 1;
    // Declared attempts are stored, however short the wait: they count, may change the key, and end those of substeps.
    if (stored !== undefined && (delay > SHORT_WAIT_MS || hasPolicy)) {
      settle(null, error, { at: Math.ceil(clock.now() + delay), attempts: ownAttempts, key: keyAttempt, before });
      return;
    }
    previousKey = keyOf(before);
    if (error.logs.length > 0) logs = withLines(logs, error.logs);
    stopCurrent = clock.after(delay, attemptOnce);
  }

  attemptOnce();
  return {
    awaitedChildren: () => (awaited.length === Math.max(1, runningSubsteps.size) ? awaited : null),
    isWorking: () => [...(runningSubsteps.size > 0 ? runningSubsteps : [executable])].some((one) => !isChildRun(one)),
    stop(reason) {
      if (isSettled) return;
      isSettled = true;
      stopCurrent(reason);
    },
  };
}

interface AttemptParts extends ExecutableParts {
  readonly identity: AttemptIdentity & Pick<Attempt, "previousKey">;
}

/**
 * Runs one attempt with its own signal and log. Anything that arrives after the attempt's end is ignored. Synchronous
 * results skip promises and timers, which would cost more than many actions do.
 * @returns A function that stops the attempt. Nothing is reported afterwards.
 */
function startAttempt(
  { executable, scope, identity, effects, clock, onLog, onDelta, onAwaitChild, children, runSubstep }: AttemptParts,
  onEnd: (value: JsonValue, error: StepError | null) => void,
): (reason: StepError) => void {
  let controller: AbortController | undefined;
  let stopReason: StepError | undefined;
  let isOver = false;
  let isTimed = false;
  let cancelTimer = () => {};

  /** Created on demand: most steps never use it. */
  function signal(): AbortSignal {
    controller ??= new AbortController();
    if (stopReason !== undefined) controller.abort(stopReason);
    return controller.signal;
  }

  const own: Omit<Attempt, "signal"> = {
    app_id: identity.app_id,
    run_id: identity.run_id,
    root_run_id: identity.root_run_id,
    depth: identity.depth,
    step_key: identity.step_key,
    idempotencyKey: identity.idempotencyKey,
    previousKey: identity.previousKey,
    timeoutMs: executable.kind === "effect" ? executable.timeoutMs : DEFAULT_TIMEOUT_MS,
    ...children,
    awaitChild(child) {
      if (!isOver) onAwaitChild(child);
    },
    log(lines) {
      if (!isOver) onLog(lines);
    },
    emitDelta(text) {
      if (!isOver) onDelta(text);
    },
    startTimer,
    runSubstep: (substep) => runSubstep(substep, attempt),
  };
  const attempt: Attempt = onDemand(own, { signal });

  function end(value: JsonValue, error: StepError | null): void {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    onEnd(value, error);
  }

  function stop(reason: StepError): void {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    stopReason = reason;
    controller?.abort(reason);
  }

  function startTimer(): void {
    const { timeoutMs } = own;
    if (isOver || isTimed || timeoutMs === Number.POSITIVE_INFINITY || isChildRun(executable)) return;
    isTimed = true;
    cancelTimer = clock.after(timeoutMs, () => {
      const late = timeoutError(timeoutMs, labelOf(executable));
      stop(late);
      onEnd(null, late);
    });
  }

  function succeed(value: JsonValue): void {
    const problem = outputProblem(value, executable);
    end(problem === null ? ownedOutput(value, executable) : null, problem);
  }

  function fail(error: unknown): void {
    end(null, asStepError(error));
  }

  try {
    const result = executable.kind === "pure" ? executable.evaluate(scope) : executable.run(scope, attempt, effects);
    if (!(result instanceof Promise)) {
      succeed(result);
      return stop;
    }
    if (executable.kind === "pure" || executable.startsTimer !== true) startTimer();
    result.then(succeed, fail);
  } catch (error) {
    fail(error);
  }
  return stop;
}

const labelOf = (executable: Executable) => (executable.kind === "effect" ? executable.label : undefined);

function isChildRun(executable: Executable): boolean {
  return executable.kind === "effect" && executable.isChildRun === true;
}

/**
 * Returns the idempotency key of an iteration or an item, the same after a crash. Attempts add their number to it once an
 * error has shown that the receiver did not act. Attempts of child runs always add it, because the id of a child run is
 * derived from the key.
 * @param retries Number of retries of the run when the step got its key. `keptKeys` in `state/retry-run.ts` decides it.
 */
export function idempotencyKeyOf(runId: string, step: CompiledStep, iteration: number, retries: number): string {
  return `${runId}/${step.headerKey}/${iteration}${retries === 0 ? "" : `/${retries}`}`;
}
