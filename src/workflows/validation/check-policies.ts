/** Reports policies of steps that contradict each other or can have no effect. Pure. */
import type { FieldError } from "../../errors.ts";
import { pointer } from "../../json.ts";
import { declaredGraph, inputSteps, references } from "../graph.ts";
import type { Step } from "../step.ts";

const STARTS =
  "Runs start at this step, so it never waits. Only an input step that comes after another one can have this field.";
const ONLY_ROUTES =
  "No step has destinations, so the steps form a chain, which catch routes cannot leave. Give each step its destinations.";

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
    if ("loop_delay" in step && step.loop === undefined) yield at("loop_delay", "Needs the field loop.");
    yield* unreachedRoutes(step, index);
  }
  yield* onlyRoutes(steps);
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
  const all = steps.map(references);
  const first = all.findIndex((found) => found.length > 0);
  if (first < 0 || all.some((found) => found.some(({ route }) => route === undefined))) return;
  yield { pointer: pointer(["steps", first, "on_error"]), message: ONLY_ROUTES };
}
