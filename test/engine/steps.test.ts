/** The fields that every step has: `conditional`, `loop`, `throw_on_error`; and outputs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue, Step } from "../../src/index.ts";
import {
  branch,
  fail,
  give,
  input,
  note,
  openService,
  type Service,
  scripted,
  statuses,
  step,
} from "../support/engine/service.ts";

let service: Service;
beforeAll(async () => {
  service = await openService({ sandbox: scripted(SCRIPTS) });
});
afterAll(() => service.stepwell.close());

/** Outputs that only a sandbox of the host could return: QuickJS returns plain JSON. */
const ODD: Readonly<Record<string, () => unknown>> = {
  bigint: () => ({ a: [10n] }),
  nan: () => Number.NaN,
  date: () => new Date(0),
  fn: () => () => 1,
  circular() {
    const ring: Record<string, unknown> = {};
    ring["ring"] = ring;
    return ring;
  },
  nothing: () => undefined,
  gap: () => ({ a: undefined, b: 1 }),
  limit: () => "x".repeat(10 * 1024 * 1024 - 2),
  over: () => "x".repeat(10 * 1024 * 1024 - 1),
  thrownText() {
    throw "just text";
  },
  thrownNull() {
    throw null;
  },
  noMessage() {
    throw new TypeError();
  },
};
const SCRIPTS = { ...ODD, count: ({ globals }: { globals: object }) => Object.keys(globals) };

const code = (key: string, code: string, more: Partial<Step> = {}): Step =>
  ({ ...more, type: "code", key, code }) as Step;

describe("conditional", () => {
  it.each([
    ["true", "succeeded"],
    ["false", "skipped"],
    ["input.n > 5", "skipped"],
    ["input.n == 3 && !(input.text in ['a', 'b'])", "succeeded"],
    ["has(input.gone)", "skipped"],
  ])("%s makes the step %s", async (conditional, status) => {
    const run = await service.run([input("in"), give("a", { conditional }), give("b")], { n: 3, text: "c" });
    expect(statuses(run)).toEqual({ in: "succeeded", a: status, b: "succeeded" });
    expect(step(run, "a").output).toBe(status === "skipped" ? null : "a");
  });

  it.each(["input.n", "('true')", "(null)", "input.gone"])(
    "%s fails the step, because it is not a boolean",
    async (conditional) => {
      const steps = [input("in"), give("a", { conditional })];
      const run = await service.run(steps, { n: 1 });
      expect(run).toMatchObject({ status: "failed", error: { code: "expression_failed", step: "a" } });
      expect(step(run, "a")).toMatchObject({ status: "failed", output: null, error: { code: "expression_failed" } });
    },
  );

  it("sees status, error and output of earlier steps", async () => {
    const run = await service.run([
      fail("a", { throw_on_error: false }),
      give("b", {
        conditional: "steps.a.status == 'failed' && steps.a.error.code == 'code_failed' && steps.a.output == null",
      }),
      give("c", { conditional: "false" }),
      give("d", { conditional: "steps.c.status == 'skipped' && steps.b.error == null" }),
    ]);
    expect(statuses(run)).toEqual({ a: "failed", b: "succeeded", c: "skipped", d: "succeeded" });
  });
});

describe("throw_on_error", () => {
  it("is true by default: an error fails the run and cancels parallel steps", async () => {
    for (const more of [{}, { throw_on_error: true }]) {
      const run = await service.run([
        input("in", { destinations: ["bad", "slow"] }),
        fail("bad", more),
        code("slow", "hang", { destinations: ["after"] }),
        give("after"),
      ]);
      expect(run).toMatchObject({
        status: "failed",
        output: null,
        error: { code: "code_failed", message: "bad broke", step: "bad" },
      });
      expect(statuses(run)).toEqual({ in: "succeeded", bad: "failed", slow: "canceled", after: "canceled" });
    }
  });

  it("false keeps the error in the step and continues the run", async () => {
    const run = await service.run(
      [
        fail("bad", { throw_on_error: false }),
        branch("was", { bad: ["steps.bad.error.message == 'bad broke'", "next"] }),
        give("next"),
      ].map((one): Step => (one.key === "bad" ? { ...one, destinations: ["was"] } : one)),
    );
    expect(run).toMatchObject({ status: "succeeded", output: "next", error: null });
    expect(step(run, "bad")).toMatchObject({
      status: "failed",
      output: null,
      attempts: 1,
      error: { code: "code_failed", message: "bad broke" },
    });
    expect(step(run, "bad").error).not.toHaveProperty("step");
  });

  it("reports any thrown value as a message", async () => {
    for (const [name, message] of [
      ["thrownText", /just text/],
      ["thrownNull", /null/],
      ["noMessage", /TypeError/],
    ] as const) {
      const run = await service.run([code("a", name)]);
      expect(run.error?.message).toMatch(message);
      expect(run.error?.code).toMatch(/^[a-z_]+$/);
    }
  });
});

