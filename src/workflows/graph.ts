/** The steps of a version as a graph: edges, starts, and order. Pure. */
import { omitUndefined } from "../json.ts";
import type { Step } from "./step.ts";

/** An edge, and when a run takes it. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  /** The name of a branch condition, null for `else`, absent for an unconditional edge. */
  readonly via?: string | null;
  /** Index of a catch route: taken only if the step failed and the route caught the error. */
  readonly route?: number;
}

/** A graph whose nodes are indexes of steps. */
export interface Graph {
  readonly steps: readonly Step[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly outgoing: readonly (readonly Edge[])[];
  readonly incoming: readonly (readonly Edge[])[];
  /** The input step that a run starts at; undefined if there is none. */
  readonly start: number | undefined;
}

/** An edge as a step declares it: the key of the next step, its path within this step, and when a run takes the edge. */
export interface DeclaredEdge extends Pick<Edge, "via" | "route"> {
  readonly path: readonly (string | number)[];
  readonly key: string;
}

/** All edges that a step declares. A new field that names next steps belongs here and in {@link withoutEdges}. */
export function edgesFrom(step: Step): DeclaredEdge[] {
  const found = (step.destinations ?? []).map((key, index): DeclaredEdge => ({ path: ["destinations", index], key }));
  const routes = step.type === "note" ? [] : (step.on_error ?? []);
  for (const [route, { destinations }] of routes.entries()) {
    for (const [index, key] of destinations.entries()) {
      found.push({ path: ["on_error", route, "destinations", index], key, route });
    }
  }
  if (step.type !== "branch") return found;
  for (const [via, { destinations }] of Object.entries(step.conditions)) {
    for (const [index, key] of destinations.entries()) {
      found.push({ path: ["conditions", via, "destinations", index], key, via });
    }
  }
  for (const [index, key] of (step.else ?? []).entries()) found.push({ path: ["else", index], key, via: null });
  return found;
}

/** The same step as the only one of a graph: without its edges, and without the one that `input_connected` adds. */
export function withoutEdges(step: Exclude<Step, { type: "note" | "input" }>): Step {
  const { input_connected: _start, destinations: _next, on_error: _caught, ...alone } = step;
  if (alone.type !== "branch") return alone;
  const conditions = Object.entries(alone.conditions).map(([name, one]) => [name, { ...one, destinations: [] }]);
  return { ...alone, conditions: Object.fromEntries(conditions), else: [] };
}

/** The input steps. A run starts at the first unless it names another. */
export function inputSteps(steps: readonly Step[]): number[] {
  return steps.flatMap((step, index) => (step.type === "input" ? [index] : []));
}

/**
 * The graph without the edges that `input_connected` adds for each start. Ignores edges to unknown steps, which
 * `checkGraph` reports. If no step declares an edge, the list is a chain.
 */
export function declaredGraph(steps: readonly Step[]): Graph {
  const indexOf = new Map(steps.map((step, index) => [step.key, index]));
  const named = steps.map(edgesFrom);
  const isChain = named.every((found) => found.length === 0);
  const outgoing: Edge[][] = steps.map(() => []);
  const incoming: Edge[][] = steps.map(() => []);
  const connect = (edge: Edge) => {
    outgoing[edge.from]?.push(edge);
    incoming[edge.to]?.push(edge);
  };

  for (const [from, found] of named.entries()) {
    for (const { key, via, route } of found) {
      const to = indexOf.get(key);
      if (to !== undefined) connect({ from, to, ...omitUndefined({ via, route }) });
    }
    if (isChain && from + 1 < steps.length) connect({ from, to: from + 1 });
  }
  return { steps, indexOf, outgoing, incoming, start: undefined };
}

/** The graph of a run that starts at `start`: adds edges from there to the steps with `input_connected`. */
export function graphFrom(declared: Graph, start: number | undefined): Graph {
  const connected = start === undefined ? [] : connectedSteps(declared.steps).filter((to) => to !== start);
  if (start === undefined || connected.length === 0) return { ...declared, start };
  const edges = new Map(connected.map((to): [number, Edge] => [to, { from: start, to }]));
  const outgoing = declared.outgoing.map((own, from) => (from === start ? [...own, ...edges.values()] : own));
  const incoming = declared.incoming.map((own, to) => {
    const edge = edges.get(to);
    return edge === undefined ? own : [...own, edge];
  });
  return { ...declared, outgoing, incoming, start };
}

/** Steps with `input_connected`. */
export function connectedSteps(steps: readonly Step[]): number[] {
  return steps.flatMap((step, index) => (step.input_connected === true ? [index] : []));
}

/** The steps in topological order. Steps in a cycle, and those after one, are missing. */
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
