/** The edges of a graph: which steps run, in which order, and the output of the run. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, Run, Step } from "../../src/index.ts";
import { branch, fail, give, input, note, openService, type Service, statuses, to } from "../support/engine/service.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

/** `+a -b !c ?d ~e`: a succeeded, b was skipped, c failed, d was not reached, e was canceled. */
function describeRun(run: Run): string {
  const signs: Record<string, string> = { succeeded: "+", skipped: "-", failed: "!", pending: "?", canceled: "~" };
  const steps = Object.entries(statuses(run)).map(([key, status]) => (signs[status] ?? status) + key);
  return `${run.status}: ${steps.join(" ")}`;
}

interface Case {
  readonly steps: readonly Step[];
  readonly gives: string;
  readonly output: unknown;
  readonly input?: JsonObject;
  readonly start?: string;
}

const soft = { throw_on_error: false };
const CASES: Readonly<Record<string, Case>> = {
  "no steps": { steps: [], gives: "succeeded: ", output: null },
  "one step": { steps: [give("a")], gives: "succeeded: +a", output: "a" },
  "steps without destinations form a chain": {
    steps: [input("in"), give("a"), give("b")],
    input: { n: 1 },
    gives: "succeeded: +in +a +b",
    output: "b",
  },
  "empty destinations still form a chain": {
    steps: [give("a", to()), give("b", { conditional: 'steps.a.output == "a"' })],
    gives: "succeeded: +a +b",
    output: "b",
  },
  "a single destination makes it a graph, not a chain": {
    steps: [give("a", to("c")), give("b"), give("c")],
    gives: "succeeded: +a +b +c",
    output: { b: "b", c: "c" },
  },
  "a diamond": {
    steps: [give("a", to("b", "c")), give("b", to("d")), give("c", to("d")), give("d")],
    gives: "succeeded: +a +b +c +d",
    output: "d",
  },
  "two edges between the same steps": {
    steps: [give("a", to("b", "b")), give("b")],
    gives: "succeeded: +a +b",
    output: "b",
  },
  "a join runs if at least one of its edges is taken": {
    steps: [
      branch("which", { left: ["true", "l"], right: ["true", "r"] }),
      give("l", to("join")),
      give("r", to("join")),
      give("join"),
    ],
    gives: "succeeded: +which +l -r +join",
    output: "join",
  },
  "steps that only a dead path leads to are skipped": {
    steps: [branch("which", { on: ["false", "a"] }), give("a", to("b")), give("b", to("c")), give("c")],
    gives: "succeeded: +which -a -b -c",
    output: null,
  },
  "two branches that both take one step": {
    steps: [branch("p", { yes: ["true", "x"] }), branch("q", { yes: ["true", "x"] }), give("x")],
    gives: "succeeded: +p +q +x",
    output: "x",
  },
  "two branches, one of which takes the step": {
    steps: [branch("p", { yes: ["false", "x"] }), branch("q", { yes: ["true", "x"] }), give("x")],
    gives: "succeeded: +p +q +x",
    output: "x",
  },
  "a step that a branch doesn't take but another step leads to": {
    steps: [branch("p", { yes: ["false", "x"] }), give("a", to("x")), give("x")],
    gives: "succeeded: +p +a +x",
    output: "x",
  },
  "two conditions of a branch lead to the same step": {
    steps: [branch("p", { one: ["false", "x"], two: ["true", "x"] }), give("x")],
    gives: "succeeded: +p +x",
    output: "x",
  },
  "a branch without a true condition takes else": {
    steps: [branch("p", { yes: ["false", "a"] }, ["b"]), give("a"), give("b")],
    gives: "succeeded: +p -a +b",
    output: { b: "b" },
  },
  "a branch without a true condition and without else takes nothing": {
    steps: [branch("p", { yes: ["false", "a"] }), give("a")],
    gives: "succeeded: +p -a",
    output: null,
  },
  "a branch always takes its destinations": {
    steps: [branch("p", { yes: ["true", "a"] }, ["b"], to("always")), give("a"), give("b"), give("always")],
    gives: "succeeded: +p +a -b +always",
    output: { a: "a", always: "always" },
  },
  "a skipped branch takes its destinations and its else": {
    steps: [
      branch("p", { yes: ["true", "a"] }, ["b"], { ...to("always"), conditional: "false" }),
      give("a"),
      give("b"),
      give("always"),
    ],
    gives: "succeeded: -p -a +b +always",
    output: { b: "b", always: "always" },
  },
  "a branch with a tolerated failure takes its destinations and its else": {
    steps: [
      branch("p", { yes: ["input.none", "a"] }, ["b"], { ...to("always"), ...soft }),
      give("a"),
      give("b"),
      give("always"),
    ],
    gives: "succeeded: !p -a +b +always",
    output: { b: "b", always: "always" },
  },
  "a skipped step does not end its path": {
    steps: [give("a"), give("b", { conditional: "false" }), give("c")],
    gives: "succeeded: +a -b +c",
    output: "c",
  },
  "a tolerated failure does not end its path": {
    steps: [give("a"), fail("b", soft), give("c")],
    gives: "succeeded: +a !b +c",
    output: "c",
  },
  "a failed step fails the run": {
    steps: [give("a"), fail("b"), give("c")],
    gives: "failed: +a !b ~c",
    output: null,
  },
  "the output is null if the only leaf was skipped": {
    steps: [give("a"), give("b", { conditional: "false" })],
    gives: "succeeded: +a -b",
    output: null,
  },
  "the output has the succeeded leaves by key": {
    steps: [give("a", to("b", "c", "d")), give("b"), fail("c", soft), give("d", { conditional: "false" })],
    gives: "succeeded: +a +b !c -d",
    output: { b: "b" },
  },
  "a note passes on to its destinations": {
    steps: [give("a", to("n")), note("n", to("b")), give("b")],
    gives: "succeeded: +a +n +b",
    output: "b",
  },
  "a note as a leaf is not part of the output": {
    steps: [give("a", to("b", "n")), give("b"), note("n")],
    gives: "succeeded: +a +b +n",
    output: "b",
  },
  "a step that only leads to notes gives the output": {
    steps: [give("a"), note("n"), note("m")],
    gives: "succeeded: +a +n +m",
    output: "a",
  },
  "notes alone": { steps: [note("n"), note("m", to("n"))], gives: "succeeded: +n +m", output: null },
  "an input step as a leaf gives its values": {
    steps: [input("in")],
    input: { n: 1 },
    gives: "succeeded: +in",
    output: { n: 1 },
  },
  "a run starts at the first of several input steps": {
    steps: [input("one", to("a")), input("two", to("b")), give("a"), give("b")],
    gives: "succeeded: +one -two +a -b",
    output: { a: "a" },
  },
  "a run starts at the input step that step_key names": {
    steps: [input("one", to("a")), input("two", to("b")), give("a"), give("b")],
    start: "two",
    gives: "succeeded: -one +two -a +b",
    output: { b: "b" },
  },
  "two input steps lead to one step": {
    steps: [input("one", to("a")), input("two", to("a")), give("a")],
    start: "two",
    gives: "succeeded: -one +two +a",
    output: "a",
  },
  "a run starts in the middle of a chain": {
    steps: [input("one"), give("a"), input("two"), give("b")],
    start: "two",
    gives: "succeeded: -one -a +two +b",
    output: "b",
  },
  "input_connected is an edge from the input step that the run starts at": {
    steps: [input("one", to("a")), input("two", to("b")), give("a"), give("b"), give("c", { input_connected: true })],
    start: "two",
    gives: "succeeded: -one +two -a +b +c",
    output: { b: "b", c: "c" },
  },
  "steps without edges run from the start": {
    steps: [input("in", to("a")), give("a"), give("alone")],
    gives: "succeeded: +in +a +alone",
    output: { a: "a", alone: "alone" },
  },
  "step keys can differ by case and name Object.prototype members": {
    steps: [
      give("a", to("A")),
      give("A", to("valueOf")),
      give("valueOf", to("constructor", "toString")),
      give("constructor"),
      give("toString"),
    ],
    gives: "succeeded: +a +A +valueOf +constructor +toString",
    output: { constructor: "constructor", toString: "toString" },
  },
};

