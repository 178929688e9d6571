/** Carries out one repetition of a step: tries, waits between them, time limits, and the word to stop. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { approximateJsonSize, copyOf, type JsonValue, jsonProblem, withoutUndefined } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CompiledStep } from "../compile/compile.ts";
import type { Attempt, Effect, Effects, Executable, Pure, RunSubstep, Substep } from "../compile/step-kind.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { onDemand } from "../lazy-properties.ts";
import { type StepLog, withLines } from "../state/step-log.ts";
import type { Outcome } from "../state/step-state.ts";
import { asRunError, asStepError, invalidOutput, StepError } from "../step-error.ts";

export type AttemptIdentity = Pick<Attempt, "app_id" | "run_id" | "root_run_id" | "depth" | "idempotencyKey">;

export interface ExecutableParts {
  readonly executable: Effect | Pure;
  readonly scope: ExpressionScope;
  readonly place: AttemptIdentity;
  readonly effects: Effects;
  readonly clock: Clock;
  /** Told of each line as it comes. */
  readonly logged: (lines: readonly string[]) => void;
  /** Told of each piece of a text as it comes. */
  readonly wrote: (text: string) => void;
  /** Carries out parts of the step. */
  readonly perform: RunSubstep;
}

/** A step that is being carried out. */
export interface RunningExecutable {
  /** Whether it does something itself: another run that it waits for has a grace of its own. */
  isAtWork(): boolean;
  /** Makes it stop; nothing is reported any more. */
  stop(reason: StepError): void;
}

/** Characters as JSON. */
const MAX_OUTPUT_CHARS = 10 * MEBIBYTE;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/** @param done Called once, perhaps before this returns, unless it was stopped before. */
export function startWithRetries(parts: ExecutableParts, done: (outcome: Outcome) => void): RunningExecutable {
  const { executable, clock } = parts;
  const started_at = clock.now();
  let logs: StepLog = [];
  let attempts = 0;
  let over = false;
  const underWay = new Set<Substep>();
  /** Ends what is under way: a try, or the wait for the next. */
  let stopNow: (reason: StepError) => void = () => {};

  function report(output: JsonValue, error: StepError | null): void {
    over = true;
    if (error !== null) logs = withLines(logs, error.logs);
    done({
      output,
      error: error === null ? null : asRunError(error),
      attempts,
      ...(logs.length === 0 ? {} : { logs }),
      started_at,
      finished_at: clock.now(),
    });
  }

  function log(lines: readonly string[]): void {
    const before = logs.length;
    logs = withLines(logs, lines);
    if (logs.length > before) parts.logged(logs.slice(before));
  }

  /** More tries of a part are more tries of its step. */
  const perform: RunSubstep = async (part, within) => {
    underWay.add(part);
    try {
      const outcome = await parts.perform(part, within);
      attempts += outcome.attempts - 1;
      return outcome;
    } finally {
      underWay.delete(part);
    }
  };

  function next(): void {
    attempts++;
    let isOver = false;
    const stop = startAttempt({ ...parts, logged: log, perform }, (value, error) => {
      isOver = true;
      if (error === null) report(value, null);
      else failed(error);
    });
    if (!isOver) stopNow = stop;
  }

  function failed(error: StepError): void {
    parts.effects.logCause(parts.place.run_id, error);
    const tries = executable.kind === "effect" ? executable.tries : 1;
    if (error.retryable && attempts < tries)
      stopNow = clock.after(
        retryDelay(attempts, jitter(`${parts.place.idempotencyKey} ${attempts}`), error.retryAfter),
        next,
      );
    else report(null, error);
  }

  next();
  return {
    isAtWork: () => [...(underWay.size > 0 ? underWay : [executable])].some((one) => !isElsewhere(one)),
    stop(reason) {
      if (over) return;
      over = true;
      stopNow(reason);
    },
  };
}

/**
 * One try, with a signal and a log of its own: what goes on behind its end is not heard any more. What is at hand already
 * is taken at once: promises and timers cost more than many an action.
 * @returns Stops it; then nothing is reported.
 */
