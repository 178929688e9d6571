/** Revisions of drafts, workflows, collections, schedules and connections: `ETag`, `If-Match` and `expected_revision`. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type Options } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { BASE, createTestHost, describeEachTransport, refusal, type TestHost } from "../support/http/transports.ts";

const mail = defineService({
  name: "mail",
  connection: v.object({ password: v.string() }),
  actions: { send: { input: v.object({}), output: v.null(), run: () => null } },
});
const OPTIONS: Partial<Options> = { secret: "s".repeat(40), services: [mail] };

interface Kind {
  /** Path below the app. */
  readonly all: string;
  body(workflow: string): object;
  readonly change: object;
  readonly api: string;
}

const KINDS: readonly Kind[] = [
  { api: "workflows", all: "workflows", body: () => ({ name: "W" }), change: { name: "Renamed" } },
  { api: "collections", all: "collections", body: () => ({ name: "C" }), change: { name: "Renamed" } },
  {
    api: "schedules",
    all: "schedules",
    body: (workflow_id) => ({ workflow_id, every: 60 }),
    change: { name: "Renamed" },
  },
  {
    api: "connections",
    all: "connections",
    body: () => ({ name: "M", service: "mail", credentials: { password: "a password" } }),
    change: { name: "Renamed" },
  },
];

