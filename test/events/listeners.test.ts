/** Listeners in process: called with every kind of event, after its change is stored. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { EVENT_DATA } from "../../src/events/event.ts";
import { createStepwell, type StepwellEvent } from "../../src/index.ts";
import { fail, give, input, openService, silent, to } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";

const RECORD = { record: { type: "object", fields: {}, additional_fields: true } } as const;

/** A service, and the events that its listener gets. */
async function openWithListener(options: Parameters<typeof openService>[0] = {}, knownApp?: string) {
  const service = await openService(options, knownApp);
  const events: StepwellEvent[] = [];
  const off = service.stepwell.on("*", (event) => events.push(event));
  return { ...service, events, off, types: () => events.map(({ type }) => type) };
}

it("calls listeners with the events of records and their rules, in order", async () => {
  const { stepwell, app, deploy, events, types } = await openWithListener();
  const workflow = await deploy([
    input("start", { ...to("check"), input: RECORD }),
    give("check", {}, { passed: false }),
  ]);
  const broken = await deploy([input("start", { ...to("check"), input: RECORD }), fail("check")]);
  const rules = [
    { key: "checks", name: "Checks", workflow_id: workflow, on_fail: "WARN" as const },
    { key: "breaks", name: "Breaks", workflow_id: broken, execution_order: "after-all" as const },
  ];
  const { id } = await stepwell.collections.create(app, { name: "Loans", config: { rules } });
  events.length = 0;
  const record = await stepwell.records.create(app, id, { data: { loan: { amount: 1 } } });
  await stepwell.records.update(app, id, record.id, { data: { loan: { amount: 1 } } });
  await stepwell.collections.update(app, id, { config: { rules: [] } });
  await stepwell.records.update(app, id, record.id, { data: { loan: { amount: 2 } } });
  await stepwell.records.remove(app, id, record.id);
  expect(types().filter((type) => !type.startsWith("run."))).toEqual([
    ...["record.created", "rule.warned", "rule.error", "collection.updated", "record.updated", "record.deleted"],
  ]);
  const about = events.filter(({ type }) => type.startsWith("record."));
  expect(about.map(({ data }) => data)).toMatchObject([
    { id: record.id, collection_id: id, version: 1, data: { loan: { amount: 1 } }, tags: [] },
    { id: record.id, collection_id: id, version: 2, data: { loan: { amount: 2 } }, tags: [] },
    { id: record.id, collection_id: id, version: 2 },
  ]);
  expect(events.find(({ type }) => type === "rule.error")?.data).toMatchObject({ record_id: record.id, key: "breaks" });
  expect(events.every(({ app_id }) => app_id === app)).toBe(true);
  expect(events.map(({ id }) => id)).toEqual([...events.map(({ id }) => id)].sort());
  await stepwell.close();
});

it("calls listeners when the status of a run changes", async () => {
  const { stepwell, app, start, wait, until, types, events } = await openWithListener();
  const run = await start([input("start", to("ask")), input("ask", { input: { ok: { type: "boolean" } } })]);
  await until(run.id, ({ status }) => status === "waiting");
  await stepwell.runs.provide(app, run.id, "ask", { ok: true });
  await wait(run.id);
  expect(types().filter((type) => type !== "run.started")).toEqual([
    ...["workflow.deployed", "run.created", "run.waiting", "run.succeeded"],
  ]);
  events.length = 0;
  const failed = await start([input("start", to("bad")), fail("bad")]);
  await wait(failed.id);
  const canceled = await start([input("start", to("ask")), input("ask", { input: { ok: { type: "boolean" } } })]);
  await stepwell.runs.cancel(app, canceled.id);
  expect(types()).toContain("run.failed");
  expect(types()).toContain("run.canceled");
  expect(events.find(({ type }) => type === "run.failed")?.data).toMatchObject({ id: failed.id, status: "failed" });
  await stepwell.close();
});

it("passes data that match the schema of each type", async () => {
  const { stepwell, app, deploy, events, types } = await openWithListener();
  const file = await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array(3) });
  await stepwell.files.update(app, file.id, { name: "b.txt" });
  await stepwell.files.remove(app, file.id);
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  await stepwell.records.create(app, id, {});
  await stepwell.collections.update(app, id, { name: "Leases" });
  await stepwell.collections.remove(app, id);
  const workflow = await deploy([input("start")]);
  await stepwell.runs.create(app, workflow, { version: "draft" });
  await stepwell.workflows.rollback(app, workflow, 1);
  expect(types().filter((type) => !type.startsWith("run."))).toEqual([
    ...["file.created", "file.deleted", "collection.created", "record.created", "collection.updated"],
    ...["collection.deleted", "workflow.deployed", "workflow.deployed"],
  ]);
  for (const { type, data } of events) expect(v.safeParse(EVENT_DATA[type], data).issues, type).toBeUndefined();
  await stepwell.close();
});

