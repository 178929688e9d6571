/** Validating a large graph takes work in proportion to its edges, counted as reads of steps and edges. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { declaredGraph, type Edge, type Graph } from "../../src/workflows/graph.ts";
import { checkGraph } from "../../src/workflows/validation/check-graph.ts";
import { createReach } from "../../src/workflows/validation/reach.ts";
import { indexesIn } from "../../src/workflows/validation/step-bitset.ts";
import { MAX_STEPS } from "../../src/workflows/version.ts";

const key = (index: number) => `k${index}`;
const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => key(from + index));
const note = (index: number, destinations: string[] = []): Step => ({
  type: "note",
  key: key(index),
  note: "",
  destinations,
});
const input = (index: number, destinations: string[] = []): Step => ({
  type: "input",
  key: key(index),
  input: {},
  destinations,
});
const all = (size: number, step: (index: number) => Step) => Array.from({ length: size }, (_, index) => step(index));

/** Graphs of about `size` steps and edges. */
const SHAPES: Readonly<Record<string, (size: number) => Step[]>> = {
  "a chain": (size) => all(size, (index) => note(index)),
  "a chain with explicit destinations": (size) =>
    all(size, (index) => note(index, index + 1 < size ? [key(index + 1)] : [])),
  "a fan": (size) => all(size, (index) => note(index, index === 0 ? keys(1, size) : [])),
  complete: (size) => {
    const steps = Math.floor(Math.sqrt(2 * size));
    return all(steps, (index) => note(index, keys(index + 1, steps)));
  },
  "one cycle": (size) => all(size, (index) => note(index, [key((index + 1) % size)])),
  "many starts with connected steps": (size) =>
    all(size, (index) =>
      index % 2 === 0 ? input(index) : { ...note(index, [key(Math.max(index + 2, size))]), input_connected: true },
    ),
};

/** Counts the property reads of these steps. */
function counted(steps: readonly Step[]): { readonly steps: readonly Step[]; readonly reads: () => number } {
  let reads = 0;
  const watched = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, name, receiver) {
        reads++;
        const found: unknown = Reflect.get(target, name, receiver);
        return Array.isArray(found) ? watched(found) : found;
      },
    });
  return { steps: steps.map(watched), reads: () => reads };
}

/** Counts the reads of edges. */
function countedEdges(drawn: Graph): { readonly graph: Graph; readonly visits: () => number } {
  let visits = 0;
  const watched = (edges: readonly Edge[]) =>
    edges.map(
      (edge) =>
        new Proxy(edge, {
          get(target, name) {
            visits++;
            return Reflect.get(target, name);
          },
        }),
    );
  const graph = { ...drawn, outgoing: drawn.outgoing.map(watched), incoming: drawn.incoming.map(watched) };
  return { graph, visits: () => visits };
}

const SIZE = 400;

describe.each(Object.entries(SHAPES))("a graph that is %s", (_, shape) => {
  it("is validated in time linear in its size", () => {
    const cost = (size: number) => {
      const { steps, reads } = counted(shape(size));
      expect([...checkGraph(steps)].length).toBeLessThan(2 * size);
      return reads();
    };
    expect(cost(4 * SIZE)).toBeLessThan(5 * cost(SIZE));
  });

  it("has its predecessors computed in time linear in its edges", () => {
    const cost = (size: number) => {
      const steps = shape(size);
      const { graph, visits } = countedEdges(declaredGraph(steps));
      const reach = createReach(graph);
      const before = visits();
      for (const index of steps.keys()) {
        reach.beforeFromAny(index);
        for (const start of [undefined, 0]) reach.before(start, index);
        reach.isBefore(0, 1, index);
      }
      expect(visits()).toBe(before);
      return before;
    };
    expect(cost(4 * SIZE)).toBeLessThan(5 * cost(SIZE) + 10);
  });
});

it("computes the predecessors of the last step of a chain of 2,000", () => {
  const reach = createReach(declaredGraph(all(MAX_STEPS, (index) => note(index))));
  expect(indexesIn(reach.before(undefined, MAX_STEPS - 1))).toEqual([...Array(MAX_STEPS - 1).keys()]);
});

it("finds the one start of many that closes a cycle through input_connected", () => {
  const steps = [
    ...all(MAX_STEPS - 1, (index) => input(index)),
    { ...note(MAX_STEPS - 1, [key(1_234)]), input_connected: true },
  ];
  expect([...checkGraph(steps)]).toEqual([
    { pointer: `/steps/${MAX_STEPS - 1}`, message: expect.stringContaining(`"k${MAX_STEPS - 1}" → "k1234" → `) },
  ]);
});
