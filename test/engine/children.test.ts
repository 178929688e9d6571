/** `workflow` steps: which version runs, what passes between parent and child run, and how deep they nest. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue, Run, Step, StepOf } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { fail, give, input, openService, type Service, statuses, step } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

type Call = Partial<StepOf<"workflow">>;
const call = (workflow_id: string, more: Call = {}): Step => ({
  type: "workflow",
  key: "call",
  input: {},
  workflow_id,
  ...more,
});

/** The child runs of a run. */
async function childrenOf(parent: Run): Promise<Run[]> {
  const { items } = await service.stepwell.runs.list(service.app, { take: 1_000 });
  const children = items.filter(({ parent_run_id }) => parent_run_id === parent.id);
  return Promise.all(children.map(({ id }) => service.get(id)));
}

describe("a workflow step", () => {
  it("starts a child run with its input and returns the output", async () => {
    const child = await service.deploy([input("in")], {
      input: { n: { type: "number" }, who: { type: "string", default: "me" } },
    });
    const run = await service.run([input("in"), call(child, { input: { n: "{{ input.n * 2 }}" } })], { n: 4 });
    expect(run).toMatchObject({ status: "succeeded", output: { n: 8, who: "me" }, parent_run_id: null });
    expect(await childrenOf(run)).toMatchObject([
      { workflow_id: child, parent_run_id: run.id, status: "succeeded", input: { n: 8 }, app_id: service.app },
    ]);
  });

  it("shows its child runs, and lists find them by step", async () => {
    const child = await service.deploy([give("a", {}, "one")]);
    const each = call(child, { key: "each", for_each: { items: "range(12)", concurrency: 4 } } as Call);
    const run = await service.run([input("in"), call(child, { key: "single" } as Call), each]);
    const { steps } = await service.get(run.id);
    const shown = Object.fromEntries(steps.map(({ key, child_runs }) => [key, child_runs]));
    expect(shown).toMatchObject({ single: { total: 1 }, each: { total: 12 } });
    expect(shown["in"]).toBeUndefined();
    expect(shown["each"]?.latest).toHaveLength(10);
    const { items } = await service.stepwell.runs.list(service.app, { parent_run_id: run.id, parent_step: "single" });
    expect(items.map(({ id }) => id)).toEqual(shown["single"]?.latest);
    expect(items[0]?.trigger).toEqual({ type: "workflow", id: run.id, step: "single" });
    await expect(service.stepwell.runs.list(service.app, { parent_step: "single" })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/parent_step" }],
    });
  });

  it("runs the latest version, the draft, or the given version", async () => {
    const child = await service.deploy([give("a", {}, "one")]);
    const first = await service.stepwell.workflows.getVersion(service.app, child, 1);
    for (const value of ["two", "draft"]) {
      await service.stepwell.workflows.putDraft(service.app, child, { steps: [give("a", {}, value)] });
      if (value === "two") await service.stepwell.workflows.deploy(service.app, child);
    }
    const gives = async (more: Call, given = {}) => (await service.run([input("in"), call(child, more)], given)).output;
    expect(await gives({})).toBe("two");
    expect(await gives({ workflow_version_id: "latest" })).toBe("two");
    expect(await gives({ workflow_version_id: "draft" })).toBe("draft");
    expect(await gives({ workflow_version_id: 1 })).toBe("one");
    expect(await gives({ workflow_version_id: "2" })).toBe("two");
    expect(await gives({ workflow_version_id: first.id })).toBe("one");
    expect(await gives({ workflow_version_id: "{{ input.v }}" }, { v: 1 })).toBe("one");
    expect(await gives({ workflow_id: "{{ input.w }}" }, { w: child })).toBe("two");
  });

  it("starts at the input step that step_key names", async () => {
    const child = await service.deploy([
      input("one", { destinations: ["a"] }),
      input("two", { destinations: ["b"] }),
      give("a"),
      give("b"),
    ]);
    expect((await service.run([call(child, { step_key: "two" })])).output).toEqual({ b: "b" });
    expect((await service.run([call(child, { step_key: null })])).output).toEqual({ a: "a" });
    expect((await service.run([call(child, { step_key: "three" })])).error).toMatchObject({
      code: "invalid",
      step: "call",
    });
  });

  it.each<[JsonValue, JsonValue]>([
    [null, {}],
    ['{"a": 1}', { a: 1 }],
    ["{{ input }}", { given: true }],
    ['{"a": {{ input.given }} }', { a: true }],
    [{ deep: [{ a: "{{ input.given }}" }] }, { deep: [{ a: true }] }],
  ])("accepts the input %j", async (given, seen) => {
    const child = await service.deploy([input("in")]);
    const step = call(child, { input: given as StepOf<"workflow">["input"] });
    expect((await service.run([input("in"), step], { given: true })).output).toEqual(seen);
  });

  it.each(["{{ 'text' }}", "{{ '[1]' }}", "{{ [1] }}", "{{ 1 }}"])(
    "fails for the input %j, which is not an object",
    async (given) => {
      const child = await service.deploy([input("in")]);
      expect((await service.run([call(child, { input: given })])).error).toMatchObject({
        code: "invalid",
        step: "call",
      });
    },
  );

  it("names the invalid field of the input", async () => {
    const child = await service.deploy([input("in")], { input: { amount: { type: "number" } } });
    const run = await service.run([call(child, { input: { amount: "much" } })]);
    expect(run.error).toMatchObject({ code: "invalid", step: "call" });
    expect(run.error?.message).toContain("/input/amount");
  });

  it("fails when the child run fails, with the path and the reason in its message", async () => {
    const child = await service.deploy([fail("inner")]);
    const middle = await service.deploy([call(child)]);
    const run = await service.run([call(middle)]);
    expect(run.error).toMatchObject({ code: "child_failed", step: "call" });
    const [inMiddle] = await childrenOf(run);
    const [inChild] = inMiddle === undefined ? [] : await childrenOf(inMiddle);
    expect(inMiddle?.error?.message).toBe(`Workflow "Test", step "inner" (${inChild?.id}): inner broke`);
    expect(run.error?.message).toBe(
      `Workflow "Test", step "call" > workflow "Test", step "inner" (${inChild?.id}): inner broke`,
    );
    const soft = await service.run([call(child, { throw_on_error: false }), give("after")]);
    expect(soft).toMatchObject({ status: "succeeded", output: "after" });
  });

  it("truncates long names and reasons of failed child runs", async () => {
    const child = await service.stepwell.workflows.create(service.app, {
      name: "n".repeat(256),
      steps: [{ type: "code", key: "k".repeat(128), code: `fail ${"very ".repeat(10_000)}` }],
    });
    await service.stepwell.workflows.deploy(service.app, child.id);
    const middle = await service.deploy([call(child.id)]);
    const { error } = await service.run([call(middle)]);
    expect(error?.message).toMatch(
      /^Workflow "Test", step "call" > workflow "n{80}…", step "k{80}…" \(run_\w+\): (very ){200}…$/,
    );
    expect(error?.message.length).toBeLessThan(1_400);
  });

  it("names a deleted workflow by its id when its run is canceled", async () => {
    const child = await service.deploy([input("in", { destinations: ["ask"] }), input("ask")]);
    const run = await service.start([call(child)]);
    await expect.poll(async () => (await childrenOf(run)).map(({ status }) => status)).toEqual(["waiting"]);
    const [waiting] = await childrenOf(run);
    await service.stepwell.workflows.remove(service.app, child, { force: true });
    await service.stepwell.runs.cancel(service.app, waiting?.id ?? "");
    expect((await service.wait(run.id)).error?.message).toBe(`Workflow "${child}" (${waiting?.id}) was canceled.`);
  });

  it("fails when its workflow is not deployed, missing or of another app", async () => {
    const undeployed = await service.draft([give("a")]);
    expect((await service.run([input("in"), call("{{ input.w }}")], { w: undeployed })).error).toMatchObject({
      code: "conflict",
    });
    expect((await service.run([input("in"), call("{{ input.w }}")], { w: "work_none" })).error).toMatchObject({
      code: "not_found",
    });
    const other = await openService();
    const foreign = await other.deploy([give("a")]);
    expect((await service.run([input("in"), call("{{ input.w }}")], { w: foreign })).error).toMatchObject({
      code: "not_found",
    });
    await other.stepwell.close();
  });

  it("fails at more than 16 levels", async () => {
    const { id } = await service.stepwell.workflows.create(service.app, { name: "Itself" });
    await service.stepwell.workflows.putDraft(service.app, id, {
      steps: [input("in"), call("{{ input.self }}", { input: "{{ input }}" })],
    });
    await service.stepwell.workflows.deploy(service.app, id);
    const run = await service.runOf(id, { self: id });
    expect(run).toMatchObject({ status: "failed", error: { code: "child_failed", step: "call" } });
    const way = `${'workflow "Itself", step "call" > '.repeat(15)}workflow "Itself", step "call" (run_`;
    expect(run.error?.message.toLowerCase()).toMatch(new RegExp(`^${way.toLowerCase().replace("(", "\\(")}`));
    expect(run.error?.message).toMatch(/must not be nested deeper than 16 levels\.$/);
    const { items } = await service.stepwell.runs.listOfWorkflow(service.app, id);
    expect(items).toHaveLength(17);
    expect(items.map(({ status }) => status)).toEqual(Array(17).fill("failed"));
  });

  it("starts a child run for each iteration of its loop", async () => {
    const child = await service.deploy([input("in")]);
    const run = await service.run([call(child, { loop: "iteration == 3", input: { n: "{{ iteration }}" } })]);
    expect(run.output).toEqual({ n: 3 });
    expect(await childrenOf(run)).toHaveLength(3);
  });
});

