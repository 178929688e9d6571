/** Carries out one repetition of a step: tries, waits between them, time limits, and the word to stop. DESIGN 5.2, 5.4. */
import { type JsonValue, jsonProblem, withoutUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import { weight } from "./journal.ts";
import type { Scope } from "./scope.ts";
import { asStepError, runError, StepError } from "./step-error.ts";
import type { Attempt, Effect, Effects, Executable, Pure } from "./step-kind.ts";
import type { Outcome } from "./step-state.ts";

export type AttemptPlace = Pick<Attempt, "app_id" | "run_id" | "depth" | "idempotencyKey">;

/** A step that is being carried out. */
export interface Running {
  /** Makes it stop; nothing is reported any more. */
  stop(reason: StepError): void;
}

const MEBI = 1024 * 1024;
/** DESIGN 5.4. */
const OUTPUT_LIMIT = 10 * MEBI;
const FIRST_DELAY = 500;
const LONGEST_DELAY = 60_000;

/** @param done Called once, later, unless it was stopped before. */
export function startAttempt(
  parts: {
    executable: Effect | Pure;
    scope: Scope;
    place: AttemptPlace;
    effects: Effects;
    clock: Clock;
    /** Told of each line as it comes. */
    logged: (lines: readonly string[]) => void;
  },
  done: (outcome: Outcome) => void,
): Running {
  const { executable, scope, place, effects, clock, logged } = parts;
  const started_at = clock.now();
  const logs: string[] = [];
  let controller: AbortController | undefined;
  let attempts = 0;
  /** Set while it is to go on no longer: by a time limit for this try, by `stop` for good. */
  let stopped: StepError | undefined;
  let over = false;
  let cancelTimer = () => {};

  const attempt: Attempt = {
    ...place,
    // Made only for those who ask: most steps never do.
    get signal() {
      controller ??= new AbortController();
      if (stopped !== undefined) controller.abort(stopped);
      return controller.signal;
    },
    log(...lines) {
      logs.push(...lines);
      logged(lines);
    },
  };

  function report(output: JsonValue, error: StepError | null): void {
    if (over) return;
    over = true;
    if (error !== null) logs.push(...error.logs);
    done({
      output,
      error: error === null ? null : runError(error),
      attempts,
      ...(logs.length === 0 ? {} : { logs }),
      started_at,
      finished_at: clock.now(),
    });
  }

  function tryOnce(): void {
    if (over) return;
    attempts++;
    let isLast = false;
    const finish = (settle: () => void) => {
      if (isLast || over) return;
      isLast = true;
      cancelTimer();
      settle();
    };
    const timedOut = () =>
      finish(() => {
        const error = new StepError("timeout", `The step took longer than ${limitOf(executable) / 1_000} seconds.`, {
          retryable: true,
        });
        controller?.abort(error);
        controller = undefined;
        failed(error);
      });
    cancelTimer = clock.after(limitOf(executable), timedOut);
    run(executable, scope, attempt, effects).then(
      (value) => finish(() => succeeded(value)),
      (error: unknown) => finish(() => failed(asStepError(error))),
    );
  }

  function succeeded(value: JsonValue): void {
    const problem = outputProblem(value);
    if (problem === null)
      report((withoutUndefined(value) ?? null) as JsonValue, null); // checked a line above
    else failed(problem);
  }

  function failed(error: StepError): void {
    const tries = executable.kind === "effect" ? executable.tries : 1;
    if (!error.retryable || attempts >= tries) report(null, error);
    else cancelTimer = clock.after(delay(attempts, error.retryAfter), tryOnce);
  }

  tryOnce();
  return {
    stop(reason) {
      if (over) return;
      over = true;
      stopped = reason;
      cancelTimer();
      controller?.abort(reason);
    },
  };
}

function limitOf(executable: Executable): number {
  return executable.kind === "effect" ? executable.timeout : LONGEST_DELAY;
}

async function run(executable: Effect | Pure, scope: Scope, attempt: Attempt, effects: Effects): Promise<JsonValue> {
  return executable.kind === "pure" ? executable.evaluate(scope) : executable.run(scope, attempt, effects);
}

/** Exponential with jitter; what the other side asked for counts where it asked for more. */
function delay(attempts: number, retryAfter = 0): number {
  const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1));
  return Math.max(Math.min(retryAfter, 24 * 60 * LONGEST_DELAY), longest / 2 + (Math.random() * longest) / 2);
}

function outputProblem(value: JsonValue | undefined): StepError | null {
  if (value === undefined) return null;
  const problem = jsonProblem(value);
  if (problem !== null) {
    const where = problem.pointer === "" ? "" : ` at ${problem.pointer}`;
    return new StepError("invalid_output", `The output of the step is not plain JSON${where}: ${problem.message}`);
  }
  if (weight(value, OUTPUT_LIMIT) <= OUTPUT_LIMIT) return null;
  return new StepError("output_limit", `The output of the step is larger than ${OUTPUT_LIMIT / MEBI} MiB.`);
}

/**
 * The same for every try of a repetition, also after a crash. A run that is retried after its end asks anew: whoever
 * remembers its answers would only repeat the failure.
 */
export function keyOfAttempt(runId: string, stepKey: string, iteration: number, retries: number | undefined): string {
  // As it can stand in a header.
  const step = encodeURIComponent(stepKey.replace(/\p{Surrogate}/gu, "\uFFFD"));
  return `${runId}/${step}/${iteration}${retries === undefined ? "" : `/${retries}`}`;
}
