/** Versions: numbered, immutable, rolled back. */
import { expect, it } from "vitest";
import {
  BASE,
  type CallApi,
  createTestHost,
  describeEachTransport,
  type Refusal,
  type TestHost,
} from "../support/http/transports.ts";
import { EVERYTHING } from "../support/workflows/definitions.ts";

const GONE = { status: 404, code: "not_found" };
const NOTE = { type: "note", key: "n", note: "" };
const {
  model: _,
  browser: __,
  service: ___,
  ...runnable
} = Object.fromEntries(EVERYTHING.steps.map((step) => [step.type, step]));

/** A deployable definition with as many fields as possible. */
const FIRST = {
  input: EVERYTHING.input,
  input_default: { number: 3 },
  input_options: EVERYTHING.input_options,
  steps: [
    { ...runnable["input"], key: "start", conditional: "true", destinations: ["ask", "go on"], input_connected: false },
    { type: "http_request", key: "ask", url: "https://example.com/{{ input.number }}", destinations: ["go on"] },
    {
      type: "branch",
      key: "go on",
      conditions: { good: { condition: "steps.ask.output.status < 400", destinations: ["end"], order: 1 } },
      else: ["end"],
    },
    { type: "code", key: "end", code: "return input;", loop: "output != null", throw_on_error: false },
    { ...NOTE, position: [1, 2], size: [100, 100] },
  ],
};
const SECOND = { input: {}, input_default: null, input_options: null, steps: [NOTE] };

async function author({ app: openApp, callApi }: TestHost, draft: object = SECOND, more: object = {}) {
  const app = await openApp();
  const workflow = await callApi("workflows.create", app.id, { name: "Intake", ...draft, ...more });
  const at: CallApi = (operation, ...given) => callApi(`workflows.${operation}`, app.id, workflow.id, ...given);
  return { app, id: String(workflow.id), at };
}

function withoutKey({ stepwell }: TestHost, appId: string, workflowId: string, version: string | number) {
  return stepwell.fetch(new Request(`${BASE}/apps/${appId}/workflows/${workflowId}/versions/${version}`));
}

