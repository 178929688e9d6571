/** Brings two sides of a draft together without asking anybody: by part, by step, and by the fields of a step. Pure. */
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import type { Side } from "../../merging/three-way.ts";
import { isStep, mergedStep } from "../../steps/merged-step.ts";
import { differences, merged, type Three } from "./merge.ts";
import { stepOf } from "./operations.ts";

/** @param winner Whose value a field gets that both have changed. */
export function mergedByField(three: Three, winner: Side): Definition {
  const found = differences(three);
  const both = new Set(found.flatMap(({ step, changedBy }) => (changedBy === "both" ? (step ?? []) : [])));
  const whole = merged(
    three,
    new Map(found.map((one) => [one.name, one.changedBy === "both" ? winner : one.changedBy])),
  );
  return {
    ...whole,
    steps: whole.steps.map((step) => (both.has(step.key) ? mergedFields(three, winner, step) : step)),
  };
}

/** @param step The winner's. */
function mergedFields({ base, mine, theirs }: Three, winner: Side, step: Step): Step {
  const before = stepOf(base, step.key);
  const other = stepOf(winner === "mine" ? theirs : mine, step.key);
  // The fields of another type mean something else.
  if (before?.type !== step.type || other?.type !== step.type) return step;
  const plain = (one: Step) => JSON.parse(JSON.stringify(one)); // a step is JSON
  const whole: unknown = mergedStep(plain(before), plain(step), other);
  return isStep(whole) ? whole : step;
}
