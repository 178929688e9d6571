/** Deletion of what is in use. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, defineTrigger, type Options, type Step } from "../../src/index.ts";
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
