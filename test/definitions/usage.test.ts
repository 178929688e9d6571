/** Deletion of what is in use. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, defineTrigger, type Options, type Step } from "../../src/index.ts";
import { omitUndefined } from "../../src/json.ts";
import { BASE, createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";

const credentials = v.object({ password: v.string() });
const mail = defineService({
  name: "mail",
  connection: credentials,
  actions: { send: { input: v.object({}), output: v.null(), run: () => null } },
});
const crm = defineTrigger({ name: "crm", config: v.object({}), connection: credentials, poll: () => ({ events: [] }) });
const OPTIONS: Partial<Options> = { secret: "s".repeat(40), services: [mail], triggers: [crm] };
const MAPPING = { type: "field", entity_path: "a:b", input_path: ["b"], name: "b" };
const start: Step = { type: "input", key: "start", input: {} };

describeEachTransport("what is in use", (open) => {
  it("is deleted only with force, which pauses schedules and disables rules", async () => {
    const host = open(OPTIONS);
    const { callApi, stepwell } = host;
    const { id: app } = await host.app();
    const { id } = await callApi("workflows.create", app, { name: "Used", steps: [start] });
    await callApi("workflows.deploy", app, id);
    const schedule = await callApi("schedules.create", app, { workflow_id: id, every: 60, name: "Hourly" });
    const paused = await callApi("schedules.create", app, { workflow_id: id, every: 60, paused: true });
    const rule = { key: "check", name: "Check", workflow_id: id };
    const other = { ...rule, key: "off", disabled: true };
    const collection = await callApi("collections.create", app, { name: "C", config: { rules: [rule, other] } });
    const steps: Step[] = [start, { type: "workflow", key: "run", workflow_id: id, input: {} }];
    const parent = await callApi("workflows.create", app, { name: "Parent", steps });
    await callApi("workflows.create", app, { name: "Only a draft", steps });
    await callApi("workflows.deploy", app, parent.id);

    expect(await refusal(callApi("workflows.remove", app, id))).toBe("409 conflict");
    const refused = await stepwell.workflows.remove(app, id).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: expect.stringContaining("in use by 3 resources"),
      users: [
        { type: "schedule", id: schedule.id, name: "Hourly" },
        { type: "rule", id: "check", name: "Check", collection_id: collection.id },
        { type: "workflow", id: parent.id, name: "Parent" },
      ],
    });
    expect(await refusal(callApi("workflows.remove", app, id, { force: true, expected_revision: 7 }))).toBe(
      "412 precondition_failed",
    );
    expect(await callApi("schedules.get", app, schedule.id)).toMatchObject({ paused: false });

    await callApi("workflows.remove", app, id, { force: true });
    expect(await refusal(callApi("workflows.get", app, id))).toBe("404 not_found");
    expect(await callApi("schedules.get", app, schedule.id)).toMatchObject({ paused: true, next_at: null });
    expect(await callApi("schedules.get", app, paused.id)).toMatchObject({ paused: true });
    const { config } = await callApi("collections.get", app, collection.id);
    expect(config.rules).toMatchObject([{ disabled: true }, { disabled: true }]);
  });

  it("includes collections and connections", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const { id: app } = await host.app();
    const connection = await callApi("connections.create", app, {
      name: "M",
      service: "mail",
      credentials: { password: "a password" },
    });
    const poll = await callApi("connections.create", app, {
      name: "P",
      service: "crm",
      credentials: { password: "a password" },
    });
    const trigger = { type: "crm", name: "T", connection_id: poll.id, config: { type: "crm", mappings: [MAPPING] } };
    const collection = await callApi("collections.create", app, { name: "C", triggers: [trigger] });
    const action = { service: "mail", action: "send", input: {}, connection_id: connection.id };
    const steps: Step[] = [
      start,
      { type: "service", key: "mail", service: action },
      { type: "code", key: "code", code: `return "${collection.id}"` },
    ];
    const { id } = await callApi("workflows.create", app, { name: "W", steps });
    await callApi("workflows.deploy", app, id);
    for (const [api, used] of [
      ["connections", connection],
      ["connections", poll],
      ["collections", collection],
    ] as const) {
      expect([api, await refusal(callApi(`${api}.remove`, app, used.id))]).toEqual([api, "409 conflict"]);
    }
    await callApi("connections.remove", app, poll.id, { force: true });
    const { triggers } = await callApi("collections.get", app, collection.id);
    expect(triggers).toMatchObject([{ enabled: false }]);
    await callApi("collections.remove", app, collection.id, { force: true });
    expect(await refusal(callApi("collections.remove", app, collection.id, { force: true }))).toBe("404 not_found");
    await callApi("workflows.putDraft", app, id, { steps: [start] });
    await callApi("workflows.deploy", app, id);
    await callApi("connections.remove", app, connection.id);
  });

  it("does not include a workflow that runs itself, nor other apps", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const [{ id: app }, { id: foreign }] = [await host.app(), await host.app()];
    const { id } = await callApi("workflows.create", app, { name: "Self", steps: [start] });
    const steps: Step[] = [start, { type: "workflow", key: "self", workflow_id: id, conditional: "false", input: {} }];
    await callApi("workflows.putDraft", app, id, { steps });
    await callApi("workflows.deploy", app, id);
    const code: Step[] = [start, { type: "code", key: "code", code: `return "${id}"` }];
    const other = await callApi("workflows.create", foreign, { name: "Foreign", steps: code });
    await callApi("workflows.deploy", foreign, other.id);
    expect(await refusal(callApi("workflows.remove", foreign, id, { force: true }))).toBe("404 not_found");
    await callApi("workflows.remove", app, id);
  });
});

describe("a resource with many users", () => {
  it("is deleted with force, however many there are, which pauses and disables all of them", async () => {
    const { stepwell, app: makeApp } = createTestHost(false, OPTIONS);
    const { id: app } = await makeApp();
    const { id: workflow_id } = await stepwell.workflows.create(app, { name: "W", steps: [start] });
    await stepwell.workflows.deploy(app, workflow_id);
    const rules = [{ key: "r", name: "R", workflow_id }];
    await Promise.all(
      Array.from({ length: 250 }, async () => {
        await stepwell.schedules.create(app, { workflow_id, every: 60 });
        await stepwell.collections.create(app, { name: "C", config: { rules } });
      }),
    );
    const refused = await stepwell.workflows.remove(app, workflow_id).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "conflict", message: expect.stringContaining("more than 100") });
    await stepwell.workflows.remove(app, workflow_id, { force: true });
    for (let page = 1; page <= 3; page++) {
      const schedules = (await stepwell.schedules.list(app, { page })).items;
      const collections = (await stepwell.collections.list(app, { page })).items;
      expect(schedules.length).toBeGreaterThan(0);
      expect(schedules.filter(({ paused }) => !paused)).toEqual([]);
      expect(collections.filter(({ config }) => config.rules.some(({ disabled }) => !disabled))).toEqual([]);
    }
  });

  it("loses its users when they stop using it: paused, disabled, deleted or deployed without it", async () => {
    const { stepwell, app: makeApp } = createTestHost(false, OPTIONS);
    const { id: app } = await makeApp();
    const { id: workflow_id } = await stepwell.workflows.create(app, { name: "W", steps: [start] });
    await stepwell.workflows.deploy(app, workflow_id);
    const isUsed = async () => {
      const refused: unknown = await stepwell.workflows
        .remove(app, workflow_id, { expected_revision: 99 })
        .catch(String);
      expect(refused).toContain("revision");
      const users = await stepwell.workflows.remove(app, workflow_id).then(
        () => [],
        (error: { users: { type: string }[] }) => error.users.map(({ type }) => type),
      );
      return users;
    };
    const paused = await stepwell.schedules.create(app, { workflow_id, every: 60 });
    const deleted = await stepwell.schedules.create(app, { workflow_id, every: 60 });
    const rule = { key: "r", name: "R", workflow_id };
    const collection = await stepwell.collections.create(app, { name: "C", config: { rules: [rule] } });
    const steps: Step[] = [start, { type: "workflow", key: "w", workflow_id, input: {} }];
    const parent = await stepwell.workflows.create(app, { name: "Parent", steps });
    await stepwell.workflows.deploy(app, parent.id);
    expect(await isUsed()).toEqual(["schedule", "schedule", "rule", "workflow"]);
    await stepwell.schedules.update(app, paused.id, { paused: true });
    await stepwell.schedules.remove(app, deleted.id);
    await stepwell.collections.remove(app, collection.id);
    expect(await isUsed()).toEqual(["workflow"]);
    await stepwell.collections.restore(app, collection.id);
    await stepwell.schedules.update(app, paused.id, { paused: false });
    await stepwell.workflows.putDraft(app, parent.id, { steps: [start] });
    await stepwell.workflows.deploy(app, parent.id);
    expect(await isUsed()).toEqual(["schedule", "rule"]);
    await stepwell.collections.update(app, collection.id, { config: { rules: [{ ...rule, disabled: true }] } });
    await stepwell.schedules.update(app, paused.id, { paused: true });
    await stepwell.workflows.remove(app, workflow_id);
  });

  it("is used by what an import creates", async () => {
    const { stepwell, app: makeApp } = createTestHost(false, OPTIONS);
    const { id: app } = await makeApp();
    const child = await stepwell.workflows.create(app, { name: "Child", steps: [start] });
    await stepwell.workflows.deploy(app, child.id);
    const steps: Step[] = [start, { type: "workflow", key: "w", workflow_id: child.id, input: {} }];
    const parent = await stepwell.workflows.create(app, { name: "Parent", steps });
    await stepwell.workflows.deploy(app, parent.id);
    const bundle = await stepwell.workflows.export(app, parent.id, "latest");
    const { workflow_id } = await stepwell.workflows.import(app, bundle);
    await stepwell.workflows.remove(app, parent.id);
    await expect(stepwell.workflows.remove(app, child.id)).rejects.toMatchObject({
      users: [{ type: "workflow", id: workflow_id, name: "Parent" }],
    });
    await stepwell.workflows.remove(app, workflow_id ?? "");
    await stepwell.workflows.remove(app, child.id);
  });
});

describe("what used a deleted resource", () => {
  it("can be restored, without what would use it, but cannot be resumed", async () => {
    const { stepwell, app: makeApp } = createTestHost(false, OPTIONS);
    const { id: app } = await makeApp();
    const { id: workflow_id } = await stepwell.workflows.create(app, { name: "W", steps: [start] });
    await stepwell.workflows.deploy(app, workflow_id);
    const other = await stepwell.workflows.create(app, { name: "Other", steps: [start] });
    const { id: connection_id } = await stepwell.connections.create(app, {
      ...{ name: "P", service: "crm", credentials: { password: "a password" } },
    });
    const collection = await stepwell.collections.create(app, {
      name: "C",
      config: {
        rules: [
          { key: "gone", name: "Gone", workflow_id },
          { key: "kept", name: "Kept", workflow_id: other.id },
        ],
      },
      triggers: [{ type: "crm", name: "T", connection_id, config: { type: "crm", mappings: [MAPPING] } }],
    });
    const schedule = await stepwell.schedules.create(app, { workflow_id, every: 60 });
    await stepwell.collections.remove(app, collection.id);
    await stepwell.workflows.remove(app, workflow_id, { force: true });
    await stepwell.connections.remove(app, connection_id);
    const { config, triggers } = await stepwell.collections.restore(app, collection.id);
    expect(config.rules.map(({ key, disabled }) => [key, disabled])).toEqual([
      ["gone", true],
      ["kept", false],
    ]);
    expect(triggers).toMatchObject([{ enabled: false }]);
    await expect(stepwell.schedules.update(app, schedule.id, { paused: false })).rejects.toMatchObject({
      ...{ code: "invalid", errors: [{ pointer: "/workflow_id" }] },
    });
    await stepwell.schedules.update(app, schedule.id, { name: "Old" });
  });
});

/** Creates a schedule and a rule of a workflow, and calls `remove` a number of turns later. Repeats this for 40 numbers. */
async function raceUsers<T>(
  { stepwell, app: makeApp }: ReturnType<typeof createTestHost>,
  remove: (app: string, workflow: string) => Promise<T>,
  check: (app: string, workflow: string, removed: T, made: { schedule?: string; collection?: string }) => Promise<void>,
): Promise<void> {
  const { id: app } = await makeApp();
  for (let turns = 0; turns < 40; turns++) {
    const { id: workflow_id } = await stepwell.workflows.create(app, { name: "W", steps: [start] });
    await stepwell.workflows.deploy(app, workflow_id);
    const rules = [{ key: "r", name: "R", workflow_id }];
    const created = Promise.allSettled([
      stepwell.schedules.create(app, { workflow_id, every: 60 }),
      stepwell.collections.create(app, { name: "C", config: { rules } }),
    ]);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const removed = await remove(app, workflow_id);
    const [schedule, collection] = (await created).map((one) =>
      one.status === "fulfilled" ? one.value.id : undefined,
    );
    await check(app, workflow_id, removed, omitUndefined({ schedule, collection }));
  }
}