describeEachTransport("a version", (open) => {
  it("has exactly the documented fields", async () => {
    const clock = { now: () => Date.parse("2026-02-27T23:59:59.999Z"), after: () => () => undefined };
    const host = open({ clock });
    const { app, id, at } = await author(host, FIRST, { description: "New loans" });
    const [key] = (await host.stepwell.keys.list(app.id)).items;
    const version = await at("deploy", { notes: "The first" });
    expect(version).toEqual({
      id: expect.stringMatching(/^workv_[0-9a-z]{26}$/),
      app_id: app.id,
      workflow_id: id,
      description: "New loans",
      version: 1,
      notes: "The first",
      ...(host.overHttp ? { created_by: { id: key?.id, name: "tests" } } : {}),
      created_at: "2026-02-27",
      deployed_at: expect.stringMatching(/^2026-02-27T\d\d:\d\d:\d\d\.\d\d\dZ$/),
      key: `${id}@1`,
      ...FIRST,
    });
    expect(Object.hasOwn(version, "created_by")).toBe(host.overHttp);
    expect(Object.hasOwn(version, "rollback_version")).toBe(false);
    expect(await at("getVersion", 1)).toEqual(version);
    expect(await host.callApi("workflows.get", app.id, id)).toMatchObject({
      latest_version: 1,
      latest_version_id: version.id,
    });
  });

  it("has null for what was omitted", async () => {
    const { at } = await author(open());
    expect(await at("deploy")).toMatchObject({ description: null, notes: null, ...SECOND });
    expect(await at("deploy", { notes: null })).toMatchObject({ version: 2, notes: null });
  });

  it("has a unique key and id", async () => {
    const host = open();
    const { at, app } = await author(host);
    const other = await host.callApi("workflows.create", app.id, { name: "Other", ...SECOND });
    const versions = [
      await at("deploy"),
      await at("deploy"),
      await at("rollback", 1),
      await at("getVersion", "draft"),
      await host.callApi("workflows.deploy", app.id, other.id),
      await host.callApi("workflows.getVersion", app.id, other.id, "draft"),
    ];
    expect(new Set(versions.map((version) => version.key)).size).toBe(6);
    expect(new Set(versions.map((version) => version.id)).size).toBe(6);
  });

  it("stays unchanged when the workflow and its draft change", async () => {
    const { at } = await author(open(), FIRST, { description: "Old" });
    const first = await at("deploy", { notes: "n" });
    const asDeployed = structuredClone(first);
    await at("putDraft", SECOND);
    await at("update", { name: "Another", description: "New", visibility: "PUBLIC" });
    const second = await at("deploy");
    expect(second).toMatchObject({ version: 2, description: "New", ...SECOND });
    await at("rollback", 1);
    for (const version of [1, "1", first.id]) expect(await at("getVersion", version)).toEqual(asDeployed);
    expect((await at("listVersions")).items.at(-1)).toEqual(asDeployed);
  });

  it("is found by id, by number, as `latest` and as `draft`", async () => {
    const { app, id, at } = await author(open(), FIRST);
    await expect(at("getVersion", "latest")).rejects.toMatchObject(GONE);
    const [first, second] = [await at("deploy"), await at("deploy")];
    expect(await at("getVersion", first.id)).toEqual(first);
    expect(await at("getVersion", 1)).toEqual(first);
    expect(await at("getVersion", "latest")).toEqual(second);
    await at("putDraft", SECOND);
    expect(await at("getVersion", "draft")).toEqual({
      id: expect.stringMatching(/^workv_/),
      app_id: app.id,
      workflow_id: id,
      description: null,
      version: 0,
      notes: null,
      created_at: null,
      key: `${id}@draft`,
      ...SECOND,
    });
    expect(await at("getVersion", "latest")).toEqual(second);
  });

  it("returns 404 for any other name", async () => {
    const host = open();
    const { app, at } = await author(host);
    const version = await at("deploy");
    const nothing = [
      "0",
      "2",
      "-1",
      "1.0",
      "1e0",
      "01",
      " 1",
      "1 ",
      "9".repeat(40),
      "Latest",
      "DRAFT",
      "toString",
      "__proto__",
    ];
    const unsafe = ["a/b", "..", "../1", "%", "%31", "1?x", "a:b", "\0", "é", "x".repeat(3_000), `${version.id}?`];
    for (const name of [...nothing, ...unsafe, version.key, version.workflow_id]) {
      await expect(at("getVersion", name), name).rejects.toMatchObject(GONE);
      await expect(at("rollback", name, {}), name).rejects.toMatchObject(GONE);
    }
    const other = await host.callApi("workflows.create", app.id, { name: "Other", ...SECOND });
    await expect(host.callApi("workflows.getVersion", app.id, other.id, version.id)).rejects.toMatchObject(GONE);
    await expect(host.callApi("workflows.rollback", app.id, other.id, version.id, {})).rejects.toMatchObject(GONE);
  });

  it("is readable without a key only while its workflow is PUBLIC, drafts excluded", async () => {
    const host = open();
    const { app, id, at } = await author(host, SECOND, { visibility: "PUBLIC" });
    const version = await at("deploy", { notes: "Open" });
    for (const name of [1, version.id, "latest"]) {
      const response = await withoutKey(host, app.id, id, name);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(version);
    }
    expect((await withoutKey(host, app.id, id, 2)).status).toBe(404);
    expect((await withoutKey(host, app.id, id, "draft")).status).toBe(404);

    // A draft that was run is stored under an id, and is still a draft.
    await at("putDraft", FIRST);
    await host.callApi("workflows.putDraft", app.id, id, { steps: [{ ...NOTE, note: "secret" }] });
    const run = await host.stepwell.runs.create(app.id, id, { version: "draft" });
    expect(await at("getVersion", run.workflow_version_id)).toMatchObject({ version: 0 });
    expect((await withoutKey(host, app.id, id, run.workflow_version_id)).status).toBe(404);

    await at("update", { visibility: "PRIVATE" });
    for (const name of [1, version.id, "latest", "draft"]) {
      const response = await withoutKey(host, app.id, id, name);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("Open");
    }
    const wrong = await host.stepwell.fetch(
      new Request(`${BASE}/apps/${app.id}/workflows/${id}/versions/1`, { headers: { authorization: "Bearer sw_no" } }),
    );
    expect(wrong.status).toBe(401);
  });

  it("is listed newest first, in pages", async () => {
    const { at } = await author(open());
    const deployed = [];
    for (let n = 0; n < 5; n++) deployed.push(await at("deploy", { notes: `${n}` }));
    const newestFirst = deployed.toReversed();
    expect(await at("listVersions")).toMatchObject({ items: newestFirst, total: 5, more: false });
    expect((await at("listVersions", { take: 2, page: 2 })).items).toEqual(newestFirst.slice(2, 4));
    expect(await at("listVersions", { take: 2, page: 3 })).toMatchObject({ items: newestFirst.slice(4), more: false });
    expect((await at("listVersions", { take: 2, page: 4 })).items).toEqual([]);
    await expect(at("listVersions", { take: 0 })).rejects.toMatchObject({ status: 422 });
  });

  it("is deleted with its workflow", async () => {
    const host = open();
    const { app, id, at } = await author(host, SECOND, { visibility: "PUBLIC" });
    const version = await at("deploy");
    await at("remove");
    for (const name of [1, version.id, "latest", "draft"]) {
      await expect(at("getVersion", name)).rejects.toMatchObject(GONE);
      expect((await withoutKey(host, app.id, id, name)).status).toBe(404);
    }
  });

  it("accepts `notes` and no other field", async () => {
    const { at } = await author(open());
    const pointers = (operation: string, ...given: unknown[]) =>
      at(operation, ...given).then(
        () => [],
        (error: Refusal) => error.errors.map(({ pointer }) => pointer),
      );
    for (const given of [["deploy"], ["rollback", 1]] as const) {
      const [operation, ...rest] = given;
      expect(await pointers(operation, ...rest, { notes: "x".repeat(10_240) })).toEqual([]);
      expect(await pointers(operation, ...rest, { notes: "x".repeat(10_241) })).toEqual(["/notes"]);
      expect(await pointers(operation, ...rest, { notes: 1 })).toEqual(["/notes"]);
      expect(await pointers(operation, ...rest, { steps: [] })).toEqual(["/steps"]);
      expect(await pointers(operation, ...rest, [])).toEqual([""]);
    }
    expect((await at("getVersion", "latest")).version).toBe(2);
  });

  it("gets a unique, consecutive number under concurrent deployments", async () => {
    const { at } = await author(open());
    const caller = async (name: number) => {
      const deployed = [];
      for (let n = 0; n < 25; n++) deployed.push(await at("deploy", { notes: `${name}.${n}` }));
      return deployed;
    };
    const versions = (await Promise.all(Array.from({ length: 8 }, (_, name) => caller(name)))).flat();
    const numbers = versions.map(({ version }) => version).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    const { items, total } = await at("listVersions", { take: 1_000 });
    expect(total).toBe(200);
    expect(items.map(({ version }: { version: number }) => version)).toEqual(numbers.toReversed());
    expect(new Set(items.map(({ notes }: { notes: string }) => notes)).size).toBe(200);
    expect(await at("get")).toMatchObject({ latest_version: 200, latest_version_id: items[0].id });
    for (const version of versions) expect(await at("getVersion", version.version)).toEqual(version);
  });
});

