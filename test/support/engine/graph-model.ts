/** A second, simpler implementation of graphs: each step derives its status from the steps that lead to it. */
import type { JsonObject, JsonValue, Step } from "../../../src/index.ts";

/**
 * The expected result of a run that no failure ends. Every catch route catches everything. Conditions are `input.on`, `!input.on` or `input.missing`, which
 * fails. Each waiting input step is provided with an empty object.
 */
export interface Expected {
  readonly status: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, JsonValue>>;
  /** Steps whose failure ends the run. */
  readonly fatal: readonly string[];
  readonly output: JsonValue;
  readonly edges: readonly (readonly [from: string, to: string])[];
}

interface Arrow {
  readonly from: Step;
  readonly to: string;
  /** The condition that the branch must take, or `else`. */
  readonly via?: string;
  /** Whether it is taken only if the step failed and was caught. */
  readonly isRoute?: true;
}

interface Fate {
  readonly status: "succeeded" | "failed" | "skipped";
  readonly output: JsonValue;
  readonly choice: string | null;
  /** Which of its edges are taken. */
  readonly leadsOn: "ordinary" | "routes" | "none";
}

/** @param start The key of the input step that the run starts at. */
export function model(steps: readonly Step[], input: JsonObject, start: string): Expected {
  const arrows = arrowsOf(steps, start);
  const fates = new Map<string, Fate>();

  function fate(step: Step): Fate {
    const before = fates.get(step.key);
    if (before !== undefined) return before;
    const incoming = arrows.filter(({ to }) => to === step.key).map((arrow) => ({ ...arrow, fate: fate(arrow.from) }));
    const isLedTo =
      incoming.length === 0 ||
      incoming.some(({ via, isRoute, fate }) =>
        isRoute === true
          ? fate.leadsOn === "routes"
          : fate.leadsOn === "ordinary" && (via === undefined || via === fate.choice),
      );
    const isReached = step.key === start || (isLedTo && !isPassedOver(step));
    const found: Fate = isReached
      ? act(step, step.key === start ? input : {})
      : { status: "skipped", output: null, choice: null, leadsOn: "none" };
    fates.set(step.key, found);
    return found;
  }

  /** Whether an input step is skipped: nothing leads to it, or it is before the start. */
  function isPassedOver(step: Step): boolean {
    if (step.type !== "input" || step.key === start) return false;
    return !arrows.some(({ to }) => to === step.key) || leadsToStart(step.key);
  }

  function leadsToStart(key: string): boolean {
    return arrows.some(({ from, to }) => from.key === key && (to === start || leadsToStart(to)));
  }

  /** Whether some path of ordinary edges leads to the step from one without incoming edges. */
  function isReachedWithoutErrors(key: string): boolean {
    const incoming = arrows.filter(({ to }) => to === key);
    if (incoming.length === 0) return true;
    return incoming.some(({ from, isRoute }) => isRoute !== true && isReachedWithoutErrors(from.key));
  }

  const isIdle = (step: Step) =>
    step.type === "note" || (step.type === "input" && step.key !== start && !arrows.some(({ to }) => to === step.key));
  /** Whether a step leads to nothing, or to notes that do. */
  const leadsToNotes = (step: Step): boolean =>
    arrows.every(({ from, to, isRoute }) => {
      const next = steps.find(({ key }) => key === to);
      return from !== step || isRoute === true || (next?.type === "note" && leadsToNotes(next));
    });
  const leaves = steps.filter((step) => !isIdle(step) && leadsToNotes(step));
  const ordinary = leaves.filter((step) => isReachedWithoutErrors(step.key));
  const hasSucceeded = (step: Step) => fate(step).status === "succeeded";
  const rescues = leaves.filter((step) => !ordinary.includes(step) && hasSucceeded(step));
  const isReplaced = rescues.length > 0 && ordinary.length <= 1;
  const ends = [...(isReplaced ? ordinary.filter(hasSucceeded) : ordinary), ...rescues];
  const [only, ...others] = ends;
  const done = ends.filter(hasSucceeded);
  const all = Object.fromEntries(done.map((step) => [step.key, fate(step).output]));
  return {
    status: Object.fromEntries(steps.map((step) => [step.key, fate(step).status])),
    outputs: Object.fromEntries(steps.map((step) => [step.key, fate(step).output])),
    fatal: steps
      .filter((step) => fate(step).status === "failed" && fate(step).leadsOn === "none")
      .map(({ key }) => key),
    output: only === undefined ? null : others.length === 0 ? fate(only).output : all,
    edges: arrows.map(({ from, to }) => [from.key, to]),
  };
}

function arrowsOf(steps: readonly Step[], start: string): Arrow[] {
  const named = steps.flatMap((step): Arrow[] => [
    ...(step.destinations ?? []).map((to) => ({ from: step, to })),
    ...(step.type === "branch" ? chosen(step) : []),
    ...routesOf(step),
  ]);
  const chain = steps.slice(1).flatMap(({ key: to }, before): Arrow[] => {
    const from = steps[before];
    return from === undefined ? [] : [{ from, to }];
  });
  const first = steps.find(({ key }) => key === start);
  const connected = steps.flatMap(({ key: to, input_connected }): Arrow[] =>
    input_connected === true && first !== undefined ? [{ from: first, to }] : [],
  );
  return [...(named.length === 0 ? chain : named), ...connected];
}

function routesOf(step: Step): Arrow[] {
  const routes = step.type === "note" ? [] : (step.on_error ?? []);
  return routes.flatMap(({ destinations }) => destinations.map((to): Arrow => ({ from: step, to, isRoute: true })));
}

function chosen(step: Extract<Step, { type: "branch" }>): Arrow[] {
  const otherwise = (step.else ?? []).map((to) => ({ from: step, to, via: "else" }));
  const conditions = Object.entries(step.conditions).flatMap(([via, { destinations }]) =>
    destinations.map((to) => ({ from: step, to, via })),
  );
  return [...conditions, ...otherwise];
}

/**
 * The result of a step that is reached.
 * @param given The output of an input step.
 */
function act(step: Step, given: JsonObject): Fate {
  const choice = step.type === "branch" ? "else" : null;
  const succeeded = (output: JsonValue, choice: string | null = null): Fate => ({
    status: "succeeded",
    output,
    choice,
    leadsOn: "ordinary",
  });
  const isTolerated = step.throw_on_error === false;
  const leadsOn = routesOf(step).length > 0 ? "routes" : isTolerated ? "ordinary" : "none";
  const failed: Fate = { status: "failed", output: null, choice, leadsOn };
  if (step.conditional !== undefined) return { status: "skipped", output: null, choice, leadsOn: "ordinary" };
  if (step.type === "input") return succeeded(given);
  if (step.type === "note") return succeeded(null);
  if (step.type === "code") {
    const count = step.for_each === undefined ? null : (JSON.parse(step.for_each.items) as unknown[]).length;
    if (count === 0) return succeeded([]);
    const isTolerant = step.for_each?.on_error === "continue";
    if (step.code.startsWith("break")) return isTolerant ? succeeded(Array(count).fill(null)) : failed;
    return succeeded(count === null ? step.key : Array<string>(count).fill(step.key));
  }
  if (step.type !== "branch") throw new Error("no such step is drawn");
  const sorted = Object.entries(step.conditions).sort(([, one], [, other]) => one.order - other.order);
  for (const [name, { condition }] of sorted) {
    if (condition === "input.missing") return failed;
    if (condition === "input.on") return succeeded({ taken: name }, name);
  }
  return succeeded({ taken: null }, "else");
}
