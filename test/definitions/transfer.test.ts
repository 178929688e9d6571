/** Export and import of definitions, in process and over HTTP. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type Options, type Step } from "../../src/index.ts";
import { BASE, type CallApi, createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";

const mail = defineService({
  name: "mail",
  connection: v.object({ password: v.string() }),
  actions: { send: { input: v.object({ to: v.string() }), output: v.null(), run: () => null } },
});
const OPTIONS: Partial<Options> = { secret: "s".repeat(40), services: [mail] };
const MAIL = { name: "Sales", service: "mail", credentials: { password: "a password" } };
const start: Step = { type: "input", key: "start", input: {} };

/** An app with a workflow that refers to everything: `main` runs `child` and itself, and writes to a collection with a rule. */
async function fill(callApi: CallApi, app: string) {
  const connection = await callApi("connections.create", app, MAIL);
  const rule = await callApi("workflows.create", app, { name: "Rule", steps: [start] });
  await callApi("workflows.deploy", app, rule.id);
  const collection = await callApi("collections.create", app, {
    name: "Loans",
    description: "All",
    config: {
      rules: [{ key: "r", name: "R", workflow_id: rule.id }],
      mappings: [{ source_path: "a:b", destination_paths: ["c:d"] }],
      indexes: ["a:b"],
    },
  });
  const child = await callApi("workflows.create", app, { name: "Child", description: "Called", steps: [start] });
  const first = await callApi("workflows.deploy", app, child.id);
  await callApi("workflows.deploy", app, child.id, { notes: "second" });
  await callApi("workflows.deploy", app, child.id, { notes: "third" });
  const main = await callApi("workflows.create", app, { name: "Main", steps: [start] });
  const steps: Step[] = [
    start,
    { type: "workflow", key: "pinned", workflow_id: child.id, workflow_version_id: 2, input: {} },
    { type: "workflow", key: "named", workflow_id: child.id, workflow_version_id: first.id, input: {} },
    { type: "workflow", key: "latest", workflow_id: child.id, input: {} },
    { type: "workflow", key: "self", workflow_id: main.id, conditional: "false", input: {} },
    {
      type: "service",
      key: "mail",
      service: { service: "mail", action: "send", input: { to: "a" }, connection_id: connection.id },
    },
    { type: "code", key: "code", code: `return "${collection.id}"` },
  ];
  await callApi("workflows.putDraft", app, main.id, { steps, settings: { on_failure: { workflow_id: rule.id } } });
  const deployed = await callApi("workflows.deploy", app, main.id, { notes: "One" });
  return { connection, rule, collection, child, main, deployed, steps };
}

