/** Graphs that nobody drew: each run must end as a small model of the rules says, and in an order that they allow. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject, JsonValue, Run, SandboxCall, Step } from "../../src/index.ts";
import { type Expected, model } from "./graph-model.ts";
import { openService, type Service, scripted } from "./service.ts";

interface Node {
  readonly kind: "work" | "broken" | "branch" | "note";
  readonly isOff: boolean;
  readonly mayFail: boolean;
  readonly isConnected: boolean;
  /** How far ahead the steps are that it leads to. */
  readonly leads: readonly number[];
  readonly conditions: readonly {
    readonly holds: boolean | "error";
    readonly order: number;
    readonly leads: readonly number[];
  }[];
  readonly otherwise: readonly number[];
}

const ahead = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 });
const node: fc.Arbitrary<Node> = fc.record({
  kind: fc.constantFrom("work", "work", "work", "branch", "branch", "broken", "note"),
  isOff: fc.integer({ max: 5, min: 0 }).map((dice) => dice === 0),
  mayFail: fc.integer({ max: 8, min: 0 }).map((dice) => dice > 0),
  isConnected: fc.integer({ max: 7, min: 0 }).map((dice) => dice === 0),
  leads: ahead,
  conditions: fc.array(
    fc.record({
      holds: fc.constantFrom(true, false, false, "error" as const),
      order: fc.integer({ min: -3, max: 3 }),
      leads: ahead,
    }),
    { maxLength: 3 },
  ),
  otherwise: ahead,
});
const drawn = fc.record({ nodes: fc.array(node, { minLength: 1, maxLength: 39 }), leads: ahead });
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** The drawing as steps: the first is the input step. */
function stepsOf({ nodes, leads }: Drawn): Step[] {
  const count = nodes.length + 1;
  const keys = (from: number, distances: readonly number[]) =>
    distances
      .map((distance) => from + distance)
      .filter((to) => to < count)
      .map((to) => `s${to}`);
  return [
    { type: "input", key: "s0", input: {}, destinations: keys(0, leads) },
    ...nodes.map((node, before): Step => {
      const index = before + 1;
      const common = {
        key: `s${index}`,
        destinations: keys(index, node.leads),
        throw_on_error: !node.mayFail,
        ...(node.isOff ? { conditional: "input.on == false" } : {}),
        ...(node.isConnected ? { input_connected: true } : {}),
      };
      if (node.kind === "note") return { ...common, type: "note", note: "" };
      if (node.kind !== "branch") {
        return { ...common, type: "code", code: `${node.kind === "work" ? "work" : "break"} s${index}` };
      }
      const conditions = node.conditions.map(({ holds, order, leads }, name) => [
        `c${name}`,
        {
          condition: holds === "error" ? "input.missing" : holds ? "input.on" : "!input.on",
          order,
          destinations: keys(index, leads),
        },
      ]);
      return {
        ...common,
        type: "branch",
        conditions: Object.fromEntries(conditions),
        else: keys(index, node.otherwise),
      };
    }),
  ];
}

let service: Service;
/** What the code steps of a run did, in order; steps of a run that failed may still be at it when the next one runs. */
const events = new Map<JsonValue | undefined, string[]>();
beforeAll(async () => {
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  const noted =
    (end: (key: string) => JsonValue) =>
    async ({ globals }: SandboxCall, key: string) => {
      const noted = events.get((globals["input"] as JsonObject)["nth"]);
      noted?.push(`begin ${key}`);
      if (key.length % 2 === 0) await pause();
      noted?.push(`end ${key}`);
      return end(key);
    };
  const sandbox = scripted({
    work: noted((key) => key),
    break: noted(() => {
      throw new Error("broken");
    }),
  });
  service = await openService({ sandbox });
});
afterAll(() => service.stepwell.close());

function checkRun(run: Run, { status, outputs, fatal, output }: Expected): void {
  if (fatal.length > 0) {
    expect(run.status).toBe("failed");
    expect(run.output).toBeNull();
    expect(fatal).toContain(run.error?.step);
    return;
  }
  const shown: JsonObject = {};
  for (const step of run.steps) shown[step.key] = step.output;
  expect(Object.fromEntries(run.steps.map((step) => [step.key, step.status]))).toEqual(status);
  expect(shown).toEqual(outputs);
  expect(run).toMatchObject({ status: "succeeded", error: null });
  expect(run.output).toEqual(output);
}

/** Each step once, and only after those that lead to it. */
function checkOrder(events: readonly string[], edges: Expected["edges"]): void {
  const places = new Map(events.map((event, place) => [event, place]));
  expect(places.size).toBe(events.length);
  for (const [from, to] of edges) {
    const ended = places.get(`end ${from}`);
    const began = places.get(`begin ${to}`);
    if (ended !== undefined && began !== undefined) expect(ended).toBeLessThan(began);
    if (began !== undefined && places.has(`begin ${from}`)) expect(ended).toBeDefined();
  }
}

it("runs any graph as the rules say", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (graph) => {
      const steps = stepsOf(graph);
      const input = { on: true, nth: events.size };
      const noted: string[] = [];
      events.set(input.nth, noted);
      const expected = model(steps, input);
      checkRun(await service.run(steps, input), expected);
      checkOrder(noted, expected.edges);
    }),
    { numRuns: 400 },
  );
});
