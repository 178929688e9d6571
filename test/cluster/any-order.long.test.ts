/** A cluster in which processes pause, die and come, and jobs and messages get lost, in any order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run, Step } from "../../src/index.ts";
import { act, deploy, openProcesses, type Process } from "../support/cluster/processes.ts";

const CHILD: Step[] = [act("child")];

const stepsWith = (child: string): Step[] => [
  { type: "input", key: "begin", input: {}, destinations: ["a", "c"] },
  act("a", "a", "ask"),
  { type: "input", key: "ask", input: { answer: { type: "string" } }, destinations: ["b"] },
  act("b", "b", "sub"),
  { type: "workflow", key: "sub", workflow_id: child, input: {}, destinations: ["end"] },
  act("c", "c", "end"),
  act("end", "end"),
];

/** What happens next. `at` chooses a process or a run. */
type Move =
  | {
      readonly kind: "create" | "provide" | "cancel" | "pause" | "cutOff" | "holdAnswers" | "resume" | "kill";
      readonly at: number;
    }
  | { readonly kind: "empty" | "deaf" | "hearing" | "losing" | "keeping" | "outage" | "over" }
  | { readonly kind: "wait"; readonly seconds: number };

const at = fc.nat(9);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("create" as const, "provide" as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "pause" as const,
        "cutOff" as const,
        "holdAnswers" as const,
        "resume" as const,
        "kill" as const,
      ),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "empty" as const,
        "deaf" as const,
        "hearing" as const,
        "losing" as const,
        "keeping" as const,
        "outage" as const,
        "over" as const,
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.constantFrom(0.2, 1, 4, 16) }) },
);

interface World {
  readonly calls: Map<string, string[]>;
  readonly canceled: Set<string>;
}

async function play(moves: readonly Move[]): Promise<void> {
  const world: World = { calls: new Map(), canceled: new Set() };
  const processes = openProcesses(async (_, given, _signal, runId) => {
    const called = world.calls.get(runId) ?? [];
    called.push(given);
    world.calls.set(runId, called);
    return given;
  });
  const { start, queue, clock } = processes;
  const all: { process: Process; isPaused: boolean }[] = [];
  const add = async (work: boolean) => all.push({ process: await start(`p${all.length}`, { work }), isPaused: false });
  await add(false);
  await add(true);
  await add(true);
  const child = await deploy((all[0] as (typeof all)[number]).process, CHILD);
  const main = await deploy((all[0] as (typeof all)[number]).process, stepsWith(child.workflow), {}, child.app);
  const { app, workflow } = main;
  const runs: string[] = [];
  const awake = (index: number) => {
    const those = all.filter(({ isPaused }) => !isPaused);
    return those[index % those.length]?.process;
  };
  /** Requests to processes that hang are not waited for, as callers would give up. */
  const attempt = (request: Promise<unknown>) =>
    request.catch((error: { code?: string }) => {
      if (!["conflict", "unavailable", "not_found"].includes(error.code ?? "")) throw error;
    });
  const pending: Promise<unknown>[] = [];

  for (const next of moves) {
    switch (next.kind) {
      case "wait":
        await clock.advance(`${next.seconds * 1_000}ms`);
        break;
      case "create": {
        const process = awake(next.at);
        if (process === undefined) break;
        const created = process.stepwell.runs.create(app, workflow, { step_key: "begin" });
        pending.push(attempt(created.then(({ id }) => runs.push(id))));
        await clock.advance("50ms");
        break;
      }
      case "provide":
      case "cancel": {
        const [process, id] = [awake(next.at), runs[next.at % Math.max(1, runs.length)]];
        if (process === undefined || id === undefined) break;
        if (next.kind === "cancel") world.canceled.add(id);
        const { runs: api } = process.stepwell;
        pending.push(
          attempt(next.kind === "cancel" ? api.cancel(app, id) : api.provide(app, id, "ask", { answer: "x" })),
        );
        await clock.advance("50ms");
        break;
      }
      case "pause":
      case "cutOff":
      case "holdAnswers":
      case "resume": {
        const one = all[next.at % all.length];
        if (one === undefined) break;
        if (next.kind !== "resume" && !one.isPaused) one.process[next.kind]();
        if (next.kind === "resume" && one.isPaused) one.process.resume();
        one.isPaused = next.kind !== "resume";
        break;
      }
      case "kill": {
        const [one] = all.splice(next.at % all.length, 1);
        one?.process.kill();
        await add(next.at % 3 !== 0);
        break;
      }
      case "outage":
        for (const one of all) if (!one.isPaused) one.process.holdAnswers();
        for (const one of all) one.isPaused = true;
        break;
      case "over":
        for (const one of all) if (one.isPaused) one.process.resume();
        for (const one of all) one.isPaused = false;
        break;
      case "empty":
        queue.empty();
        break;
      case "deaf":
      case "hearing":
        queue.losesMessages = next.kind === "deaf";
        break;
      case "losing":
      case "keeping":
        queue.losesJobs = next.kind === "losing";
    }
  }

  queue.losesJobs = false;
  for (const one of all) if (one.isPaused) one.process.resume();
  await add(true);
  const last = (all.at(-1) as (typeof all)[number]).process.stepwell;
  await processes.until(async () => {
    for (const id of runs) {
      const run = await last.runs.get(app, id);
      const ask = run.steps.find(({ key }) => key === "ask");
      if (ask?.status === "waiting") await attempt(last.runs.provide(app, id, "ask", { answer: "x" }));
      if (!["succeeded", "canceled", "failed"].includes(run.status)) return false;
    }
    return true;
  });
  for (const id of runs) check(await last.runs.get(app, id), world);
  // A run that another process has just ended is not a damaged one.
  expect(processes.warnings.filter((warning) => warning.includes("damaged"))).toEqual([]);
  await processes.close();
}

function check(run: Run, { calls, canceled }: World): void {
  if (run.status === "canceled") expect(canceled).toContain(run.id);
  else expect(run).toMatchObject({ status: "succeeded", output: "end" });
  const called = calls.get(run.id) ?? [];
  // Whatever is repeated, a step that follows another one is called after the last call of that one.
  for (const [before, after] of [
    ["a", "b"],
    ["b", "end"],
    ["c", "end"],
  ] as const) {
    const first = called.indexOf(after);
    if (first !== -1) expect(called.lastIndexOf(before)).toBeLessThan(first);
  }
}

describe("a cluster", () => {
  it("ends every run once, and repeats no step whose outcome is stored, whatever happens to its processes", async () => {
    await fc.assert(fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), play), {
      numRuns: 12,
    });
  });
});