describeEachTransport("definitions", (open) => {
  it("move to another app with all that they refer to", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const [from, to] = [await host.app(), await host.app()];
    const source = await fill(callApi, from.id);
    const bundle = await callApi("workflows.export", from.id, source.main.id, "latest");
    expect(bundle).toMatchObject({ format: "stepwell", format_version: 1, root: source.main.id });
    expect(JSON.stringify(bundle)).not.toContain("a password");
    expect(bundle.connections).toEqual([{ id: source.connection.id, name: "Sales", service: "mail" }]);
    const connection = await callApi("connections.create", to.id, MAIL);
    const { workflow_id, ids } = await callApi("workflows.import", to.id, bundle);
    expect(ids).toMatchObject({ [source.main.id]: workflow_id, [source.connection.id]: connection.id });

    const main = await callApi("workflows.getVersion", to.id, workflow_id, "latest");
    expect(main).toMatchObject({
      version: 1,
      notes: "One",
      settings: { on_failure: { workflow_id: ids[source.rule.id] } },
    });
    const child = ids[source.child.id];
    expect(main.steps).toMatchObject([
      {},
      { workflow_id: child, workflow_version_id: 2 },
      {
        workflow_id: child,
        workflow_version_id:
          ids[source.steps[2]?.type === "workflow" ? String(source.steps[2].workflow_version_id) : ""],
      },
      { workflow_id: child },
      { workflow_id },
      { service: { connection_id: connection.id } },
      { code: `return "${ids[source.collection.id]}"` },
    ]);
    const versions = await callApi("workflows.listVersions", to.id, child);
    expect(versions.items.map(({ version, notes }: { version: number; notes: string }) => [version, notes])).toEqual([
      [3, "third"],
      [2, "second"],
      [1, null],
    ]);
    expect(await callApi("workflows.get", to.id, child)).toMatchObject({ name: "Child", description: "Called" });
    const collection = await callApi("collections.get", to.id, ids[source.collection.id]);
    expect(collection).toMatchObject({
      name: "Loans",
      config: {
        rules: [{ key: "r", workflow_id: ids[source.rule.id] }],
        mappings: [{ source_path: "a:b" }],
        indexes: ["a:b"],
      },
    });
    expect(JSON.stringify([main, collection])).not.toContain(source.main.id);
    expect((await callApi("collections.list", to.id)).items).toHaveLength(1);
    const draft = await callApi("workflows.getDraft", to.id, workflow_id);
    expect(draft.steps).toEqual(main.steps);
    // Deploying and running it works as if it had been written there.
    expect(await callApi("workflows.deploy", to.id, workflow_id)).toMatchObject({ version: 2 });
    const record = await callApi("records.create", to.id, collection.id, { data: { a: { b: 1 } } });
    expect(record.data).toEqual({ a: { b: 1 }, c: { d: 1 } });
  });

  it("of a workflow are copied within an app, using what the app has", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const app = await host.app();
    const source = await fill(callApi, app.id);
    const bundle = await callApi("workflows.export", app.id, source.main.id, 1);
    const { workflow_id, ids } = await callApi("workflows.import", app.id, bundle);
    expect(workflow_id).not.toBe(source.main.id);
    expect(ids[source.child.id]).toBe(source.child.id);
    const { steps } = await callApi("workflows.getVersion", app.id, workflow_id, 1);
    expect(steps[4]).toMatchObject({ key: "self", workflow_id });
    expect(steps.toSpliced(4, 1)).toEqual(source.deployed.steps.toSpliced(4, 1));
    expect((await callApi("workflows.list", app.id)).items).toHaveLength(4);
    expect((await callApi("collections.list", app.id)).items).toHaveLength(1);
  });

  it("of an app move as a whole, with drafts", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const [from, to] = [await host.app(), await host.app()];
    const source = await fill(callApi, from.id);
    await callApi("workflows.create", from.id, {
      name: "Unfinished",
      steps: [{ type: "code", key: "a", code: "return (" }],
    });
    await callApi("workflows.putDraft", from.id, source.child.id, { steps: [] });
    const bundle = await callApi("apps.export", from.id);
    await callApi("connections.create", to.id, MAIL);
    const { workflow_id, ids } = await callApi("workflows.import", to.id, bundle);
    expect(workflow_id).toBeNull();
    expect((await callApi("workflows.list", to.id)).items).toHaveLength(4);
    expect((await callApi("workflows.getDraft", to.id, ids[source.child.id])).steps).toEqual([]);
    const again = await callApi("apps.export", to.id);
    const renamed = (value: unknown) => {
      const texts = Object.entries(ids).reduce(
        (text, [old, now]) => text.replaceAll(old, String(now)),
        JSON.stringify(value),
      );
      return JSON.parse(texts);
    };
    const sorted = (given: { workflows: { id: string }[] }) => ({
      ...given,
      workflows: given.workflows.toSorted((one, other) => one.id.localeCompare(other.id)),
    });
    expect(sorted(again)).toEqual(sorted(renamed(bundle)));
  });

  it("use other resources of the app if told so", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const [from, to] = [await host.app(), await host.app()];
    const source = await fill(callApi, from.id);
    const bundle = await callApi("workflows.export", from.id, source.main.id, 1);
    const connection = await callApi("connections.create", to.id, { ...MAIL, name: "Another name" });
    const collection = await callApi("collections.create", to.id, { name: "Mine" });
    const reuse = [
      { id: source.connection.id, use_id: connection.id },
      { id: source.collection.id, use_id: collection.id },
    ];
    const { workflow_id } = await callApi("workflows.import", to.id, { ...bundle, reuse });
    const { steps } = await callApi("workflows.getVersion", to.id, workflow_id, 1);
    expect(steps[5].service.connection_id).toBe(connection.id);
    expect(steps[6].code).toContain(collection.id);
    const refused = (...given: object[]) => refusal(callApi("workflows.import", to.id, { ...bundle, reuse: given }));
    const foreign = { id: source.collection.id, use_id: source.collection.id };
    const unknown = { id: source.connection.id, use_id: "con_none" };
    expect(await refused(foreign, unknown)).toBe("422 invalid /reuse/0/use_id /reuse/1/use_id");
    expect(await refused({ id: connection.id, use_id: connection.id }, ...reuse, reuse[0] ?? {})).toBe(
      "422 invalid /reuse/0/id /reuse/3/id",
    );
  });

  it("are refused with pointers, and nothing is created", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const [from, to] = [await host.app(), await host.app()];
    const source = await fill(callApi, from.id);
    const bundle = await callApi("workflows.export", from.id, source.main.id, 1);
    const refused = (given: object) => refusal(callApi("workflows.import", to.id, { ...bundle, ...given }));
    expect(await refused({})).toBe("422 invalid /connections/0");
    await callApi("connections.create", to.id, MAIL);
    await callApi("connections.create", to.id, MAIL);
    expect(await refused({})).toBe("422 invalid /connections/0");
    const { items } = await callApi("connections.list", to.id);
    const reuse = [{ id: source.connection.id, use_id: items[0].id }];
    const index = bundle.workflows.findIndex(({ id }: { id: string }) => id === source.main.id);
    const broken = structuredClone(bundle.workflows);
    broken[index].versions[0].steps.push({ type: "code", key: "bad", code: "return (" });
    expect(await refused({ reuse, workflows: broken })).toBe(`422 invalid /workflows/${index}/versions/0/steps/7/code`);
    const rule = bundle.workflows.findIndex(({ id }: { id: string }) => id === source.rule.id);
    const without = bundle.workflows.toSpliced(rule, 1);
    expect(await refused({ reuse, workflows: without })).toMatch(
      /^422 invalid \/workflows\/\d\/versions\/0\/settings\/on_failure\/workflow_id \/collections\/0\/config\/rules\/0\/workflow_id$/,
    );
    expect(await refused({ reuse, workflows: [...bundle.workflows, bundle.workflows[0]] })).toContain(
      "422 invalid /workflows/3/id",
    );
    expect(await refused({ root: "work_00000000000000000000000000" })).toBe("422 invalid /root");
    expect(await refused({ format_version: 2 })).toBe("422 invalid /format_version");
    expect((await callApi("workflows.list", to.id)).items).toEqual([]);
    expect((await callApi("collections.list", to.id)).items).toEqual([]);
  });

  it("claim their webhooks once", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const app = await host.app();
    const hooked: Step = { type: "input", key: "start", input: {}, webhook: { method: "POST", path: "in" } };
    const { id } = await callApi("workflows.create", app.id, { name: "Hook", steps: [hooked] });
    await callApi("workflows.deploy", app.id, id);
    const bundle = await callApi("workflows.export", app.id, id, "latest");
    expect(await refusal(callApi("workflows.import", app.id, bundle))).toBe(
      "422 invalid /workflows/0/versions/0/steps/0/webhook",
    );
    const twice = JSON.parse(JSON.stringify(bundle).replaceAll("work", "work"));
    twice.workflows.push({
      ...twice.workflows[0],
      id: "work_00000000000000000000000001",
      versions: [{ ...twice.workflows[0].versions[0], id: "workv_00000000000000000000000001" }],
    });
    const other = await host.app();
    expect(await refusal(callApi("workflows.import", other.id, twice))).toBe(
      "422 invalid /workflows/1/versions/0/steps",
    );
    const { workflow_id } = await callApi("workflows.import", other.id, bundle);
    expect((await callApi("hooks.list", other.id)).items).toMatchObject([{ workflow_id, path: "in" }]);
  });

  it("of a draft stay a draft", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const app = await host.app();
    const steps = [{ type: "code", key: "a", code: "return (" }];
    const { id } = await callApi("workflows.create", app.id, { name: "Draft", steps });
    const bundle = await callApi("workflows.export", app.id, id, "draft");
    const { workflow_id } = await callApi("workflows.import", app.id, bundle);
    expect(await callApi("workflows.get", app.id, workflow_id)).toMatchObject({ name: "Draft", latest_version: null });
    expect((await callApi("workflows.getDraft", app.id, workflow_id)).steps).toEqual(steps);
  });

  it("that refer to each other move together, and ids of another app are left as they are", async () => {
    const host = open(OPTIONS);
    const { callApi } = host;
    const [from, to] = [await host.app(), await host.app()];
    const foreign = await callApi("workflows.create", to.id, { name: "Foreign", steps: [start] });
    const one = await callApi("workflows.create", from.id, { name: "One", steps: [start] });
    const two = await callApi("workflows.create", from.id, {
      name: "Two",
      steps: [start, { type: "workflow", key: "w", workflow_id: one.id, input: {} }],
    });
    const code = { type: "code", key: "c", code: `return "${foreign.id}"` };
    const steps = [start, { type: "workflow", key: "w", workflow_id: two.id, input: {} }, code];
    await callApi("workflows.putDraft", from.id, one.id, { steps });
    await callApi("workflows.deploy", from.id, one.id);
    const bundle = await callApi("workflows.export", from.id, one.id, 1);
    expect(bundle.workflows.map(({ name }: { name: string }) => name).sort()).toEqual(["One", "Two"]);
    const { workflow_id, ids } = await callApi("workflows.import", to.id, bundle);
    const imported = await callApi("workflows.getVersion", to.id, workflow_id, 1);
    expect(imported.steps).toMatchObject([{}, { workflow_id: ids[two.id] }, code]);
  });
});

