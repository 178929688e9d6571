/** The steps of a version as a graph: who leads to whom, where a run starts, what comes before what. DESIGN 5.1. Pure. */
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
  /** Steps that run first: the start, and whatever nothing leads to except other input steps. */
  readonly roots: readonly number[];
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
 * The graph of a run that starts at `start`. What names no step of this version is left out; `checkGraph` tells it.
 * Where no step names any other, the array is a chain.
 */
export function graphOf(steps: readonly Step[], start: number | undefined = inputSteps(steps)[0]): Graph {
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
  for (const [to, step] of steps.entries()) {
    if (step.input_connected === true && start !== undefined && start !== to) connect({ from: start, to });
  }
  const roots = steps.flatMap((step, index) =>
    index === start || (step.type !== "input" && incoming[index]?.length === 0) ? [index] : [],
  );
  return { steps, indexOf, outgoing, incoming, start, roots };
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

/** Steps that lead, over any number of others, to the one at `index`. */
export function upstream({ incoming }: Graph, index: number): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [index];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { from } of incoming[next] ?? []) {
      if (found.has(from)) continue;
      found.add(from);
      open.push(from);
    }
  }
  return found;
}
