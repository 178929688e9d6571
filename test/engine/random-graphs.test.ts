/** Random graphs: each run must end as a simple model says, with the same statuses in the run and in its events. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject, JsonValue, Run, SandboxCall, Step } from "../../src/index.ts";
import { type Expected, model } from "../support/engine/graph-model.ts";
import { memory } from "../support/engine/memory.ts";
import { openService, type Service, scripted, statuses } from "../support/engine/service.ts";

interface Node {
  readonly kind: "work" | "broken" | "branch" | "note" | "input";
  readonly isOff: boolean;
  readonly mayFail: boolean;
  readonly isConnected: boolean;
  /** Distances to its destinations. */
  readonly leads: readonly number[];
  readonly conditions: readonly {
    readonly holds: boolean | "error";
    readonly order: number;
    readonly leads: readonly number[];
  }[];
  readonly otherwise: readonly number[];
  /** Distances to the destinations of its catch route, which has none if the list is empty. */
  readonly rescue: readonly number[];
  /** The number of items of its `for_each`, or null. */
  readonly items: number | null;
  readonly isTolerant: boolean;
}

const ahead = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 });
const node: fc.Arbitrary<Node> = fc.record({
  kind: fc.constantFrom("work", "work", "work", "work", "branch", "branch", "branch", "broken", "note", "input"),
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
  rescue: fc.oneof(fc.constant([]), ahead),
  items: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, fc.integer({ min: 0, max: 5 })),
  isTolerant: fc.boolean(),
});
const drawn = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: 39 }),
  leads: ahead,
  /** The number of the input step at which the run starts. */
  start: fc.oneof(fc.constant(0), fc.nat(9)),
  isCanceled: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** The drawn graph as steps; the first is an input step. */
function stepsOf({ nodes, leads }: Drawn): Step[] {
  const count = nodes.length + 1;
  const lastInput = nodes.findLastIndex(({ kind }) => kind === "input");
  const keys = (from: number, distances: readonly number[]) =>
    distances
      .map((distance) => from + distance)
      .filter((to) => to < count)
      .map((to) => `s${to}`);
  // A graph whose only edges are catch routes is refused.
  const hasRoutes = nodes.some(({ rescue }) => rescue.length > 0);
  const first = keys(0, leads).length === 0 && hasRoutes ? ["s1"] : keys(0, leads);
  return [
    { type: "input", key: "s0", input: {}, destinations: first },
    ...nodes.map((node, before): Step => {
      const index = before + 1;
      const caught = keys(index, node.rescue);
      const common = {
        key: `s${index}`,
        destinations: keys(index, node.leads),
        // Beside a route that catches everything, false is refused.
        throw_on_error: !node.mayFail || caught.length > 0,
        ...(node.isOff ? { conditional: "input.on == false" } : {}),
        // Before an input step, input_connected would create a cycle.
        ...(node.isConnected && before > lastInput ? { input_connected: true } : {}),
      };
      const rescue = caught.length === 0 ? {} : { on_error: [{ destinations: caught }] };
      if (node.kind === "input")
        return { key: common.key, destinations: common.destinations, type: "input", input: {} };
      if (node.kind === "note") return { ...common, type: "note", note: "" };
      if (node.kind !== "branch") {
        const items = JSON.stringify(Array.from({ length: node.items ?? 0 }, (_, item) => item));
        const on_error = node.isTolerant ? "continue" : "fail";
        return {
          ...common,
          ...rescue,
          ...(node.items === null ? {} : { for_each: { items, concurrency: 1 + (node.items % 3), on_error } }),
          ...(node.isOff
            ? {}
            : { retry: index % 2 === 0 ? { max_attempts: 1 } : { max_attempts: 2, initial_interval: 0.001 } }),
          type: "code",
          code: `${node.kind === "work" ? "work" : "break"} s${index}`,
        };
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
        ...rescue,
        type: "branch",
        conditions: Object.fromEntries(conditions),
        else: keys(index, node.otherwise),
      };
    }),
  ];
}

const data = new Map<string, string>();
let service: Service;
/** Runs that have ended. */
const ended: Run[] = [];
/** What the code steps of each run did, in order. Steps of a failed run may still execute during the next run. */
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
  service = await openService({ sandbox, storage: { entities: memory(data).driver } });
});
afterAll(() => service.stepwell.close());

function checkRun(run: Run, expected: Expected): void {
  if (run.status !== "succeeded") {
    checkCutOff(run, expected);
    return;
  }
  expect(expected.fatal).toEqual([]);
  const shown: JsonObject = {};
  for (const step of run.steps) shown[step.key] = step.output;
  expect(statuses(run)).toEqual(expected.status);
  expect(shown).toEqual(expected.outputs);
  expect(run.error).toBeNull();
  expect(run.output).toEqual(expected.output);
}

