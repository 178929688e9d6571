/** What is wrong with the graph of a version: every problem at once, each with its place. DESIGN 5.1. Pure. */
import type { FieldError } from "../errors.ts";
import { pointer } from "../json.ts";
import { type Graph, graphOf, inputSteps, references, topological } from "./graph.ts";
import type { Step } from "./step.ts";

export function checkGraph(steps: readonly Step[]): FieldError[] {
  return [...sameKeys(steps), ...unknownSteps(steps), ...withoutInput(steps), ...cycles(steps)];
}

function sameKeys(steps: readonly Step[]): FieldError[] {
  const first = new Map<string, number>();
  return steps.flatMap(({ key }, index) => {
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    return before === undefined
      ? []
      : [{ pointer: `/steps/${index}/key`, message: `${quoted(key)} is the key of step ${before} already.` }];
  });
}

function unknownSteps(steps: readonly Step[]): FieldError[] {
  const keys = new Set(steps.map(({ key }) => key));
  return steps.flatMap((step, index) =>
    references(step)
      .filter(({ key }) => !keys.has(key))
      .map(({ path, key }) => ({
        pointer: pointer(["steps", index, ...path]),
        message: `There is no step with the key ${quoted(key)}.`,
      })),
  );
}

function withoutInput(steps: readonly Step[]): FieldError[] {
  if (inputSteps(steps).length > 0) return [];
  return steps.flatMap((step, index) =>
    step.input_connected === true
      ? [{ pointer: `/steps/${index}/input_connected`, message: "There is no input step to be connected to." }]
      : [],
  );
}

/** A run may start at any input step, and each start makes a graph of its own. */
function cycles(steps: readonly Step[]): FieldError[] {
  const inputs = inputSteps(steps);
  const connected = steps.some((step) => step.input_connected === true);
  const starts = connected && inputs.length > 0 ? inputs : [inputs[0]];
  for (const start of starts) {
    const graph = graphOf(steps, start);
    const cycle = cycleIn(graph);
    const [first] = cycle;
    if (first === undefined) continue;
    const path = [...cycle, first].map((index) => quoted(steps[index]?.key ?? ""));
    const message = `Steps lead back to themselves: ${path.join(" → ")}. To repeat a step, use its loop.`;
    return [{ pointer: `/steps/${first}`, message }];
  }
  return [];
}

/** One cycle, or nothing: from a step that never becomes free, back along what holds it. */
function cycleIn(graph: Graph): number[] {
  const free = new Set(topological(graph));
  const path: number[] = [];
  let next = graph.steps.findIndex((_, index) => !free.has(index));
  if (next < 0) return [];
  while (!path.includes(next)) {
    path.push(next);
    next = graph.incoming[next]?.find(({ from }) => !free.has(from))?.from ?? next;
  }
  return path.slice(path.indexOf(next)).reverse();
}

const quoted = (key: string) => JSON.stringify(key);
