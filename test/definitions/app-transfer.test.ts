/** Export and import of whole apps, in process and over HTTP: schedules, tags, triggers and webhooks included. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTrigger, type Options, type Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { BASE, type CallApi, createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";

const crm = defineTrigger({
  ...{ name: "crm", config: v.object({ folder: v.string() }), connection: v.object({ password: v.string() }) },
  poll: () => ({ events: [] }),
});
const OPTIONS: Partial<Options> = { secret: "s".repeat(40), triggers: [crm] };
const CRM = { name: "Sales", service: "crm", credentials: { password: "a password" } };
const MAPPING = { type: "key", entity_path: "a:b", input_path: ["b"], name: "b" };
const start: Step = { type: "input", key: "start", input: { n: { type: "number", optional: true } } };

async function fill(callApi: CallApi, app: string) {
  const connection = await callApi("connections.create", app, CRM);
  const workflow = await callApi("workflows.create", app, { name: "Report", steps: [start] });
  const first = await callApi("workflows.deploy", app, workflow.id);
  await callApi("workflows.deploy", app, workflow.id);
  await callApi("workflows.deploy", app, workflow.id);
  const red = await callApi("tags.create", app, { name: "Red", color: "#f00" });
  const blue = await callApi("tags.create", app, { name: "Blue" });
  const trigger = { type: "crm", name: "From the CRM", connection_id: connection.id };
  const collection = await callApi("collections.create", app, {
    name: "Loans",
    tags: [blue.id, red.id],
    triggers: [{ ...trigger, config: { type: "crm", mappings: [MAPPING], folder: "in", interval: 60 } }],
  });
  const of = { workflow_id: workflow.id };
  const schedules = [
    await callApi("schedules.create", app, { ...of, every: 60, name: "Often", input: { n: 1 }, missed: "all" }),
    await callApi("schedules.create", app, { ...of, cron: "0 9 * * mon-fri", timezone: "Europe/Berlin", version: 2 }),
    await callApi("schedules.create", app, { ...of, at: "2999-01-01T00:00:00Z", paused: true, version: first.id }),
    await callApi("schedules.create", app, { ...of, every: 7_200, version: "draft", step_key: "start", key: "once" }),
  ];
  const url = "https://hooks.example/in?token=1";
  await callApi("webhooks.create", app, { url, events: ["record.*"], collection_id: collection.id });
  await callApi("webhooks.create", app, { url, events: ["run.failed"], workflow_id: workflow.id });
  await callApi("webhooks.create", app, { url, events: ["*"] });
  return { connection, workflow, collection, schedules, red, blue };
}

/** The document with the ids of the import in place of its own, without those that an import makes up. */
function renamed(value: unknown, ids: Record<string, string>): unknown {
  const text = Object.entries(ids).reduce((all, [old, now]) => all.replaceAll(old, now), JSON.stringify(value));
  return JSON.parse(text);
}

