/** Who uses a workflow, a collection or a connection. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { type ApiKeyScope, defineService, type Step } from "../../src/index.ts";
import { BASE, createTestHost, describeEachTransport, type TestHost } from "../support/http/transports.ts";

const IN: Step = { type: "input", key: "in", input: {} };
const services = [
  defineService({
    name: "shop",
    connection: v.object({ password: v.string() }),
    actions: { charge: { input: v.object({}), output: v.null(), run: () => null } },
  }),
];

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const { stepwell } of hosts.splice(0)) await stepwell.close();
});

async function open(openHost: (options: object) => TestHost) {
  const host = openHost({ services, secret: "s".repeat(40) });
  hosts.push(host);
  const { stepwell } = host;
  const { id: app, key } = await host.app();
  async function deploy(name: string, steps: Step[]) {
    const { id } = await stepwell.workflows.create(app, { name, steps });
    await stepwell.workflows.deploy(app, id);
    return id;
  }
  return { ...host, app, key, deploy };
}

describeEachTransport("the uses", (openHost) => {
  it("of a workflow are its schedules, rules and the workflows that call it", async () => {
    const { stepwell, app, deploy, callApi } = await open(openHost);
    const id = await deploy("Used", [IN]);
    expect(await callApi("workflows.uses", app, id)).toEqual({ users: [], more: false });
    const schedule = await stepwell.schedules.create(app, { workflow_id: id, every: 3_600, name: "Hourly" });
    await stepwell.schedules.create(app, { workflow_id: id, every: 3_600, paused: true });
    const collection = await stepwell.collections.create(app, { name: "C" });
    await stepwell.rules.create(app, collection.id, { key: "check", name: "Check", workflow_id: id });
    const caller = await deploy("Calls", [
      { ...IN, destinations: ["call"] },
      { type: "workflow", key: "call", workflow_id: id, input: {} },
    ]);
    const { users, more } = await callApi("workflows.uses", app, id);
    expect(more).toBe(false);
    const listed = [
      { type: "schedule", id: schedule.id, name: "Hourly" },
      { type: "rule", id: "check", name: "Check", collection_id: collection.id },
      { type: "workflow", id: caller, name: "Calls" },
    ] as const;
    expect(users).toEqual([{ ...listed[0], version: "latest" }, { ...listed[1], version: "latest" }, listed[2]]);
    // The same as what the refused deletion lists.
    await expect(stepwell.workflows.remove(app, id)).rejects.toMatchObject({ code: "conflict", users: listed });
  });

  it("say which version of a workflow a schedule or a rule runs", async () => {
    const { stepwell, app, deploy, callApi } = await open(openHost);
    const id = await deploy("Used", [IN]);
    const first = await stepwell.workflows.getVersion(app, id, 1);
    await stepwell.schedules.create(app, { workflow_id: id, every: 3_600, version: 1 });
    await stepwell.schedules.create(app, { workflow_id: id, every: 3_600, version: "draft" });
    const collection = await stepwell.collections.create(app, { name: "C" });
    const fixed = { key: "fixed", name: "Fixed", workflow_id: id, workflow_version_id: first.id };
    await stepwell.rules.create(app, collection.id, fixed);
    const { users } = await callApi("workflows.uses", app, id);
    const versions = users.map(({ version }: { version?: string }) => version);
    expect(new Set(versions)).toEqual(new Set(["1", "draft", first.id]));
  });

  it("of a connection and a collection are the workflows that name them", async () => {
    const { stepwell, app, deploy, callApi } = await open(openHost);
    const given = { name: "Shop", service: "shop", credentials: { password: "p" } };
    const connection = await stepwell.connections.create(app, given);
    const { id: collection } = await stepwell.collections.create(app, { name: "C" });
    const user = await deploy(`Charges`, [
      { ...IN, destinations: ["charge", "code"] },
      {
        type: "service",
        key: "charge",
        service: { service: "shop", action: "charge", input: {}, connection_id: connection.id },
      },
      { type: "code", key: "code", code: `return "${collection}"` },
    ]);
    const expected = { users: [{ type: "workflow", id: user, name: "Charges" }], more: false };
    expect(await callApi("connections.uses", app, connection.id)).toEqual(expected);
    expect(await callApi("collections.uses", app, collection)).toEqual(expected);
  });

  it("are at most 100", async () => {
    const { stepwell, app, deploy, callApi } = await open(openHost);
    const id = await deploy("Used", [IN]);
    for (let n = 0; n < 101; n++) await stepwell.schedules.create(app, { workflow_id: id, every: 3_600 });
    const { users, more } = await callApi("workflows.uses", app, id);
    expect([users.length, more]).toEqual([100, true]);
  });

  it("of what does not exist, or was deleted, are not found", async () => {
    const { stepwell, app, callApi } = await open(openHost);
    const { id: collection } = await stepwell.collections.create(app, { name: "C" });
    await stepwell.collections.remove(app, collection);
    const other = await stepwell.apps.create({ name: "Other" });
    const { id: foreign } = await stepwell.workflows.create(other.id, { name: "W" });
    const missing = [
      callApi("collections.uses", app, collection),
      callApi("workflows.uses", app, foreign),
      callApi("connections.uses", app, "con_nothing"),
    ];
    for (const call of missing) await expect(call).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("over HTTP, the uses", () => {
  it("leave out what the key may not read", async () => {
    const { stepwell, app, deploy } = await open((options) => createTestHost(true, options));
    const id = await deploy("Used", [IN]);
    await stepwell.schedules.create(app, { workflow_id: id, every: 3_600 });
    async function get(...scopes: ApiKeyScope[]) {
      const { key } = await stepwell.keys.create(app, { name: "some", scopes });
      const headers = { authorization: `Bearer ${key}` };
      const response = await stepwell.fetch(new Request(`${BASE}/apps/me/workflows/${id}/uses`, { headers }));
      return response.status === 200 ? (await response.json()).users.length : response.status;
    }
    expect(await get("workflows:read", "schedules:read")).toBe(1);
    expect(await get("workflows:read")).toBe(0);
    expect(await get("schedules:read")).toBe(403);
  });
});
