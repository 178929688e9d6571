/** Random workflows with steps that call the world, delay, wait for input, loop, or start child runs. */
import type { Step } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** How the special step of a run behaves; see `world-service.ts`. */
export const BEHAVIORS = ["ok", "flaky", "fail", "poison"] as const;
export type Behavior = (typeof BEHAVIORS)[number];

/** The input of every run. */
export interface RunInput {
  /** Identifies the run in the simulation; its child runs have the same name. */
  readonly name: string;
  readonly behavior: Behavior;
}

/** The prefix of the keys of steps that wait for input. */
export const QUESTION = "ask";

/** What a client provides to a question: each answer is given once in a simulation. */
export interface Answer {
  readonly [name: string]: number;
  readonly answer: number;
}

const MAX_STEPS = 5;

/** A step that calls the world. @param behavior An expression or a literal. */
function work(key: string, milliseconds: number, behavior: string, isChild = false): Step {
  const input = { name: "{{ input.name }}", step: key, milliseconds, behavior, is_child: isChild };
  return { type: "service", key, service: { service: "world", action: "work", input } };
}

export function childSteps(random: Random): Step[] {
  return [{ type: "input", key: "in", input: {} }, work("child", random.whole(1, 500), "ok", true)];
}

/** Holds a slot for some milliseconds. */
export function holdingSteps(milliseconds: number): Step[] {
  return [work("hold", milliseconds, "ok")];
}

/** A graph in which one or two earlier steps lead to each step; the first one behaves as the input of the run says. */
export function randomSteps(random: Random, childWorkflow: string): Step[] {
  const special = work("w0", latency(random), "{{ input.behavior }}");
  const others = Array.from({ length: random.whole(0, MAX_STEPS) }, (_, index) =>
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
  if (kind === "question") return { type: "input", key: `${QUESTION}${index}`, input: { answer: { type: "number" } } };
  if (kind === "delay") {
    const input = { seconds: random.whole(0, 20) };
    return { type: "service", key, service: { service: "scheduler", action: "delay", input } };
  }
  const input = { name: "{{ input.name }}", behavior: "ok" };
  return { type: "workflow", key, workflow_id: childWorkflow, input };
}

/** Mostly short, sometimes long enough that a crash interrupts the call. */
function latency(random: Random): number {
  return random.chance(0.2) ? 0 : random.chance(0.7) ? random.whole(1, 300) : random.whole(300, 8_000);
}
