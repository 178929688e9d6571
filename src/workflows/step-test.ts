/** The version that a test of one step of a draft runs: the step, with given outputs in place of the steps before it. Pure. */
import { notFound } from "../errors.ts";
import { type JsonValue, pointer } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import { declaredGraph, type Graph, graphFrom, inputSteps, withoutEdges } from "./graph.ts";
import type { Step } from "./step.ts";
import type { Version } from "./version.ts";

export interface StepTestVersion {
  readonly version: Version;
  /** Translates a JSON Pointer into the version to one into the draft. */
  pointerInDraft(pointer: string): string;
}

/** Outputs of steps, by key. */
export type GivenOutputs = Readonly<Record<string, { readonly output: JsonValue }>>;

/**
 * Steps before the tested one have the given output, that of `pinned`, or null.
 * @throws StepwellError `not_found` for an unknown step; `invalid` for one that cannot be tested, or for outputs of steps
 * that are not before it
 */
export function stepTestVersion(draft: Version, stepKey: string, given: GivenOutputs): StepTestVersion {
  const index = draft.steps.findIndex(({ key }) => key === stepKey);
  const step = draft.steps[index];
  if (step === undefined) throw notFound("step", stepKey);
  if (step.type === "note" || step.type === "input") {
    const message = `The step ${JSON.stringify(stepKey)} is ${step.type === "note" ? "a note" : "an input step"} and cannot be tested. Test a step that is executed.`;
    throw invalid([{ pointer: "", message }]);
  }
  const before = stepsBefore(draft.steps, index);
  const start = before.find(({ type }) => type === "input");
  const replaced = before.filter((one) => one !== start && one.type !== "note");
  checkGiven(given, replaced, stepKey);

  const outputs = new Map<string, JsonValue>([
    ...Object.entries(draft.pinned ?? {}),
    ...Object.entries(given).map(([key, { output }]) => [key, output] as const),
  ]);
  const pinned = replaced.map(({ key }) => [key, outputs.get(key) ?? null] as const);
  const to = { destinations: [stepKey] };
  const stubs = replaced.map(({ key }): Step => ({ type: "code", key, code: "null", ...to }));
  const steps: Step[] = [...(start === undefined ? [] : [{ ...start, ...to }]), ...stubs, withoutEdges(step)];
  const { settings: _, ...shared } = draft;
  const at = `/steps/${steps.length - 1}`;
  return {
    version: { ...shared, input_options: null, steps, pinned: Object.fromEntries(pinned) },
    pointerInDraft: (found) =>
      found === at || found.startsWith(`${at}/`) ? `/steps/${index}${found.slice(at.length)}` : found,
  };
}

function checkGiven(given: GivenOutputs, replaced: readonly Step[], stepKey: string): void {
  const known = replaced.map(({ key }) => key);
  const wrong = Object.keys(given).filter((key) => !known.includes(key));
  if (wrong.length === 0) return;
  const names = known.map((key) => JSON.stringify(key)).join(", ");
  const before = `before ${JSON.stringify(stepKey)}`;
  const message = names === "" ? `Must be omitted: no step is ${before}.` : `Must be a step ${before}: ${names}.`;
  throw invalid(wrong.map((key) => ({ pointer: pointer(["steps", key]), message })));
}

/** All steps from which edges lead to a step, in the order of the draft. */
function stepsBefore(steps: readonly Step[], index: number): readonly Step[] {
  const graph: Graph = graphFrom(declaredGraph(steps), inputSteps(steps)[0]);
  const found = new Set<number>();
  const open = [index];
  for (const one of open) {
    for (const { from } of graph.incoming[one] ?? []) {
      if (from === index || found.has(from)) continue;
      found.add(from);
      open.push(from);
    }
  }
  return steps.filter((_, at) => found.has(at));
}