describeEachTransport("the export of an app", (open) => {
  it("moves all that the app defines to a new app, whose export is equal but for ids and numbers", async () => {
    const { callApi, app } = open(OPTIONS);
    const [from, to] = [await app(), await app()];
    await fill(callApi, from.id);
    const bundle = await callApi("apps.export", from.id);
    expect(JSON.stringify(bundle)).not.toMatch(/a password|whsec_/);
    await callApi("connections.create", to.id, CRM);
    const { ids } = await callApi("workflows.import", to.id, bundle);
    const again = await callApi("apps.export", to.id);
    const { workflows, ...rest } = again;
    const { workflows: exported, ...others } = renamed(bundle, ids) as typeof bundle;
    expect(rest).toEqual(others);
    expect(workflows).toEqual(exported);
    // Once more, from the copy: nothing is lost on the way.
    const third = await app();
    await callApi("connections.create", third.id, CRM);
    const copied = await callApi("workflows.import", third.id, again);
    expect(await callApi("apps.export", third.id)).toEqual(renamed(again, copied.ids));
  });

  it("restores schedules with new times, tags and triggers, which start disabled", async () => {
    const { callApi, app } = open(OPTIONS);
    const [from, to] = [await app(), await app()];
    const source = await fill(callApi, from.id);
    const bundle = await callApi("apps.export", from.id);
    await callApi("connections.create", to.id, CRM);
    const { ids } = await callApi("workflows.import", to.id, bundle);
    const [often, weekdays, paused, draft] = await Promise.all(
      source.schedules.map(({ id }: { id: string }) => callApi("schedules.get", to.id, ids[id])),
    );
    const workflow_id = ids[source.workflow.id];
    expect(often).toMatchObject({ workflow_id, name: "Often", every: 60, input: { n: 1 }, missed: "all" });
    expect(often).toMatchObject({ paused: false, last: null, revision: 1 });
    expect(Date.parse(often.next_at) - Date.parse(often.created_at)).toBe(60_000);
    expect(weekdays).toMatchObject({ cron: "0 9 * * mon-fri", timezone: "Europe/Berlin", paused: false });
    expect(paused).toMatchObject({ at: "2999-01-01T00:00:00.000Z", paused: true, next_at: null });
    expect(draft).toMatchObject({ version: "draft", step_key: "start" });
    const pinned = await callApi("workflows.getVersion", to.id, workflow_id, weekdays.version);
    expect(pinned.version).toBe(2);
    expect(paused.version).toMatch(/^workv_/);

    const collection = await callApi("collections.get", to.id, ids[source.collection.id]);
    expect(collection.tags).toMatchObject([{ name: "Blue" }, { name: "Red", color: "#f00" }]);
    expect(collection.triggers).toMatchObject([
      { name: "From the CRM", enabled: false, connection_id: ids[source.connection.id], config: { folder: "in" } },
    ]);
    expect(collection.triggers[0].collection_id).toBe(collection.id);
    const { id } = collection.triggers[0];
    await callApi("triggers.update", to.id, collection.id, id, { enabled: true });
  });

  it("restores webhooks with new secrets, which start off", async () => {
    const { callApi, app } = open(OPTIONS);
    const [from, to] = [await app(), await app()];
    const source = await fill(callApi, from.id);
    await callApi("connections.create", to.id, CRM);
    const { ids, webhooks } = await callApi("workflows.import", to.id, await callApi("apps.export", from.id));
    const { items } = await callApi("webhooks.list", to.id);
    expect(items.map(({ events }: { events: string[] }) => events)).toEqual([["*"], ["run.failed"], ["record.*"]]);
    for (const webhook of items) expect(webhook).toMatchObject({ enabled: false, off_reason: "paused" });
    expect(items[2]).toMatchObject({ collection_id: ids[source.collection.id], url: expect.stringContaining("token") });
    expect(webhooks).toHaveLength(3);
    for (const { id, secret } of webhooks) {
      expect(secret).toMatch(/^whsec_/);
      expect(await callApi("webhooks.get", to.id, id)).not.toHaveProperty("secret");
    }
    expect(await callApi("webhooks.update", to.id, webhooks[0].id, { enabled: true })).toMatchObject({ enabled: true });
  });

  it("leaves out what cannot work any more because what it uses was deleted", async () => {
    const { callApi, app } = open(OPTIONS);
    const [from, to] = [await app(), await app()];
    const source = await fill(callApi, from.id);
    const rule = { key: "r", name: "R", workflow_id: source.workflow.id, disabled: true };
    await callApi("collections.update", from.id, source.collection.id, { config: { rules: [rule] } });
    await callApi("workflows.remove", from.id, source.workflow.id, { force: true });
    await callApi("connections.remove", from.id, source.connection.id, { force: true });
    const bundle = await callApi("apps.export", from.id);
    expect(bundle.schedules).toEqual([]);
    expect(bundle.webhooks.map(({ events }: { events: string[] }) => events)).toEqual([["record.*"], ["*"]]);
    expect(bundle.collections).toMatchObject([{ triggers: [], config: { rules: [] } }]);
    await callApi("workflows.import", to.id, bundle);
  });

  it("is refused with JSON Pointers if it is hostile, and nothing is created", async () => {
    const { callApi, app } = open(OPTIONS);
    const [from, to] = [await app(), await app()];
    await fill(callApi, from.id);
    const bundle = await callApi("apps.export", from.id);
    await callApi("connections.create", to.id, CRM);
    const refused = (given: object) => refusal(callApi("workflows.import", to.id, { ...bundle, ...given }));
    const schedule = bundle.schedules.find(({ name }: { name: string }) => name === "Often");
    const [webhook] = bundle.webhooks;
    const [collection] = bundle.collections;
    const foreign = (prefix: string) => `${prefix}_${"0".repeat(26)}`;
    const schedules = (...changes: object[]) => ({
      schedules: changes.map((one, n) => ({ ...schedule, id: `${schedule.id.slice(0, -1)}${n}`, ...one })),
    });
    expect(await refused(schedules({ workflow_id: foreign("work") }, { cron: "x" }, { every: 0 }))).toBe(
      "422 invalid /schedules/2/every",
    );
    expect(await refused(schedules({ workflow_id: foreign("work") }, { cron: "x" }, { input: { m: 1 } }))).toBe(
      "422 invalid /schedules/0/workflow_id /schedules/1 /schedules/2/input/m",
    );
    expect(await refused(schedules({ version: 9 }, { version: foreign("workv") }, { step_key: "none" }))).toBe(
      "422 invalid /schedules/0/version /schedules/1/version /schedules/2/step_key",
    );
    expect(await refused({ schedules: [schedule, schedule] })).toBe("422 invalid /schedules/1/id");
    expect(await refused({ schedules: [{ ...schedule, id: "../x" }] })).toBe("422 invalid /schedules/0/id");
    expect(await refused({ webhooks: [{ ...webhook, url: "file:///etc/passwd" }] })).toBe(
      "422 invalid /webhooks/0/url",
    );
    expect(await refused({ webhooks: [{ ...webhook, collection_id: foreign("coll") }] })).toBe(
      "422 invalid /webhooks/0/collection_id",
    );
    expect(await refused({ webhooks: [{ ...webhook, events: ["run.failed"] }] })).toBe(
      "422 invalid /webhooks/0/events/0",
    );
    expect(await refused({ webhooks: [{ ...webhook, secret: "whsec_x" }] })).toBe("422 invalid /webhooks/0/secret");
    const [trigger] = collection.triggers;
    const triggers = (change: object) => ({ collections: [{ ...collection, triggers: [{ ...trigger, ...change }] }] });
    expect(await refused(triggers({ type: "none" }))).toBe("422 invalid /collections/0/triggers/0/type");
    expect(await refused(triggers({ connection_id: foreign("con") }))).toBe(
      "422 invalid /collections/0/triggers/0/connection_id",
    );
    expect(await refused({ collections: [{ ...collection, tags: [foreign("tag")] }] })).toBe(
      "422 invalid /collections/0/tags/0",
    );
    const many = Array.from({ length: 1_001 }, (_, n) => ({ name: "T", id: `tag_${String(n).padStart(26, "0")}` }));
    expect(await refused({ tags: many })).toBe("422 invalid /tags");
    const root = bundle.workflows[0].id;
    expect(await refused({ root })).toBe("422 invalid /tags /schedules /webhooks");
    expect(await refused({ reuse: [{ id: schedule.id, use_id: schedule.id }] })).toBe("422 invalid /reuse/0/id");
    for (const list of ["workflows", "collections", "schedules", "tags", "webhooks"]) {
      expect([list, (await callApi(`${list}.list`, to.id)).items]).toEqual([list, []]);
    }
  });
});

