/** The rules of graphs once more, in another way than the engine has them: a step asks those that lead to it. */
import type { JsonObject, JsonValue, Step } from "../../src/index.ts";

/** What a run of steps must come to; conditions are `input.on`, `!input.on` or `input.missing`, which fails. */
export interface Expected {
  readonly status: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, JsonValue>>;
  /** Steps that end the run by failing. */
  readonly fatal: readonly string[];
  readonly output: JsonValue;
  readonly edges: readonly (readonly [from: string, to: string])[];
}

interface Arrow {
  readonly from: Step;
  readonly to: string;
  /** The condition that must be chosen, or `else`. */
  readonly via?: string;
}

interface Fate {
  readonly status: "succeeded" | "failed" | "skipped";
  readonly output: JsonValue;
  readonly choice: string | null;
  /** Whether any of its arrows are taken. */
  readonly leadsOn: boolean;
}

export function model(steps: readonly Step[], input: JsonObject): Expected {
  const arrows = arrowsOf(steps);
  const fates = new Map<string, Fate>();

  function fate(step: Step): Fate {
    const before = fates.get(step.key);
    if (before !== undefined) return before;
    const asked = arrows.filter(({ to }) => to === step.key).map(({ from, via }) => ({ via, fate: fate(from) }));
    const isReached =
      asked.length === 0 || asked.some(({ via, fate }) => fate.leadsOn && (via === undefined || via === fate.choice));
    const found: Fate = isReached
      ? act(step, input)
      : { status: "skipped", output: null, choice: null, leadsOn: false };
    fates.set(step.key, found);
    return found;
  }

  const ends = steps.filter((step) => step.type !== "note" && !arrows.some(({ from }) => from === step));
  const [only, ...others] = ends;
  const done = ends.filter((step) => fate(step).status === "succeeded");
  const all = Object.fromEntries(done.map((step) => [step.key, fate(step).output]));
  return {
    status: Object.fromEntries(steps.map((step) => [step.key, fate(step).status])),
    outputs: Object.fromEntries(steps.map((step) => [step.key, fate(step).output])),
    fatal: steps.filter((step) => fate(step).status === "failed" && !fate(step).leadsOn).map(({ key }) => key),
    output: only === undefined ? null : others.length === 0 ? fate(only).output : all,
    edges: arrows.map(({ from, to }) => [from.key, to]),
  };
}

function arrowsOf(steps: readonly Step[]): Arrow[] {
  const named = steps.flatMap((step): Arrow[] => [
    ...(step.destinations ?? []).map((to) => ({ from: step, to })),
    ...(step.type === "branch" ? chosen(step) : []),
  ]);
  const chain = steps.slice(1).flatMap(({ key: to }, before): Arrow[] => {
    const from = steps[before];
    return from === undefined ? [] : [{ from, to }];
  });
  const [start] = steps;
  const connected = steps.flatMap(({ key: to, input_connected }): Arrow[] =>
    input_connected === true && start !== undefined ? [{ from: start, to }] : [],
  );
  return [...(named.length === 0 ? chain : named), ...connected];
}

function chosen(step: Extract<Step, { type: "branch" }>): Arrow[] {
  const otherwise = (step.else ?? []).map((to) => ({ from: step, to, via: "else" }));
  const conditions = Object.entries(step.conditions).flatMap(([via, { destinations }]) =>
    destinations.map((to) => ({ from: step, to, via })),
  );
  return [...conditions, ...otherwise];
}

/** What a step that is reached comes to. */
function act(step: Step, input: JsonObject): Fate {
  const choice = step.type === "branch" ? "else" : null;
  const succeeded = (output: JsonValue, choice: string | null = null): Fate => ({
    status: "succeeded",
    output,
    choice,
    leadsOn: true,
  });
  const failed: Fate = { status: "failed", output: null, choice, leadsOn: step.throw_on_error === false };
  if (step.conditional !== undefined) return { status: "skipped", output: null, choice, leadsOn: true };
  if (step.type === "input") return succeeded(input);
  if (step.type === "note") return succeeded(null);
  if (step.type === "code") return step.code.startsWith("break") ? failed : succeeded(step.key);
  if (step.type !== "branch") throw new Error("no such step is drawn");
  const sorted = Object.entries(step.conditions).sort(([, one], [, other]) => one.order - other.order);
  for (const [name, { condition }] of sorted) {
    if (condition === "input.missing") return failed;
    if (condition === "input.on") return succeeded({ taken: name }, name);
  }
  return succeeded({ taken: null }, "else");
}
