/** Workflows that nobody drew, of steps that call the world, wait for a moment or a person, repeat, or run others. */
import type { Step } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** What the one step of a run does that is not like the others; see `world-service.ts`. */
export const BEHAVIORS = ["ok", "flaky", "fail", "poison"] as const;
export type Behavior = (typeof BEHAVIORS)[number];

/** The input of every run. */
export interface RunInput {
  /** Which of all runs of the simulation it is; the runs that it starts have the same. */
  readonly name: string;
  readonly behavior: Behavior;
}

/** Keys of steps that wait for a person begin with this. */
export const QUESTION = "ask";

const MOST_STEPS = 5;

/** A step that calls the world. @param behavior As an expression, or as it is */
function work(key: string, milliseconds: number, behavior: string, isChild = false): Step {
  const input = { name: "{{ input.name }}", step: key, milliseconds, behavior, is_child: isChild };
  return { type: "service", key, service: { service: "world", action: "work", input } };
}

export function childSteps(random: Random): Step[] {
  return [{ type: "input", key: "in", input: {} }, work("child", random.whole(1, 500), "ok", true)];
}

/** Holds a place among the runs at work for so many milliseconds. */
export function holdingSteps(milliseconds: number): Step[] {
  return [work("hold", milliseconds, "ok")];
}

/** A graph in which every step follows from one or two before it; the first calls the world as its run says. */
export function randomSteps(random: Random, childWorkflow: string): Step[] {
  const special = work("w0", latency(random), "{{ input.behavior }}");
  const others = Array.from({ length: random.whole(0, MOST_STEPS) }, (_, index) =>
    randomStep(random, index + 1, childWorkflow),
  );
  const steps: Step[] = [{ type: "input", key: "in", input: {} }, special, ...others];
  const destinations = steps.map((): string[] => []);
  for (const [index, { key }] of steps.entries()) {
    if (index === 0) continue;
    const sources = new Set([random.whole(0, index - 1), random.whole(0, index - 1)]);
    for (const source of sources) destinations[source]?.push(key);
  }
  return steps.map((step, index): Step => ({ ...step, destinations: destinations[index] ?? [] }));
}

function randomStep(random: Random, index: number, childWorkflow: string): Step {
  const kind = random.pick(["work", "work", "work", "loop", "delay", "question", "child"] as const);
  const key = `w${index}`;
  if (kind === "work") return work(key, latency(random), "ok");
  if (kind === "loop") return { ...work(key, latency(random), "ok"), loop: `iteration >= ${random.whole(1, 3)}` };
  if (kind === "question") return { type: "input", key: `${QUESTION}${index}`, input: {} };
  if (kind === "delay") {
    const input = { seconds: random.whole(0, 20) };
    return { type: "service", key, service: { service: "scheduler", action: "delay", input } };
  }
  const input = { name: "{{ input.name }}", behavior: "ok" };
  return { type: "workflow", key, workflow_id: childWorkflow, input };
}

/** Mostly short, sometimes long enough that a crash finds it at work. */
function latency(random: Random): number {
  return random.chance(0.2) ? 0 : random.chance(0.7) ? random.whole(1, 300) : random.whole(300, 8_000);
}