describe("the output of a code step", () => {
  it.each([
    ["bigint", "invalid_output"],
    ["nan", "invalid_output"],
    ["date", "invalid_output"],
    ["fn", "invalid_output"],
    ["circular", "invalid_output"],
    ["over", "output_limit"],
  ])("of the kind %s fails the step with %s", async (name, expected) => {
    expect((await service.run([code("a", name)])).error).toMatchObject({ code: expected, step: "a" });
  });

  it.each([
    ["nothing", null],
    ["gap", { b: 1 }],
    ["limit", "x".repeat(10 * 1024 * 1024 - 2)],
  ])("of the kind %s is accepted", async (name, output) => {
    const run = await service.run([code("a", name)]);
    expect(run.status).toBe("succeeded");
    expect(JSON.stringify(run.output) === JSON.stringify(output)).toBe(true);
  });

  it("is returned unchanged, whatever it contains", async () => {
    const odd: JsonValue = {
      "": null,
      "{{ input.n }}": "{{ 1 + 1 }}",
      number: "123",
      truth: "true",
      zero: -0.5,
      "a.b/c~": [[], {}, [null]],
    };
    const run = await service.run([give("a", {}, odd)]);
    expect(run.output).toEqual(odd);
    expect((await service.get(run.id)).output).toEqual(odd);
  });
});

describe("loop", () => {
  it("repeats the step until it is true, with iterations counted from 1", async () => {
    const run = await service.run([give("a", { loop: "iteration == 3" })]);
    expect(step(run, "a")).toMatchObject({ status: "succeeded", output: "a", attempts: 3 });
  });

  it("executes the step at least once", async () => {
    expect(step(await service.run([give("a", { loop: "true" })]), "a").attempts).toBe(1);
  });

  it("sees the outputs of this iteration and the previous one", async () => {
    let calls = 0;
    const counting = await openService({ sandbox: scripted({ next: () => ++calls * 10 }) });
    const run = await counting.run([
      code("a", "next", { loop: "previous != null && output - previous == 10 && iteration >= 4" }),
      give("b"),
    ]);
    expect(run.status).toBe("succeeded");
    expect(step(run, "a")).toMatchObject({ output: 40, attempts: 4 });
    await counting.stepwell.close();
  });

  it("fails the step after 1,000 iterations", async () => {
    const run = await service.run([give("a", { loop: "iteration < 0" })]);
    expect(run).toMatchObject({ status: "failed", error: { code: "loop_limit", step: "a" } });
    expect(step(run, "a")).toMatchObject({ status: "failed", output: null, attempts: 1_000 });
  });

  it("ends at the first failure, which throw_on_error can tolerate", async () => {
    const run = await service.run([fail("a", { loop: "iteration == 3", throw_on_error: false }), give("b")]);
    expect(run).toMatchObject({ status: "succeeded", output: "b" });
    expect(step(run, "a")).toMatchObject({ status: "failed", attempts: 1 });
  });

  it("has one budget of operations for the condition in all iterations", async () => {
    const costly = "range(0, 100000).all(i, i >= 0) && false"; // several hundred thousand operations
    const run = await service.run([give("a", { loop: costly })]);
    expect(run).toMatchObject({
      status: "failed",
      error: { code: "expression_failed", message: expect.stringContaining("limit of 4,000,000 operations") },
    });
    expect(step(run, "a").attempts).toBeLessThan(40);
  });

  it.each(["(1)", "output.gone", "iteration"])("%s fails the step, because it is not a boolean", async (loop) => {
    expect((await service.run([give("a", { loop }, {})])).error).toMatchObject({
      code: "expression_failed",
      step: "a",
    });
  });

  it("is ignored when conditional skips the step", async () => {
    expect(statuses(await service.run([give("a", { loop: "iteration < 0", conditional: "false" })]))).toEqual({
      a: "skipped",
    });
  });

  it("works on a note and on a branch", async () => {
    const run = await service.run([
      { ...note("n", { loop: "iteration == 2" }), destinations: ["p"] },
      branch("p", { yes: ["true", "x"] }, ["y"], { loop: "iteration == 2 && output.taken == 'yes'" }),
      give("x"),
      give("y"),
    ]);
    expect(statuses(run)).toEqual({ n: "succeeded", p: "succeeded", x: "succeeded", y: "skipped" });
  });
});