describe("the import of an app", () => {
  it("computes the next run of a schedule anew, and none for a time that has passed", async () => {
    const clock = createTestClock();
    const { stepwell, app } = createTestHost(true, { ...OPTIONS, clock });
    const [from, to] = [await app(), await app()];
    const { id: workflow_id } = await stepwell.workflows.create(from.id, { name: "W", steps: [start] });
    await stepwell.workflows.deploy(from.id, workflow_id);
    const at = new Date(clock.now() + 60_000).toISOString();
    const once = await stepwell.schedules.create(from.id, { workflow_id, at });
    const often = await stepwell.schedules.create(from.id, { workflow_id, every: 86_400 });
    await clock.advance("1h");
    const { ids } = await stepwell.workflows.import(to.id, await stepwell.apps.export(from.id));
    expect(await stepwell.schedules.get(to.id, ids[once.id] ?? "")).toMatchObject({ at, next_at: null, paused: false });
    expect((await stepwell.schedules.get(to.id, ids[often.id] ?? "")).next_at).toBe(
      new Date(clock.now() + 86_400_000).toISOString(),
    );
  });

  it("starts workflows on events, like a deployment", async () => {
    const { stepwell, app } = createTestHost(true, OPTIONS);
    const [from, to] = [await app(), await app()];
    const settings = { start_on: [{ name: "order.paid" }] };
    const { id } = await stepwell.workflows.create(from.id, { name: "W", steps: [start], settings });
    await stepwell.workflows.deploy(from.id, id);
    const { ids } = await stepwell.workflows.import(to.id, await stepwell.apps.export(from.id));
    await stepwell.events.emit(to.id, { name: "order.paid", payload: { n: 1 } });
    await expect
      .poll(async () => (await stepwell.runs.list(to.id, {})).items.map(({ workflow_id }) => workflow_id))
      .toEqual([ids[id]]);
  });

  it("with an Idempotency-Key returns the secrets of webhooks once, and creates nothing twice", async () => {
    const { stepwell, app } = createTestHost(true, OPTIONS);
    const [from, to] = [await app(), await app()];
    await stepwell.webhooks.create(from.id, { url: "https://hooks.example/", events: ["*"] });
    const body = JSON.stringify(await stepwell.apps.export(from.id));
    const repeat = async () => {
      const headers = {
        authorization: `Bearer ${to.key}`,
        "content-type": "application/json",
        "idempotency-key": "once",
      };
      const url = `${BASE}/apps/${to.id}/workflows/import`;
      const response = await stepwell.fetch(new Request(url, { method: "POST", headers, body }));
      return [response.status, await response.json()];
    };
    const [first, again] = [await repeat(), await repeat()];
    expect(first).toMatchObject([201, { webhooks: [{ secret: expect.stringMatching(/^whsec_/) }] }]);
    const { ids, webhooks, workflow_id } = first[1];
    expect(again).toEqual([201, { ids, workflow_id, webhooks: [{ id: webhooks[0].id, secret: null }] }]);
    expect((await stepwell.webhooks.list(to.id)).items).toHaveLength(1);
  });
});

