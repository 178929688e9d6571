/** Reports policies of steps that contradict each other or can have no effect. Pure. */
import type { FieldError } from "../../errors.ts";
import { pointer } from "../../json.ts";
import { declaredGraph, edgesFrom, inputSteps } from "../graph.ts";
import type { Step } from "../step.ts";
import type { Retry } from "../step-policies.ts";

const STARTS =
  "Runs start at this step, so it never waits. Only an input step that comes after another one can have this field.";
const ONLY_ROUTES =
  "No step has destinations, so each step follows the one before it, and catch routes cannot leave that order. Set destinations.";

/** Yields problems in order, so that callers can stop when they have enough. */
export function* checkPolicies(steps: readonly Step[]): Generator<FieldError, void> {
  const { incoming } = declaredGraph(steps);
  const inputs = inputSteps(steps);
  for (const [index, step] of steps.entries()) {
    const at = (field: string, message: string) => ({ pointer: pointer(["steps", index, field]), message });
    if (step.type === "note") continue;
    const isOnlyStart = inputs.length === 1 || incoming[index]?.length === 0;
    if (step.type === "input" && isOnlyStart) {
      if (step.timeout !== undefined) yield at("timeout", STARTS);
      if (step.on_error !== undefined) yield at("on_error", STARTS);
    }
    if ("for_each" in step && step.loop !== undefined) yield at("for_each", "Must not be combined with loop.");
    if ("loop_delay" in step && step.loop === undefined) yield at("loop_delay", "Must be omitted without loop.");
    if ("retry" in step) yield* unusedIntervals(step.retry, index);
    if (step.throw_on_error === false && step.on_error?.some(({ condition }) => condition === undefined)) {
      yield at(
        "throw_on_error",
        "Has no effect: a route of on_error without a condition catches every error. Omit it.",
      );
    }
    if (step.on_error?.length === 0) yield at("on_error", "Has no effect: it has no routes. Omit it.");
    yield* unreachedRoutes(step, index);
  }
  yield* onlyRoutes(steps);
}

/** Fields of `retry` that change no interval. */
function* unusedIntervals(retry: Retry | undefined, index: number): Generator<FieldError, void> {
  if (retry === undefined) return;
  const { max_attempts } = retry;
  const at = (field: keyof Retry, why: string) => ({
    pointer: pointer(["steps", index, "retry", field]),
    message: `Has no effect: ${why} Omit it.`,
  });
  if (max_attempts === 1) {
    for (const field of ["initial_interval", "backoff", "max_interval", "on"] as const) {
      if (retry[field] !== undefined) yield at(field, "with max_attempts 1, the step is never retried.");
    }
    return;
  }
  // A limit that no interval reaches is still a limit.
  if (max_attempts === 2 && retry.backoff !== undefined) {
    yield at("backoff", "with max_attempts 2, the only interval is initial_interval.");
  }
}

function* unreachedRoutes(
  { on_error = [] }: Exclude<Step, { type: "note" }>,
  index: number,
): Generator<FieldError, void> {
  const last = on_error.findIndex(({ condition }) => condition === undefined);
  if (last < 0) return;
  for (const route of on_error.keys()) {
    if (route <= last) continue;
    const message = `Is never reached: route ${last} has no condition, so it catches every error.`;
    yield { pointer: pointer(["steps", index, "on_error", route]), message };
  }
}

/** Such steps would all start at once. */
function* onlyRoutes(steps: readonly Step[]): Generator<FieldError, void> {
  const all = steps.map(edgesFrom);
  const first = all.findIndex((found) => found.length > 0);
  if (first < 0 || all.some((found) => found.some(({ route }) => route === undefined))) return;
  yield { pointer: pointer(["steps", first, "on_error"]), message: ONLY_ROUTES };
}
