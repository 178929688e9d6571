/** The steps of a version as a graph: who leads to whom, where a run starts, what comes before what. Pure. */
import type { Step } from "./step.ts";

/** Why an edge is there: the name of a branch's condition, null for its `else`; left out, it is always taken. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly via?: string | null;
}

/** Steps are known by their place in the array. */
export interface Graph {
  readonly steps: readonly Step[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly outgoing: readonly (readonly Edge[])[];
  readonly incoming: readonly (readonly Edge[])[];
  /** The input step that a run starts at; undefined where there is none. */
  readonly start: number | undefined;
}

/** A place where a step names another: the path inside the step, and what taking it depends on. */
export interface Reference {
  readonly path: readonly (string | number)[];
  readonly key: string;
  readonly via?: string | null;
}

/** Every step that a step names as coming next. */
export function references(step: Step): Reference[] {
  const found = (step.destinations ?? []).map((key, index): Reference => ({ path: ["destinations", index], key }));
  if (step.type !== "branch") return found;
  for (const [via, { destinations }] of Object.entries(step.conditions)) {
    for (const [index, key] of destinations.entries()) {
      found.push({ path: ["conditions", via, "destinations", index], key, via });
    }
  }
  for (const [index, key] of (step.else ?? []).entries()) found.push({ path: ["else", index], key, via: null });
  return found;
}

/** The input steps, of which a run starts at one: the first, unless it names another. */
export function inputSteps(steps: readonly Step[]): number[] {
  return steps.flatMap((step, index) => (step.type === "input" ? [index] : []));
}

/**
 * The steps as they are drawn, without what `input_connected` adds for each start. What names no step of this version is
 * left out; `checkGraph` tells it. Where no step names any other, the array is a chain.
 */
export function drawnGraph(steps: readonly Step[]): Graph {
  const indexOf = new Map(steps.map((step, index) => [step.key, index]));
  const named = steps.map(references);
  const isChain = named.every((found) => found.length === 0);
  const outgoing: Edge[][] = steps.map(() => []);
  const incoming: Edge[][] = steps.map(() => []);
  const connect = (edge: Edge) => {
    outgoing[edge.from]?.push(edge);
    incoming[edge.to]?.push(edge);
  };

  for (const [from, found] of named.entries()) {
    for (const { key, via } of found) {
      const to = indexOf.get(key);
      if (to !== undefined) connect(via === undefined ? { from, to } : { from, to, via });
    }
    if (isChain && from + 1 < steps.length) connect({ from, to: from + 1 });
  }
  return { steps, indexOf, outgoing, incoming, start: undefined };
}

/** The graph of a run that starts at `start`: what is drawn, and edges from there to the steps with `input_connected`. */
export function graphFrom(drawn: Graph, start: number | undefined): Graph {
  const connected = start === undefined ? [] : connectedSteps(drawn.steps).filter((to) => to !== start);
  if (start === undefined || connected.length === 0) return { ...drawn, start };
  const edges = new Map(connected.map((to): [number, Edge] => [to, { from: start, to }]));
  const outgoing = drawn.outgoing.map((own, from) => (from === start ? [...own, ...edges.values()] : own));
  const incoming = drawn.incoming.map((own, to) => {
    const edge = edges.get(to);
    return edge === undefined ? own : [...own, edge];
  });
  return { ...drawn, outgoing, incoming, start };
}

/** Steps with `input_connected`. */
export function connectedSteps(steps: readonly Step[]): number[] {
  return steps.flatMap((step, index) => (step.input_connected === true ? [index] : []));
}

/** The steps in an order in which each comes after all that lead to it; those of a cycle, and behind one, are missing. */
export function topological({ steps, outgoing, incoming }: Graph): number[] {
  const waiting = incoming.map((edges) => edges.length);
  const order = steps.flatMap((_, index) => (waiting[index] === 0 ? [index] : []));
  for (const index of order) {
    for (const { to } of outgoing[index] ?? []) {
      const left = (waiting[to] ?? 0) - 1;
      waiting[to] = left;
      if (left === 0) order.push(to);
    }
  }
  return order;
}