describe("a graph", () => {
  it.each(Object.entries(CASES))("gives the expected run: %s", async (_, { steps, gives, output, input, start }) => {
    const run = await service.run(steps, input, start === undefined ? {} : { step_key: start });
    expect(describeRun(run)).toBe(gives);
    expect(run.output).toEqual(output);
  });

  it("takes the first true condition of a branch by its order field", async () => {
    const conditions = {
      third: { condition: "true", destinations: ["c"], order: 30 },
      first: { condition: "input.n > 10", destinations: ["a"], order: -1 },
      second: { condition: "input.n > 5", destinations: ["b"], order: 2.5 },
    };
    const steps: Step[] = [input("in"), { type: "branch", key: "p", conditions }, give("a"), give("b"), give("c")];
    const workflow = await service.deploy([input("in", to("p")), ...steps.slice(1)]);
    for (const [n, taken] of [
      [11, "first"],
      [6, "second"],
      [1, "third"],
    ] as const) {
      const run = await service.runOf(workflow, { n });
      expect(run.steps.find(({ key }) => key === "p")?.output).toEqual({ taken });
    }
  });

  it("runs 500 parallel steps", async () => {
    const keys = Array.from({ length: 500 }, (_, index) => `s${index}`);
    const run = await service.run([
      input("in", to(...keys)),
      ...keys.map((key) => give(key, to("join"))),
      give("join", {}, "all"),
    ]);
    expect(run).toMatchObject({ status: "succeeded", output: "all" });
  });

  it("runs chains of 1,000 steps and of 1,000 notes", async () => {
    const chain = Array.from({ length: 1_000 }, (_, index) => give(`s${index}`));
    expect(await service.run(chain)).toMatchObject({ status: "succeeded", output: "s999" });
    const notes = Array.from({ length: 1_000 }, (_, index) => note(`n${index}`));
    expect(await service.run([...notes, give("end")])).toMatchObject({ status: "succeeded", output: "end" });
  });
});