describe("canceling", () => {
  it("a run cancels its child runs on all levels", async () => {
    const slow = await service.deploy([{ type: "code", key: "slow", code: "hang" }]);
    const middle = await service.deploy([call(slow)]);
    const run = await service.start([call(middle)]);
    await expect.poll(async () => (await childrenOf(run)).length).toBe(1);
    const [child] = await childrenOf(run);
    if (child === undefined) throw new Error("no child");
    await expect.poll(async () => (await childrenOf(child)).length).toBe(1);
    expect(await service.stepwell.runs.cancel(service.app, run.id)).toMatchObject({ status: "canceled" });
    for (const parent of [run, child]) {
      await expect.poll(async () => (await childrenOf(parent)).map(({ status }) => status)).toEqual(["canceled"]);
    }
  });

  it("a run cancels a child run that is being stored at any moment", async () => {
    const slow = await service.deploy([{ type: "code", key: "slow", code: "hang" }]);
    const parent = await service.deploy([call(slow)]);
    for (let ticks = 0; ticks < 60; ticks++) {
      const run = await service.stepwell.runs.create(service.app, parent);
      for (let tick = 0; tick < ticks; tick++) await undefined;
      await service.stepwell.runs.cancel(service.app, run.id);
    }
    await turnEventLoop();
    const all = async () => (await service.stepwell.runs.listOfWorkflow(service.app, slow)).items;
    await expect.poll(async () => new Set((await all()).map(({ status }) => status))).toEqual(new Set(["canceled"]));
  });

  it("a child run fails the step of its parent", async () => {
    const slow = await service.deploy([{ type: "code", key: "slow", code: "hang" }]);
    const run = await service.start([call(slow)]);
    await expect.poll(async () => (await childrenOf(run)).length).toBe(1);
    for (const { id } of await childrenOf(run)) await service.stepwell.runs.cancel(service.app, id);
    expect(await service.wait(run.id)).toMatchObject({
      status: "failed",
      error: { code: "child_failed", step: "call" },
    });
  });

  it("happens to a child run when a parallel step fails the parent", async () => {
    const slow = await service.deploy([{ type: "code", key: "slow", code: "hang" }]);
    const run = await service.run([
      input("in", { destinations: ["call", "wait"] }),
      call(slow),
      { ...give("wait", { loop: "iteration == 20" }), destinations: ["bad"] },
      fail("bad"),
    ]);
    expect(statuses(run)).toEqual({ in: "succeeded", call: "canceled", wait: "succeeded", bad: "failed" });
    await expect.poll(async () => (await childrenOf(run)).map(({ status }) => status)).toEqual(["canceled"]);
    expect(step(run, "call").error).toBeNull();
  });
});

describe("closing the service", () => {
  it("does not wait for parents of waiting child runs; both resume in the next process", async () => {
    const data = new Map<string, string>();
    const storage = () => ({ entities: memory(data).driver });
    const first = await openService({ storage: storage() });
    const asks = await first.deploy([input("in"), input("ask", { input: { ok: { type: "boolean" } } })]);
    const parents = [];
    // Some are about to start their child run.
    for (let count = 0; count < 20; count++) {
      parents.push(await first.start([call(asks)]));
      await turnEventLoop(10 * (count % 3));
    }
    // The child runs would wait forever.
    await first.stepwell.close();

    const second = await openService({ storage: storage() }, first.app);
    const children = async () => (await second.stepwell.runs.listOfWorkflow(second.app, asks)).items;
    await expect.poll(async () => (await children()).filter(({ status }) => status === "waiting").length).toBe(20);
    for (const { id } of await children()) await second.stepwell.runs.provide(second.app, id, "ask", { ok: true });
    for (const { id } of parents) expect(await second.wait(id)).toMatchObject({ status: "succeeded" });
    await second.stepwell.close();
  });
});