describe("a deletion and new users at the same time", () => {
  it("never leave a user that is active without what it uses, whichever comes first", async () => {
    const host = createTestHost(false, OPTIONS);
    const { workflows } = host.stepwell;
    const outcomes = new Set<boolean>();
    const remove = async (app: string, id: string) =>
      workflows
        .remove(app, id)
        .then(() => true)
        .catch(() => false);
    await raceUsers(host, remove, async (app, id, isRemoved, made) => {
      expect(Object.keys(made).length > 0).toBe(!isRemoved);
      outcomes.add(isRemoved);
      if (!isRemoved) await workflows.remove(app, id, { force: true });
    });
    expect(outcomes).toEqual(new Set([true, false]));
  });

  it("leave only paused schedules and disabled rules after a deletion with force", async () => {
    const host = createTestHost(false, OPTIONS);
    const { workflows, schedules, collections } = host.stepwell;
    const outcomes = new Set<boolean>();
    const removeTwice = (app: string, id: string) =>
      Promise.allSettled([1, 2].map(() => workflows.remove(app, id, { force: true })));
    await raceUsers(host, removeTwice, async (app, _, removals, { schedule, collection }) => {
      expect(removals.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const one of [schedule, collection]) outcomes.add(one !== undefined);
      if (schedule !== undefined) expect(await schedules.get(app, schedule)).toMatchObject({ paused: true });
      if (collection === undefined) return;
      expect((await collections.get(app, collection)).config.rules).toMatchObject([{ disabled: true }]);
    });
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

describe("a key", () => {
  it("sees the users that it may read, and needs the scopes to change them", async () => {
    const { stepwell, app: makeApp } = createTestHost(true, OPTIONS);
    const { id: app } = await makeApp();
    const { id } = await stepwell.workflows.create(app, { name: "W", steps: [start] });
    await stepwell.workflows.deploy(app, id);
    const schedule = await stepwell.schedules.create(app, { workflow_id: id, every: 60 });
    const remove = async (scopes: ("workflows:write" | "schedules:read" | "schedules:write")[], query = "") => {
      const { key } = await stepwell.keys.create(app, { name: "k", scopes });
      const init = { method: "DELETE", headers: { authorization: `Bearer ${key}` } };
      const response = await stepwell.fetch(new Request(`${BASE}/apps/${app}/workflows/${id}${query}`, init));
      const text = await response.text();
      return { status: response.status, problem: text === "" ? null : JSON.parse(text) };
    };
    const unseen = await remove(["workflows:write"]);
    expect([unseen.status, unseen.problem.users]).toEqual([409, undefined]);
    expect(unseen.problem.detail).toContain("in use by 1 resource");
    const seen = await remove(["workflows:write", "schedules:read"]);
    expect(seen.problem.users).toEqual([{ type: "schedule", id: schedule.id, name: null }]);
    expect((await remove(["workflows:write"], "?force=true")).status).toBe(403);
    expect((await stepwell.schedules.get(app, schedule.id)).paused).toBe(false);
    expect((await remove(["workflows:write", "schedules:write"], "?force=true")).status).toBe(204);
  });
});
