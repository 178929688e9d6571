/** Which steps a step can read: those before it, independent of timing and of the start of the run. */

import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue, Run, Step } from "../../src/index.ts";
import {
  branch,
  give,
  input,
  openService,
  type Service,
  scripted,
  statuses,
  step,
  to,
} from "../support/engine/service.ts";
import { createGate, type Gate } from "../support/gate.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A service whose code steps `wait NAME` end when the test releases NAME, and whose `see` steps return `steps`. */
async function open(): Promise<Service & { release(name: string): void }> {
  const gates = new Map<string, Gate>();
  function gate(name: string) {
    const made = gates.get(name) ?? createGate();
    gates.set(name, made);
    return made;
  }
  const sandbox = scripted({
    wait: async (_, name) => {
      await gate(name).released;
      return name;
    },
    see: ({ globals }) => JSON.parse(JSON.stringify(globals["steps"])) as JsonValue,
  });
  const service = await openService({ sandbox });
  closers.push(() => service.stepwell.close());
  return { ...service, release: (name) => gate(name).release() };
}

const held = (key: string, more: Parameters<typeof give>[1] = {}): Step => ({
  type: "code",
  key,
  code: `wait ${key}`,
  ...more,
});
const see = (key: string, more: Parameters<typeof give>[1] = {}): Step => ({ type: "code", key, code: "see", ...more });
const isSettled = (run: Run, key: string) => !["pending", "running", "waiting"].includes(step(run, key).status);

async function errorsOf({ stepwell, app, draft }: Service, steps: readonly Step[]) {
  return (await stepwell.workflows.validate(app, await draft(steps))).errors;
}

describe("a run that starts at a later input step", () => {
  it("passes its start once the steps before it have ended", async () => {
    const service = await open();
    const { id } = await service.start([
      held("u", to("s")),
      input("s", to("p")),
      give("p", to("x")),
      give("x", { conditional: "steps.u.output == 'u'" }),
    ]);
    expect(statuses(await service.get(id))).toEqual({ u: "running", s: "pending", p: "pending", x: "pending" });
    service.release("u");
    expect(await service.wait(id)).toMatchObject({ status: "succeeded", output: "x" });
  });

  it("shows skipped steps before its start, including to expressions", async () => {
    const service = await open();
    const run = await service.run(
      [
        input("one", to("a")),
        give("a", to("two")),
        input("two", to("check")),
        branch("check", { skipped: ["steps.a.status == 'skipped' && steps.one.output == null", "b"] }),
        give("b"),
      ],
      {},
      { step_key: "two" },
    );
    expect(run.error).toBeNull();
    expect(statuses(run)).toEqual({
      one: "skipped",
      a: "skipped",
      two: "succeeded",
      check: "succeeded",
      b: "succeeded",
    });
  });

  it("skips input steps before its start", async () => {
    const service = await open();
    const run = await service.start(
      [give("root"), input("one"), give("a"), input("two"), give("b")],
      {},
      { step_key: "two" },
    );
    const ended = await service.wait(run.id);
    expect(statuses(ended)).toEqual({
      root: "succeeded",
      one: "skipped",
      a: "skipped",
      two: "succeeded",
      b: "succeeded",
    });
  });

  it("is rejected at deployment if an expression uses a step that it doesn't wait for", async () => {
    const service = await open();
    const steps = [
      give("root", to("one")),
      input("one"),
      input("two"),
      give("x", { input_connected: true, conditional: "steps.one.output == null" }),
    ];
    expect(await errorsOf(service, steps)).toEqual([
      {
        pointer: "/steps/3/conditional",
        message:
          'A run that starts at "two" does not wait for the step "one" here. Add "x" to the destinations of "one".',
      },
    ]);
  });

  it("may use the input step of another start in an expression", async () => {
    const service = await open();
    const steps = [
      input("one"),
      input("two"),
      { ...branch("x", { skipped: ["steps.one.status == 'skipped'"] }), input_connected: true },
    ];
    expect(await errorsOf(service, steps)).toEqual([]);
    const run = await service.run(steps, {}, { step_key: "two" });
    expect(run.output).toEqual({ taken: "skipped" });
  });
});

describe("the steps that code sees", () => {
  const graph = (seeing: Step): Step[] => [
    input("in", to("a", "b")),
    held("a", to(seeing.key)),
    give("b", to("later")),
    give("later"),
    seeing,
  ];

  it("are only those before it", async () => {
    const service = await open();
    const { id } = await service.start(graph(see("seeing")));
    await service.until(id, (run) => isSettled(run, "later"));
    service.release("a");
    const run = await service.wait(id);
    expect(Object.keys(step(run, "seeing").output as JsonObject)).toEqual(["in", "a"]);
  });

  it("have the same fields as in expressions, without logs and with dates as strings", async () => {
    const service = await open();
    const echo = await service.deploy([input("in")]);
    const read = async (seeing: Step): Promise<JsonValue> => {
      const { id } = await service.start(graph(seeing));
      await service.until(id, (run) => isSettled(run, "later"));
      service.release("a");
      const { output } = step(await service.wait(id), seeing.key);
      return output;
    };
    const seen = (await read(see("seeing"))) as JsonObject;
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(seen["a"]).toEqual({
      status: "succeeded",
      output: "a",
      error: null,
      attempts: 1,
      started_at: instant,
      finished_at: instant,
    });
    const expressed = (await read({
      type: "workflow",
      key: "seeing",
      workflow_id: echo,
      input: { all: "{{ steps }}", text: "{{ steps.a.started_at }}" },
    })) as JsonObject;
    const shape = (value: JsonValue | undefined) =>
      Object.entries(value as JsonObject).map(([key, one]) => [key, Object.keys(one as JsonObject)]);
    expect(shape(expressed["all"])).toEqual(shape(seen));
    expect(expressed["text"]).toEqual(instant);
  });

  it("are the same for expressions with computed step keys", async () => {
    const service = await open();
    const echo = await service.deploy([input("in")]);
    const { id } = await service.start(
      graph({
        type: "workflow",
        key: "seeing",
        workflow_id: echo,
        input: { later: "{{ steps[input.key].?output.orValue('unseen') }}", known: "{{ 'later' in steps }}" },
      }),
      { key: "in" },
    );
    await service.until(id, (run) => isSettled(run, "later"));
    service.release("a");
    expect(step(await service.wait(id), "seeing").output).toEqual({ later: { key: "in" }, known: false });
  });

  it("include the previous iteration of its own step in a loop", async () => {
    const service = await open();
    const run = await service.run([
      input("in"),
      { ...see("again"), loop: "iteration == 2 && steps.again.status == 'succeeded'" },
    ]);
    expect(run.error).toBeNull();
    expect(run.output).toMatchObject({ again: { output: { in: { status: "succeeded" } } } });
  });
});