describeEachTransport("a rollback", (open) => {
  it("deploys an earlier version again as the next one", async () => {
    const { app, id, at } = await author(open(), FIRST, { description: "Old" });
    const first = await at("deploy", { notes: "first" });
    await at("putDraft", SECOND);
    await at("update", { description: "New" });
    const second = await at("deploy", { notes: "second" });

    const third = await at("rollback", 1, {});
    expect(third).toEqual({
      ...first,
      id: expect.stringMatching(/^workv_[0-9a-z]{26}$/),
      version: 3,
      rollback_version: 1,
      description: "New",
      deployed_at: expect.any(String),
      key: `${id}@3`,
      app_id: app.id,
    });
    expect(third.id).not.toBe(first.id);
    expect(await at("getVersion", "latest")).toEqual(third);
    expect(await at("getDraft")).toMatchObject(SECOND);

    const fourth = await at("rollback", second.id, { notes: "again" });
    expect(fourth).toMatchObject({ version: 4, rollback_version: 2, notes: "again", ...SECOND });
    const fifth = await at("rollback", 3, { notes: null });
    expect(fifth).toMatchObject({ version: 5, rollback_version: 3, notes: null, ...FIRST });
    expect(await at("rollback", "latest")).toMatchObject({ version: 6, rollback_version: 5, notes: null });
    expect(await at("deploy")).not.toHaveProperty("rollback_version");
    expect((await at("listVersions")).items.map(({ version }: { version: number }) => version)).toEqual([
      7, 6, 5, 4, 3, 2, 1,
    ]);
  });

  it("returns 404 without versions, and 409 for the draft", async () => {
    const { at } = await author(open());
    await expect(at("rollback", "latest", {})).rejects.toMatchObject(GONE);
    await expect(at("rollback", "draft", {})).rejects.toMatchObject({ status: 409, code: "conflict" });
    expect((await at("listVersions")).items).toEqual([]);
  });

  it("is rejected when a workflow that the version needs was deleted", async () => {
    const host = open();
    const { app, at } = await author(host);
    const child = await host.callApi("workflows.create", app.id, { name: "Child", steps: [NOTE] });
    await at("putDraft", { steps: [{ type: "workflow", key: "w", input: {}, workflow_id: child.id }] });
    await at("deploy");
    await host.callApi("workflows.remove", app.id, child.id, { force: true });
    await expect(at("rollback", 1, {})).rejects.toMatchObject({
      status: 422,
      errors: [{ pointer: "/steps/0/workflow_id" }],
    });
    expect((await at("getVersion", "latest")).version).toBe(1);
  });
});