describe("a key", () => {
  it("needs the scopes of schedules and webhooks to export and import them, and to read the events", async () => {
    const host = createTestHost(true, OPTIONS);
    const { stepwell } = host;
    const app = await host.app();
    const { id } = await stepwell.workflows.create(app.id, { name: "W", steps: [start] });
    await stepwell.schedules.create(app.id, { workflow_id: id, every: 60 });
    await stepwell.webhooks.create(app.id, { url: "https://hooks.example/", events: ["file.*"] });
    const bundle = await stepwell.apps.export(app.id);
    const call = async (
      method: string,
      path: string,
      scopes: Parameters<typeof stepwell.keys.create>[1]["scopes"],
      body?: unknown,
    ) => {
      const { key } = await stepwell.keys.create(app.id, { name: "k", ...(scopes === undefined ? {} : { scopes }) });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return (await stepwell.fetch(new Request(`${BASE}${path}`, init))).status;
    };
    const exported = `/apps/${app.id}/export`;
    expect(await call("GET", exported, ["workflows:read", "schedules:read"])).toBe(403);
    expect(await call("GET", exported, ["workflows:read", "webhooks:read"])).toBe(403);
    expect(await call("GET", exported, ["workflows:read", "schedules:read", "webhooks:read"])).toBe(200);
    const imported = `/apps/${app.id}/workflows/import`;
    const write = ["workflows:write", "schedules:write", "webhooks:write"] as const;
    expect(await call("POST", imported, ["workflows:write", "schedules:write"], bundle)).toBe(403);
    expect(await call("POST", imported, ["workflows:write", "webhooks:write", "files:read"], bundle)).toBe(403);
    expect(await call("POST", imported, [...write], bundle)).toBe(403);
    expect(await call("POST", imported, [...write, "files:read"], bundle)).toBe(201);
  });
});