it("passes only the ids of a record that exceeds 64 KiB of JSON", async () => {
  const { stepwell, app, events } = await openWithListener();
  const { id } = await stepwell.collections.create(app, { name: "Texts" });
  for (const [text, truncated] of [
    ["x".repeat(60_000), false],
    ["x".repeat(65_536), true],
    ["\u0000".repeat(11_000), true], // six bytes each
    ["ü".repeat(33_000), true],
  ] as const) {
    events.length = 0;
    const record = await stepwell.records.create(app, id, { data: { a: { text } } });
    expect(events[0]).toMatchObject({ type: "record.created", truncated });
    if (truncated) expect(events[0]?.data).toEqual({ id: record.id, collection_id: id, version: 1 });
  }
  await stepwell.close();
});

it("calls listeners of a type, of a group and of all, until they end it", async () => {
  const { stepwell, app, off, events } = await openWithListener();
  const seen: string[] = [];
  const endOne = stepwell.on("collection.created", ({ data }) => seen.push(`one ${data.name}`));
  const endGroup = stepwell.on("collection.*", ({ type }) => seen.push(`group ${type}`));
  await stepwell.collections.create(app, { name: "A" });
  endOne();
  endOne();
  const { id } = await stepwell.collections.create(app, { name: "B" });
  await stepwell.collections.remove(app, id);
  endGroup();
  off();
  await stepwell.collections.create(app, { name: "C" });
  expect(seen).toEqual(["one A", ...["created", "created", "deleted"].map((type) => `group collection.${type}`)]);
  expect(events).toHaveLength(3);
  for (const type of [
    "record.moved",
    "records.*",
    "",
    "record.",
    "*.created",
    "toString",
    null,
    undefined,
    5,
    Symbol("x"),
    1n,
    {},
    ["*"],
  ]) {
    expect(() => Reflect.apply(stepwell.on, null, [type, () => undefined])).toThrow(/not a type of event/);
  }
  expect(() => Reflect.apply(stepwell.on, null, ["*", "no function"])).toThrow(/must be a function/);
  await stepwell.close();
});

it("logs errors of listeners, which have no other effect, and isolates their changes", async () => {
  const logged: string[] = [];
  const { stepwell, app, events } = await openWithListener({
    logger: { ...silent, error: (text) => void logged.push(text) },
  });
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  stepwell.on("record.created", () => {
    throw new Error("broken");
  });
  stepwell.on("record.created", () => Promise.reject(new Error("broken later")));
  stepwell.on("record.created", ({ data }) => Object.assign(data.data ?? {}, { loan: "changed" }));
  const seen: unknown[] = [];
  stepwell.on("record.created", ({ data }) => seen.push(data.data));
  const record = await stepwell.records.create(app, id, { data: { loan: { amount: 1 } } });
  expect((await stepwell.records.get(app, id, record.id)).data).toEqual({ loan: { amount: 1 } });
  expect(seen).toEqual([{ loan: { amount: 1 } }]);
  await expect.poll(() => logged.filter((text) => text.includes("listener"))).toHaveLength(2);
  expect(events.some(({ type }) => type === "record.created")).toBe(true);
  await stepwell.close();
});

it("are not called for what was not stored, and are called for what is stored before the call returns", async () => {
  const data = new Map<string, string>();
  const first = await openWithListener({ storage: { entities: faultyDriver(data, "rejects", 0).driver } });
  const { id } = await first.stepwell.collections.create(first.app, { name: "Loans" });
  await first.stepwell.close();
  for (let at = 1; ; at++) {
    const faulty = faultyDriver(new Map(data), "rejects", at);
    const { stepwell, events } = await openWithListener({ storage: { entities: faulty.driver } }, first.app);
    let stored = false;
    await stepwell.records.create(first.app, id, { data: { a: { b: at } } }).then(
      () => {
        stored = true;
        expect(events.filter(({ type }) => type === "record.created")).toHaveLength(1);
      },
      () => expect(events.filter(({ type }) => type === "record.created")).toEqual([]),
    );
    const { calls } = faulty;
    await stepwell.close();
    if (stored && calls < at) return;
  }
});

it("publishes no events of the purge of a deleted app, even after a restart", async () => {
  const data = new Map<string, string>();
  const storage = () => ({ storage: { entities: faultyDriver(data, "rejects", 0).driver } });
  const { stepwell, app, events } = await openWithListener(storage());
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  for (let count = 0; count < 20; count++) await stepwell.records.create(app, id, {});
  events.length = 0;
  const removed = stepwell.apps.remove(app);
  await Promise.all([removed, removed.then(() => stepwell.close())]);
  expect(events).toEqual([]);
  const next = createStepwell({ logger: silent, ...storage() });
  const later: StepwellEvent[] = [];
  next.on("*", (event) => later.push(event));
  await next.ready();
  await expect.poll(() => [...data.values()].some((text) => text.includes(`["deleted-app:${app}",null`))).toBe(true);
  expect(later).toEqual([]);
  await next.close();
});
