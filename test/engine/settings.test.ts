/** Settings of workflows: time limit, failure workflow and retention of runs. */
import { describe, expect, it } from "vitest";
import type { JsonObject, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import type { Settings } from "../../src/workflows/settings.ts";
import { fail, give, input, step } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

/** Returns its input, of any shape. */
const see: Step[] = [input("in")];
/** The same, with the field that a workflow with other fields needs. */
const seeField: Step[] = [
  input("in", {
    input: { note: { type: "string" }, run: { type: "object", fields: {}, additional_fields: true } },
  }),
];

async function open(clock = createTestClock(), data = new Map<string, string>(), app?: string, more = {}) {
  const service = await timedService(clock, data, more, app);
  const { stepwell, app: id } = service;
  return {
    ...service,
    clock,
    data,
    withSettings: (steps: Step[], settings: Settings) => service.deploy(steps, { settings }),
    create: async (workflow: string, given: JsonObject = {}) =>
      (await stepwell.runs.create(id, workflow, { input: given })).id,
    failures: async () => (await stepwell.runs.list(id, { trigger: "failure", order: "asc" })).items,
  };
}

describe("settings.timeout", () => {
  it("fails a run that takes longer, with its waits", async () => {
    const { withSettings, create, wait, clock } = await open();
    const ask: Step = { type: "input", key: "ask", input: {} };
    const id = await create(await withSettings([input("in"), ask], { timeout: 3_600 }));
    const ended = wait(id);
    await clock.advance("59m");
    await clock.advance("1m");
    expect((await ended).error).toEqual({ code: "run_timeout", message: "The run took longer than 3600 seconds." });
  });

  it("gives way to a shorter limit of the host", async () => {
    const more = { limits: { runTimeoutMs: 60_000 } };
    const { withSettings, create, wait, clock } = await open(createTestClock(), new Map(), undefined, more);
    const ended = wait(
      await create(await withSettings([{ type: "code", key: "c", code: "hang" }], { timeout: 3_600 })),
    );
    await clock.advance("1m");
    expect((await ended).error?.message).toBe("The run took longer than 60 seconds.");
  });
});

describe("settings.on_failure", () => {
  it("runs a workflow with the failed run, once, and never for canceled or succeeded runs", async () => {
    const { deploy, withSettings, create, wait, failures, stepwell, app } = await open();
    const handler = await deploy(seeField);
    const on_failure = { workflow_id: handler, input: { note: "help" } };
    const workflow = await withSettings([input("in"), fail("bad", { conditional: "input.fails" })], { on_failure });
    const id = await create(workflow, { fails: true });
    await wait(id);
    await expect.poll(async () => (await failures()).length).toBe(1);
    const [found] = await failures();
    expect(found).toMatchObject({ workflow_id: handler, trigger: { type: "failure", id } });
    const { output } = await wait(found?.id ?? "");
    expect(output).toMatchObject({
      note: "help",
      run: { id, status: "failed", input: { fails: true }, error: { code: "code_failed", step: "bad" } },
    });
    expect(Object.keys((output as JsonObject)["run"] as JsonObject)).not.toContain("steps");
    await wait(await create(workflow, { fails: false }));
    const hanging = await create(await withSettings([{ type: "code", key: "c", code: "hang" }], { on_failure }));
    await stepwell.runs.cancel(app, hanging);
    expect(await failures()).toHaveLength(1);
  });

  it("runs for a run that ends at once, for each failure after a retry, and with a timeout", async () => {
    const { deploy, withSettings, create, wait, failures, stepwell, app } = await open();
    const handler = await deploy(see);
    const atOnce: Step = { type: "note", key: "n", note: "", conditional: "input.missing" };
    const id = await create(await withSettings([input("in"), atOnce], { on_failure: { workflow_id: handler } }));
    expect((await wait(id)).status).toBe("failed");
    await expect.poll(async () => (await failures()).length).toBe(1);
    await stepwell.runs.retry(app, id);
    await wait(id);
    await expect.poll(async () => (await failures()).length).toBe(2);
  });

  it("never runs for the failure of what it started", async () => {
    const { deploy, withSettings, create, wait, failures, draft, stepwell, app } = await open();
    const self = await draft([input("in"), fail("bad")]);
    await stepwell.workflows.putDraft(app, self, {
      steps: [input("in"), fail("bad")],
      settings: { on_failure: { workflow_id: self } },
    });
    await stepwell.workflows.deploy(app, self);
    const child = await withSettings([input("in"), fail("bad")], { on_failure: { workflow_id: self } });
    const viaChild = await deploy([input("in"), { type: "workflow", key: "c", input: null, workflow_id: child }]);
    await wait(await create(await withSettings([fail("bad")], { on_failure: { workflow_id: viaChild } })));
    await wait(await create(self));
    await expect.poll(async () => (await failures()).map(({ status }) => status)).toEqual(["failed", "failed"]);
    // Another run shows that nothing else was due.
    await wait(await create(await withSettings([fail("bad")], { on_failure: { workflow_id: await deploy(see) } })));
    await expect.poll(async () => (await failures()).length).toBe(3);
  });

  it("survives the death of the process between the failure and its start, and starts once", async () => {
    const clock = createTestClock();
    const first = await open(clock);
    const handler = await first.deploy(see);
    const workflow = await first.withSettings([fail("bad")], { on_failure: { workflow_id: handler } });
    const copies: Map<string, string>[] = [];
    const { set } = first.data;
    first.data.set = (key, value) => {
      const result = set.call(first.data, key, value);
      copies.push(new Map(first.data));
      return result;
    };
    const id = await first.create(workflow);
    await first.wait(id);
    await expect.poll(async () => (await first.failures()).length).toBe(1);
    const [expected] = await first.failures();
    first.data.set = set;
    let starts = 0;
    for (const copy of copies) {
      const next = await open(createTestClock(new Date(clock.now()).toISOString()), copy, first.app);
      const found = await next.stepwell.runs.get(next.app, id).catch(() => null);
      if (found !== null) {
        await next.wait(id);
        await expect.poll(async () => (await next.failures()).map((run) => run.id)).toEqual([expected?.id]);
        starts++;
      }
      await next.close();
    }
    expect(starts).toBeGreaterThan(1);
  });

  it("that cannot be started is given up, and one that does not exist is refused at deployment", async () => {
    const { draft, withSettings, create, wait, failures, deploy } = await open();
    const undeployed = await draft(see);
    const picky = await deploy([input("in", { input: { other: { type: "string" } } })]);
    for (const workflow_id of [undeployed, picky]) {
      await wait(await create(await withSettings([fail("bad")], { on_failure: { workflow_id } })));
    }
    expect(await failures()).toEqual([]);
    await expect(withSettings([fail("bad")], { on_failure: { workflow_id: "work_none" } })).rejects.toMatchObject({
      errors: [{ pointer: "/settings/on_failure/workflow_id" }],
    });
  });
});

describe("settings.keep_runs", () => {
  it("deletes ended runs within an hour after that time, but not one that was retried", async () => {
    const { withSettings, create, wait, get, clock, stepwell, app, deploy } = await open();
    const settings = { keep_runs: 600 };
    const [gone, kept] = [
      await create(await withSettings([give("a")], settings)),
      await create(await deploy([give("a")])),
    ];
    const again = await create(await withSettings([{ type: "code", key: "c", code: "fail x" }], settings));
    for (const id of [gone, kept, again]) await wait(id);
    await clock.advance("9m");
    await stepwell.runs.retry(app, again);
    expect(step(await get(gone), "a").status).toBe("succeeded");
    await clock.advance("61m");
    await expect.poll(() => get(gone).catch(({ code }) => code)).toBe("not_found");
    expect((await get(kept)).status).toBe("succeeded");
    await clock.advance("61m");
    await expect.poll(() => get(again).catch(({ code }) => code)).toBe("not_found");
  });
});

it("settings are frozen into versions, and a rollback brings them back", async () => {
  const { withSettings, stepwell, app } = await open();
  const workflow = await withSettings([give("a")], { timeout: 60 });
  expect((await stepwell.workflows.getDraft(app, workflow)).settings).toEqual({ timeout: 60 });
  await stepwell.workflows.putDraft(app, workflow, { steps: [give("a")] });
  await stepwell.workflows.deploy(app, workflow);
  expect((await stepwell.workflows.getVersion(app, workflow, 1)).settings).toEqual({ timeout: 60 });
  expect((await stepwell.workflows.getVersion(app, workflow, 2)).settings).toBeUndefined();
  await stepwell.workflows.rollback(app, workflow, 1);
  expect((await stepwell.workflows.getVersion(app, workflow, 3)).settings).toEqual({ timeout: 60 });
});

it.each<[string, object, string]>([
  ["no time", { timeout: 0 }, "/settings/timeout"],
  ["two years", { timeout: 63_072_000 }, "/settings/timeout"],
  ["less than a minute", { keep_runs: 59 }, "/settings/keep_runs"],
  ["unknown settings", { retries: 3 }, "/settings/retries"],
  ["no failure workflow", { on_failure: {} }, "/settings/on_failure/workflow_id"],
])("settings with %s are refused", async (_, settings, pointer) => {
  const { withSettings } = await open();
  await expect(withSettings([give("a")], settings as Settings)).rejects.toMatchObject({ errors: [{ pointer }] });
});

it("a replay can have another input", async () => {
  const { deploy, create, wait, stepwell, app } = await open();
  const workflow = await deploy([input("in", { input: { n: { type: "number" } } })]);
  const id = await create(workflow, { n: 1 });
  expect((await wait((await stepwell.runs.replay(app, id, { input: { n: 2 } })).id)).output).toEqual({ n: 2 });
  expect((await wait((await stepwell.runs.replay(app, id)).id)).output).toEqual({ n: 1 });
});