async function setUp(host: TestHost = createTestHost(true, OPTIONS)) {
  const app = await host.app();
  const { id } = await host.stepwell.workflows.create(app.id, { name: "Runs", steps: [] });
  await host.stepwell.workflows.deploy(app.id, id);
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const request = new Request(`${BASE}/apps/${app.id}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${app.key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await host.stepwell.fetch(request);
    const text = await response.text();
    return { status: response.status, etag: response.headers.get("etag"), json: text === "" ? null : JSON.parse(text) };
  }
  return { send, host, app: app.id, workflow: id };
}

describe.each(KINDS.map((kind) => [kind.all, kind] as const))("one of the %s", (_, { all, body, change }) => {
  it("has its revision as a strong ETag, which every change increases", async () => {
    const { send, workflow } = await setUp();
    const created = await send("POST", all, body(workflow));
    const at = `${all}/${created.json.id}`;
    expect([created.status, created.etag, created.json.revision]).toEqual([201, '"1"', 1]);
    expect((await send("GET", at)).etag).toBe('"1"');
    const changed = await send("PATCH", at, change);
    expect([changed.etag, changed.json.revision]).toEqual(['"2"', 2]);
    expect((await send("GET", at)).etag).toBe('"2"');
    const listed = (await send("GET", all)).json.find(({ id }: { id: string }) => id === created.json.id);
    expect(listed.revision).toBe(2);
  });

  it("is changed and deleted only with a matching If-Match", async () => {
    const { send, workflow } = await setUp();
    const at = `${all}/${(await send("POST", all, body(workflow))).json.id}`;
    expect((await send("PATCH", at, change, { "if-match": '"1"' })).status).toBe(200);
    const late = await send("PATCH", at, { name: "Late" }, { "if-match": '"1"' });
    expect([late.status, late.json.code]).toEqual([412, "precondition_failed"]);
    expect(late.json.detail).toContain("has revision 2, not 1");
    for (const tags of ['W/"2"', '"x"', '"02"']) {
      expect((await send("PATCH", at, change, { "if-match": tags })).status).toBe(412);
    }
    expect((await send("GET", at, undefined, { "if-match": '"1"' })).status).toBe(412);
    expect((await send("GET", at)).json.name).toBe("Renamed");
    expect((await send("DELETE", at, undefined, { "if-match": '"1"' })).status).toBe(412);
    expect((await send("DELETE", `${at}?expected_revision=1`)).status).toBe(412);
    expect((await send("PATCH", at, change, { "if-match": '"7", "2"' })).etag).toBe('"3"');
    expect((await send("DELETE", at, undefined, { "if-match": '"3"' })).status).toBe(204);
  });

  it("loses no change of 16 writers that send If-Match", async () => {
    const { send, workflow } = await setUp();
    const at = `${all}/${(await send("POST", all, body(workflow))).json.id}`;
    await send("PATCH", at, { name: "0" });
    async function increment(): Promise<void> {
      for (;;) {
        const { etag, json } = await send("GET", at);
        const { status } = await send("PATCH", at, { name: String(Number(json.name) + 1) }, { "if-match": etag ?? "" });
        if (status === 200) return;
        expect(status).toBe(412);
      }
    }
    await Promise.all(Array.from({ length: 16 }, increment));
    expect((await send("GET", at)).json).toMatchObject({ name: "16", revision: 18 });
  });
});

describe.each(KINDS.map((kind) => [kind.api, kind] as const))("%s", (_, { api, body, change }) => {
  describeEachTransport("with expected_revision", (open) => {
    it("are changed and deleted only if they have it", async () => {
      const host = open(OPTIONS);
      const { app, workflow } = await setUp(host);
      const { callApi } = host;
      const { id } = await callApi(`${api}.create`, app, body(workflow));
      const update = (expected_revision: unknown) =>
        callApi(`${api}.update`, app, id, { ...change, expected_revision });
      expect(await refusal(update(2))).toBe("412 precondition_failed");
      expect(await refusal(update("1"))).toBe("422 invalid /expected_revision");
      expect((await update(1)).revision).toBe(2);
      expect(await refusal(callApi(`${api}.remove`, app, id, { expected_revision: 1 }))).toBe(
        "412 precondition_failed",
      );
      expect((await callApi(`${api}.get`, app, id)).revision).toBe(2);
      expect(await refusal(callApi(`${api}.remove`, app, id, { expected_revision: 2 }))).toBe("");
    });
  });
});

describeEachTransport("deploying a draft", (open) => {
  it("requires the expected revision, and says which one there is", async () => {
    const { callApi, app } = open();
    const { id: appId } = await app();
    const { id } = await callApi("workflows.create", appId, { name: "W", steps: [] });
    const steps = [{ type: "code", key: "theirs", code: "return 1" }];
    await callApi("workflows.putDraft", appId, id, { steps });
    const deploy = (expected_revision: unknown) => callApi("workflows.deploy", appId, id, { expected_revision });
    await expect(deploy(1)).rejects.toThrow("The draft has revision 2, not 1.");
    expect(await refusal(deploy(1))).toBe("412 precondition_failed");
    expect(await refusal(deploy("2"))).toBe("422 invalid /expected_revision");
    expect(await callApi("workflows.get", appId, id)).toMatchObject({ latest_version: null });
    expect(await deploy(2)).toMatchObject({ version: 1, steps });
    // A deployment does not change the draft.
    expect(await deploy(2)).toMatchObject({ version: 2 });
  });
});

describeEachTransport("drafts", (open) => {
  it("can be put as they were read, and are replaced only with the expected revision", async () => {
    const { callApi, app } = open();
    const { id: appId } = await app();
    const steps = [{ type: "input", key: "in", input: {} }];
    const settings = { timeout: 60 };
    const { id } = await callApi("workflows.create", appId, { name: "W", steps, settings });
    const draft = await callApi("workflows.getDraft", appId, id);
    expect(draft).toMatchObject({ revision: 1, steps, settings });
    const put = await callApi("workflows.putDraft", appId, id, draft);
    expect(put).toEqual({ ...draft, revision: 2, updated_at: put.updated_at });
    const stale = { ...draft, expected_revision: 1 };
    expect(await refusal(callApi("workflows.putDraft", appId, id, stale))).toBe("412 precondition_failed");
    const current = { ...draft, expected_revision: 2 };
    expect((await callApi("workflows.putDraft", appId, id, current)).revision).toBe(3);
    expect(await callApi("workflows.validate", appId, id, draft)).toMatchObject({ valid: true });
    expect((await callApi("workflows.deploy", appId, id)).revision).toBeUndefined();
    expect(await refusal(callApi("workflows.create", appId, { name: "W", revision: 1 }))).toBe("422 invalid /revision");
  });
});

describe("a draft", () => {
  it("is replaced only with a matching If-Match", async () => {
    const { send, workflow } = await setUp();
    const at = `workflows/${workflow}/draft`;
    expect((await send("GET", at)).etag).toBe('"1"');
    expect((await send("PUT", at, { steps: [] }, { "if-match": '"1"' })).etag).toBe('"2"');
    const late = await send("PUT", at, { steps: [] }, { "if-match": '"1"' });
    expect([late.status, late.json.code]).toEqual([412, "precondition_failed"]);
    expect((await send("GET", at, undefined, { "if-none-match": '"2"' })).status).toBe(304);
    expect((await send("GET", at, undefined, { "if-none-match": '"1"' })).status).toBe(200);
    expect((await send("GET", `workflows/${workflow}`)).etag).toBe('"2"');
  });
});

describe("a revision", () => {
  it("of a schedule does not change with its runs, and its response is always sent", async () => {
    const clock = createTestClock();
    const { send, host, workflow } = await setUp(createTestHost(true, { ...OPTIONS, clock }));
    const { id } = (await send("POST", "schedules", { workflow_id: workflow, every: 60 })).json;
    await clock.advance("61s");
    const fired = await send("GET", `schedules/${id}`, undefined, { "if-none-match": '"1"' });
    expect([fired.status, fired.etag]).toEqual([200, '"1"']);
    expect(fired.json.last).not.toBeNull();
    const closed = host.stepwell.close();
    await clock.advance("1m");
    await closed;
  });

  it("of a collection changes with its rules, mappings and triggers, but not with its records", async () => {
    const { send, workflow } = await setUp();
    const { id } = (await send("POST", "collections", { name: "C" })).json;
    const at = `collections/${id}`;
    const revision = async () => (await send("GET", at)).json.revision;
    await send("POST", `${at}/records`, { data: { a: { b: 1 } } });
    expect(await revision()).toBe(1);
    await send("POST", `${at}/rules`, { key: "k", name: "K", workflow_id: workflow });
    expect(await revision()).toBe(2);
    await send("PUT", `${at}/mappings`, []);
    expect(await revision()).toBe(3);
    await send("DELETE", at);
    await send("POST", `${at}/restore`);
    expect(await revision()).toBe(5);
  });
});