/** HTTP only: headers. */
async function server() {
  const { stepwell, app } = createTestHost(true);
  const { id: appId, key } = await app();
  const { id } = await stepwell.workflows.create(appId, { name: "x", steps: [{ type: "note", key: "n", note: "" }] });
  const path = `/apps/${appId}/workflows/${id}/versions`;
  const post = (address: string, headers: Record<string, string> = {}, body?: object) =>
    stepwell.fetch(
      new Request(`${BASE}${address}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const total = async () => (await stepwell.workflows.listVersions(appId, id)).total;
  return { stepwell, appId, id, key, path, post, total };
}

it("returns the Location of a deployed or rolled back version", async () => {
  const { stepwell, path, post, key } = await server();
  for (const [address, number] of [
    [path, 1],
    [`${path}/1/rollback`, 2],
    [`${path}/latest/rollback`, 3],
  ] as const) {
    const response = await post(address);
    expect(response.status).toBe(201);
    const location = response.headers.get("location") ?? "";
    expect(location).toBe(`${BASE}${path}/${number}`);
    const found = await stepwell.fetch(new Request(location, { headers: { authorization: `Bearer ${key}` } }));
    expect(await found.json()).toEqual(await response.json());
  }
});

it("deploys once when concurrent requests share an Idempotency-Key", async () => {
  const { path, post, total } = await server();
  const headers = { "idempotency-key": "deploy-1" };
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, headers, { notes: "once" })));
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(new Set(answers.map((answer) => answer.headers.get("location"))).size).toBe(1);
  expect(texts.size).toBe(1);
  expect(await total()).toBe(1);

  const other = await post(path, headers, { notes: "twice" });
  expect([other.status, (await other.json()).code]).toEqual([409, "idempotency_mismatch"]);
  // Another path has its own Idempotency-Keys.
  expect((await post(`${path}/1/rollback`, headers, { notes: "once" })).status).toBe(201);
  expect((await post(`${path}/1/rollback`, headers, { notes: "once" })).status).toBe(201);
  expect(await total()).toBe(2);
});

it("keeps an Idempotency-Key free when the deployment was rejected", async () => {
  const { stepwell, appId, id, path, post, total } = await server();
  const headers = { "idempotency-key": "deploy-1" };
  const note = { type: "note", key: "n", note: "" } as const;
  await stepwell.workflows.putDraft(appId, id, { steps: [note, note] });
  expect((await post(path, headers)).status).toBe(422);
  await stepwell.workflows.putDraft(appId, id, { steps: [note] });
  expect((await post(path, headers)).status).toBe(201);
  expect((await post(path, headers)).status).toBe(201);
  expect(await total()).toBe(1);
});

it("sets created_by of a version only when it was deployed with a key", async () => {
  const { stepwell, appId, id, path, post } = await server();
  const [key] = (await stepwell.keys.list(appId)).items;
  const created_by = { id: key?.id, name: key?.name };
  expect(await (await post(path)).json()).toMatchObject({ created_by });
  expect(await stepwell.workflows.deploy(appId, id)).not.toHaveProperty("created_by");
  // `created_by` is the key that rolled back, not the one that deployed first.
  expect(await stepwell.workflows.rollback(appId, id, 1)).not.toHaveProperty("created_by");
  expect(await (await post(`${path}/2/rollback`)).json()).toMatchObject({ created_by, rollback_version: 2 });
});
