/** Compiles what a step does beyond its type: attempts, time limit, items, catch routes, and the delay of its loop. */
import type { JsonValue } from "../../json.ts";
import { SECOND_MS } from "../../time/units.ts";
import { isForEach, type Step } from "../../workflows/step.ts";
import type { Retry } from "../../workflows/step-policies.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Cel, Evaluate } from "../expressions/cel.ts";
import type { StepCompiler } from "./step-implementation.ts";

export interface StepPolicies {
  readonly forEach: CompiledForEach | undefined;
  /** One per catch route: evaluates to whether it catches the error. Undefined if it catches every error. */
  readonly routes: readonly (Evaluate | undefined)[];
  /** Milliseconds between iterations of a loop. */
  readonly loopDelayMs: number;
  /** Time limit of a wait in milliseconds. Effects have their own. */
  readonly waitLimitMs: number | undefined;
}

export interface CompiledForEach {
  readonly items: Evaluate;
  readonly concurrency: number;
  /** Whether the other items continue after one has failed. */
  readonly isTolerant: boolean;
}

const NONE: StepPolicies = { forEach: undefined, routes: [], loopDelayMs: 0, waitLimitMs: undefined };

export function compilePolicies(step: Step, compiler: StepCompiler, cel: Cel | null): StepPolicies {
  if (step.type === "note") return NONE;
  const budgeted = (evaluate: Evaluate): Evaluate =>
    cel === null ? evaluate : (scope): JsonValue => cel.shareBudget(() => evaluate(scope));
  const routes = (step.on_error ?? []).map(({ condition }, index) =>
    condition === undefined
      ? undefined
      : budgeted(compiler.expression(condition, ["on_error", index, "condition"], "on_error")),
  );
  return {
    routes,
    forEach: compileForEach(step, compiler, budgeted),
    loopDelayMs: "loop_delay" in step ? (step.loop_delay ?? 0) * SECOND_MS : 0,
    waitLimitMs: "timeout" in step && step.timeout !== undefined ? step.timeout * SECOND_MS : undefined,
  };
}

function compileForEach(
  step: Step,
  compiler: StepCompiler,
  budgeted: (evaluate: Evaluate) => Evaluate,
): CompiledForEach | undefined {
  if (!isForEach(step)) return undefined;
  const { items, concurrency = 1, on_error = "fail" } = step.for_each;
  return {
    items: budgeted(compiler.listExpression(items, ["for_each", "items"], "anywhere")),
    concurrency,
    isTolerant: on_error === "continue",
  };
}

/** Returns the executable with the step's own time limit and retries, and reports fields that a waiting step can't have. */
export function withPolicies(executable: Executable, step: Step, { problem }: StepCompiler): Executable {
  if (step.type === "note" || step.type === "input" || step.type === "branch") return executable;
  if (executable.kind === "effect") {
    const { timeout, retry } = step;
    const timeoutMs = timeout === undefined ? executable.timeoutMs : timeout * SECOND_MS;
    return retry === undefined
      ? { ...executable, timeoutMs }
      : { ...executable, timeoutMs, retry: compileRetry(retry, step) };
  }
  for (const field of ["retry", "for_each", "loop_delay"] as const) {
    if (step[field] === undefined) continue;
    problem([field], "Must be omitted: this action only waits. It can have timeout and on_error.");
  }
  return executable;
}

function compileRetry(retry: Retry, { type }: Step) {
  const { max_attempts, initial_interval = 1, backoff = 2, max_interval = 60 } = retry;
  const on = retry.on ?? (type === "code" || type === "workflow" ? "any" : "transient");
  return {
    maxAttempts: max_attempts,
    firstMs: initial_interval * SECOND_MS,
    backoff,
    maxMs: max_interval * SECOND_MS,
    on,
  };
}
