/** Reports steps that create a link to a form that no run could ever answer. Pure. */
import type { FieldError } from "../../errors.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import { declaredGraph, inputSteps } from "../graph.ts";
import type { Step } from "../step.ts";
import { createReach } from "./reach.ts";
import { hasStep } from "./step-bitset.ts";

export function* checkInputLinks(steps: readonly Step[]): Generator<FieldError, void> {
  const links = [...steps.entries()].filter(([, step]) => isLinkStep(step));
  if (links.length === 0) return;
  const reach = createReach(declaredGraph(steps));
  const inputs = inputSteps(steps);
  for (const [index, step] of links) {
    const message = problemOf(step, index);
    if (message !== null) yield { pointer: `/steps/${index}/service/input/step_key`, message };
  }

  function problemOf(step: Step, index: number): string | null {
    const asked = askedKey(step);
    if (asked === null) return null;
    const target = inputs.find((input) => steps[input]?.key === asked);
    if (target === undefined) {
      const keys = inputs.map((input) => steps[input]?.key ?? "");
      return `There is no input step with the key ${JSON.stringify(asked)}.${didYouMean(asked, keys)}`;
    }
    if (inputs.every((start) => start === target || hasStep(reach.unreachable(start), target))) {
      return `Runs start at the step ${JSON.stringify(asked)}, so it never waits for an answer. Name an input step in the middle.`;
    }
    if (reach.isOrdered(index) && inputs.every((start) => reach.isBefore(start, target, index))) {
      return `The step ${JSON.stringify(asked)} comes before this one, so it no longer waits. Create the link before it.`;
    }
    return null;
  }
}

const isLinkStep = (step: Step) =>
  step.type === "service" && step.service.service === "inputs" && step.service.action === "create_link";

/** The key in the arguments, unless it is an expression. */
function askedKey(step: Step): string | null {
  const key = step.type === "service" ? step.service.input["step_key"] : undefined;
  return typeof key === "string" && !key.includes("{{") ? key : null;
}