describe("keys", () => {
  it("need the scopes of what an export contains and an import creates", async () => {
    const host = createTestHost(true, OPTIONS);
    const app = await host.app();
    const { stepwell } = host;
    const callApi: CallApi = (operation, ...given) => {
      const [group = "", name = ""] = operation.split(".");
      return Reflect.get(Reflect.get(stepwell, group), name)(...given);
    };
    const { main } = await fill(callApi, app.id);
    const bundle = await stepwell.workflows.export(app.id, main.id, 1);
    const send = async (method: string, path: string, scopes: string[], body?: object) => {
      const { key } = await stepwell.keys.create(app.id, { name: "k", scopes: scopes as never });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return (await stepwell.fetch(new Request(`${BASE}/apps/${app.id}/${path}`, init))).status;
    };
    const read = ["workflows:read", "collections:read", "connections:read"];
    for (const path of [`workflows/${main.id}/versions/1/export`, "export"]) {
      expect(await send("GET", path, read)).toBe(200);
      for (const scope of read)
        expect(
          await send(
            "GET",
            path,
            read.filter((one) => one !== scope),
          ),
        ).toBe(403);
    }
    const { root, root_version, ...whole } = bundle;
    const write = ["workflows:write", "collections:write", "connections:read"];
    for (const scope of write) {
      expect(
        await send(
          "POST",
          "workflows/import",
          write.filter((one) => one !== scope),
          whole,
        ),
      ).toBe(403);
    }
    expect((await stepwell.workflows.list(app.id)).total).toBe(3);
    expect(await send("POST", "workflows/import", write, whole)).toBe(201);
    expect((await stepwell.workflows.list(app.id)).total).toBe(6);
  });
});