function startAttempt(
  { executable, scope, place, effects, clock, logged, wrote, perform }: ExecutableParts,
  ended: (value: JsonValue, error: StepError | null) => void,
): (reason: StepError) => void {
  let controller: AbortController | undefined;
  let stopped: StepError | undefined;
  let over = false;
  let cancelTimer = () => {};

  /** Most steps never ask for it. */
  function signal(): AbortSignal {
    controller ??= new AbortController();
    if (stopped !== undefined) controller.abort(stopped);
    return controller.signal;
  }

  const own: Omit<Attempt, "signal"> = {
    app_id: place.app_id,
    run_id: place.run_id,
    root_run_id: place.root_run_id,
    depth: place.depth,
    idempotencyKey: place.idempotencyKey,
    log(lines) {
      if (!over) logged(lines);
    },
    wrote(text) {
      if (!over) wrote(text);
    },
    perform: (part) => perform(part, attempt),
  };
  const attempt: Attempt = onDemand(own, { signal });

  function end(value: JsonValue, error: StepError | null): void {
    if (over) return;
    over = true;
    cancelTimer();
    ended(value, error);
  }

  function stop(reason: StepError): void {
    if (over) return;
    over = true;
    cancelTimer();
    stopped = reason;
    controller?.abort(reason);
  }

  function give(value: JsonValue): void {
    const problem = outputProblem(value, executable);
    end(problem === null ? ownedOutput(value, executable) : null, problem);
  }

  function fail(error: unknown): void {
    end(null, asStepError(error));
  }

  try {
    const given = executable.kind === "pure" ? executable.evaluate(scope) : executable.run(scope, attempt, effects);
    if (!(given instanceof Promise)) {
      give(given);
      return stop;
    }
    const limit = timeoutOf(executable);
    cancelTimer = clock.after(limit, () => {
      const late = new StepError("timeout", timeoutMessage(executable, limit), { retryable: true });
      stop(late);
      ended(null, late);
    });
    given.then(give, fail);
  } catch (error) {
    fail(error);
  }
  return stop;
}

function timeoutMessage(executable: Executable, limit: number): string {
  const { named = "The step" } = executable.kind === "effect" ? executable : {};
  return `${named} took longer than ${limit / 1_000} ${limit === 1_000 ? "second" : "seconds"}.`;
}

/** An output that was checked, as nobody else can change it. */
function ownedOutput(value: JsonValue | undefined, executable: Executable): JsonValue {
  if (value === undefined) return null;
  if (isPlain(executable)) return value;
  if (executable.kind === "effect" && executable.isShared === true) return copyOf(value);
  return withoutUndefined(value) as JsonValue; // JSON without some of its properties
}

function isPlain(executable: Executable): boolean {
  return executable.kind === "effect" && executable.isPlain === true;
}

function isElsewhere(executable: Executable): boolean {
  return executable.kind === "effect" && executable.isElsewhere === true;
}

function timeoutOf(executable: Executable): number {
  return executable.kind === "effect" ? executable.timeout : LONGEST_DELAY_MS;
}

/** Exponential backoff with jitter, from 0 to 1; what the other side asked for counts where it asked for more. */
function retryDelay(attempts: number, jitter: number, retryAfter = 0): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));
  return Math.max(Math.min(retryAfter, 24 * 60 * LONGEST_DELAY_MS), longest / 2 + (jitter * longest) / 2);
}

/**
 * A fraction that spreads retries over time without chance: steps of all runs differ, and the same try waits as long
 * again. FNV-1a with a final mix, so that texts that differ in their last character end up far apart.
 */
function jitter(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function outputProblem(value: JsonValue | undefined, executable: Executable): StepError | null {
  if (value === undefined) return null;
  const problem = isPlain(executable) ? null : jsonProblem(value);
  if (problem !== null) return invalidOutput(problem);
  if (approximateJsonSize(value, MAX_OUTPUT_CHARS) <= MAX_OUTPUT_CHARS) return null;
  return new StepError(
    "output_limit",
    `The output of the step exceeds ${MAX_OUTPUT_CHARS / MEBIBYTE} Mi characters of JSON.`,
  );
}

/**
 * The same for every try of a repetition, also after a crash. A run that is retried after its end asks anew: whoever
 * remembers its answers would only repeat the failure.
 */
export function idempotencyKeyOf(
  runId: string,
  step: CompiledStep,
  iteration: number,
  retries: number | undefined,
): string {
  return `${runId}/${step.headerKey}/${iteration}${retries === undefined ? "" : `/${retries}`}`;
}
