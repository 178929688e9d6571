/** Random workflows with steps that call the world, delay, wait for input, loop, fail, emit events, or start child runs. */
import type { JsonObject, Step, StepOf } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** How the special step of a run behaves; see `world-service.ts`. */
export const BEHAVIORS = ["ok", "flaky", "fail", "poison"] as const;
export type Behavior = (typeof BEHAVIORS)[number];
/** How a step behaves: `broken` fails at every attempt, also in a retry of the run. */
export const STEP_BEHAVIORS = [...BEHAVIORS, "broken"] as const;

/** The input of every run. */
export interface RunInput {
  /** Identifies the run in the simulation; its child runs have the same name. */
  readonly name: string;
  readonly behavior: Behavior;
}

/** The prefix of the keys of steps that wait for input. */
export const QUESTION = "ask";
/** The prefix of the keys of steps that fail, and whose error a catch route handles. */
export const BROKEN = "broken";
/** The prefix of the keys of steps that emit an event. */
export const EMIT = "emit";
/** The prefix of the keys of steps that wait for an event. */
export const HEAR = "hear";
/** The prefix of the keys of steps that follow a wait that took too long. */
export const LATE = "late";
/** The name of the event that starts a run for its payload. */
export const BEGIN = "begin";
/** The prefix of the keys of steps of whose items every second one fails. */
export const SOME = "some";

/** What a client provides to a question: each answer is given once in a simulation. */
export interface Answer {
  readonly [name: string]: number;
  readonly answer: number;
}

const MAX_STEPS = 5;

export type ServiceStep = StepOf<"service">;

export function service(key: string, [name, action]: readonly [string, string], input: JsonObject): ServiceStep {
  return { type: "service", key, service: { service: name, action, input } };
}

/** A step that calls the world. @param behavior An expression or a literal. */
export function work(key: string, milliseconds: number, behavior: string, isChild = false): ServiceStep {
  const input = { name: "{{ input.name }}", step: key, milliseconds, behavior, is_child: isChild };
  return service(key, ["world", "work"], input);
}

export function childSteps(random: Random): Step[] {
  return [{ type: "input", key: "in", input: {} }, work("child", random.whole(1, 500), "ok", true)];
}

/** Holds a slot for some milliseconds. */
export function holdingSteps(milliseconds: number): Step[] {
  return [work("hold", milliseconds, "ok")];
}

/** A part of a graph: what leads to it leads to its first step, and what follows it follows one of its steps. */
interface Part {
  readonly steps: readonly Step[];
  readonly exit: string;
}

/** A graph in which one or two earlier parts lead to each part; the first one behaves as the input of the run says. */
export function randomSteps(random: Random, childWorkflow: string): Step[] {
  const others = Array.from({ length: random.whole(0, MAX_STEPS) }, (_, index) =>
    randomPart(random, index + 1, childWorkflow),
  );
  const special = work("w0", latency(random), "{{ input.behavior }}");
  const parts = [alone({ type: "input", key: "in", input: {} }), alone(special), ...others];
  const destinations = new Map<string, string[]>();
  for (const [index, { steps }] of parts.entries()) {
    if (index === 0) continue;
    for (const source of new Set([random.whole(0, index - 1), random.whole(0, index - 1)])) {
      const exit = parts[source]?.exit ?? "";
      destinations.set(exit, [...(destinations.get(exit) ?? []), steps[0]?.key ?? ""]);
    }
  }
  return parts.flatMap(({ steps }) =>
    steps.map((step): Step => ({ ...step, destinations: destinations.get(step.key) ?? [] })),
  );
}

const alone = (step: Step): Part => ({ steps: [step], exit: step.key });

function randomPart(random: Random, index: number, childWorkflow: string): Part {
  const kind = random.pick([
    ...(["work", "work", "loop", "delay", "question", "child"] as const),
    ...(["retried", "caught", "each", "some", "children", "emit"] as const),
  ]);
  const key = `w${index}`;
  const input = { name: "{{ input.name }}", behavior: "ok" };
  const child = { type: "workflow", key, workflow_id: childWorkflow, input } as const;
  const items = JSON.stringify(Array.from({ length: random.whole(0, 5) }, (_, item) => item));
  const for_each = { items, concurrency: random.whole(1, 3) };
  const retry = { max_attempts: random.whole(2, 3), initial_interval: random.pick([0.1, 1, 5]), on: "any" } as const;
  switch (kind) {
    case "work":
      return alone(work(key, latency(random), "ok"));
    case "loop":
      return alone({ ...work(key, latency(random), "ok"), loop: `iteration >= ${random.whole(1, 3)}` });
    case "question":
      return alone({ type: "input", key: `${QUESTION}${index}`, input: { answer: { type: "number" } } });
    case "delay":
      return alone(service(key, ["scheduler", "delay"], { seconds: random.whole(0, 20) }));
    case "child":
      return alone(child);
    case "children":
      return alone({ ...child, for_each });
    case "retried":
      return alone({ ...work(key, latency(random), "flaky"), retry });
    case "caught": {
      const broken = work(`${BROKEN}${index}`, latency(random), "broken");
      const caught = { ...broken, retry, on_error: [{ destinations: [key] }] };
      return { steps: [caught, work(key, latency(random), "ok")], exit: key };
    }
    case "each":
      return alone({ ...work(key, latency(random), "ok"), for_each });
    case "some": {
      const some = work(`${SOME}${index}`, latency(random), "{{ item % 2 == 1 ? 'broken' : 'ok' }}");
      return alone({ ...some, for_each: { ...for_each, on_error: "continue" } });
    }
    case "emit": {
      const emitted = `${EMIT}${index}`;
      const payload = { ...input, name: `{{ input.name }}-${emitted}` };
      return alone(service(emitted, ["events", "emit"], { name: BEGIN, payload }));
    }
  }
}

/** Mostly short, sometimes long enough that a crash interrupts the call. */
export function latency(random: Random): number {
  return random.chance(0.2) ? 0 : random.chance(0.7) ? random.whole(1, 300) : random.whole(300, 8_000);
}