/** The step table of ARCHITECTURE.md: settled steps are as in a complete run, all others are canceled. */
function checkCutOff(run: Run, { status, outputs, fatal, edges }: Expected): void {
  expect(run.output).toBeNull();
  const shown = statuses(run);
  const failed = fatal.filter((key) => shown[key] === "failed");
  if (run.status === "failed") expect(failed).toContain(run.error?.step);
  for (const { key, status: own, output, started_at, finished_at } of run.steps) {
    if (own === "canceled") {
      expect([key, output, finished_at]).toEqual([key, null, started_at === null ? null : run.finished_at]);
      continue;
    }
    expect([key, own, output]).toEqual([key, status[key], outputs[key]]);
    for (const [from, to] of edges) {
      if (to === key)
        expect([from, key, shown[from] === "canceled" || failed.includes(from)]).toEqual([from, key, false]);
    }
  }
}

/** The status of each step by the events of the run. */
async function statusesByEvents({ stepwell, app }: Service, runId: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const event of stepwell.runs.events(app, runId)) {
    if (event.id === undefined || !("step" in event)) continue;
    expect(found).not.toHaveProperty(event.step);
    found[event.step] = event.type.slice("step.".length);
  }
  return found;
}

/** Returns the ended run; provides input to each waiting step. */
async function finish(runId: string): Promise<Run> {
  const { stepwell, app } = service;
  for (;;) {
    const run = await service.until(runId, ({ status }) => status !== "running" && status !== "queued");
    if (run.status !== "waiting") return run;
    for (const { key, status } of run.steps) {
      if (status === "waiting") await stepwell.runs.provide(app, runId, key, {});
    }
  }
}

/** Checks that each step executed as often as it may, after those that lead to it. */
function checkOrder(events: readonly string[], steps: readonly Step[], edges: Expected["edges"]): void {
  const first = new Map([...events.entries()].reverse().map(([place, event]) => [event, place]));
  const last = new Map(events.map((event, place) => [event, place]));
  for (const step of steps) {
    const begun = events.filter((event) => event === `begin ${step.key}`).length;
    expect([step.key, begun <= mostExecutions(step)]).toEqual([step.key, true]);
  }
  // Items that are stopped because another one failed may still note their end.
  const isStopped = (step: Step) =>
    step.type === "code" && step.code.startsWith("break") && step.for_each?.on_error === "fail";
  const stopped = new Set(steps.filter(isStopped).map(({ key }) => key));
  for (const [from, to] of edges) {
    if (stopped.has(from)) continue;
    const ended = last.get(`end ${from}`);
    const began = first.get(`begin ${to}`);
    if (ended !== undefined && began !== undefined) expect(ended).toBeLessThan(began);
    if (began !== undefined && first.has(`begin ${from}`)) expect(ended).toBeDefined();
  }
}

/** Each item has its own attempts, and only those that fail are repeated. */
function mostExecutions(step: Step): number {
  if (step.type !== "code") return 0;
  const items = step.for_each === undefined ? 1 : (JSON.parse(step.for_each.items) as unknown[]).length;
  return items * (step.code.startsWith("break") ? (step.retry?.max_attempts ?? 1) : 1);
}

it("a run of any graph ends as a simple model says", async () => {
  const { stepwell, app } = service;
  await fc.assert(
    fc.asyncProperty(drawn, async (graph) => {
      const steps = stepsOf(graph);
      const inputs = steps.flatMap(({ type, key }) => (type === "input" ? [key] : []));
      const start = inputs[graph.start % inputs.length] ?? "s0";
      const input = { on: true, nth: events.size };
      const noted: string[] = [];
      events.set(input.nth, noted);
      const expected = model(steps, input, start);
      const { id } = await service.start(steps, input, { step_key: start });
      const following = statusesByEvents(service, id);
      if (graph.isCanceled) await stepwell.runs.cancel(app, id);
      const run = await finish(id);
      checkRun(run, expected);
      checkOrder(noted, steps, expected.edges);
      expect(await following).toEqual(statuses(run));
      ended.push(run);
    }),
    { numRuns: 60 },
  );
});

it("runs of random graphs are the same after a restart", async () => {
  expect(ended.some(({ status }) => status === "failed")).toBe(true);
  await service.stepwell.close();
  const second = await openService({ storage: { entities: memory(data).driver } }, service.app);
  for (const run of ended) {
    expect(await second.get(run.id)).toEqual(run);
    expect(await statusesByEvents(second, run.id)).toEqual(statuses(run));
  }
  await second.stepwell.close();
});
