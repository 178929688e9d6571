/** Workflows and their drafts. */
import { describe, expect, it } from "vitest";
import { allRoutes } from "../../src/api/route-table.ts";
import {
  BASE,
  type CallApi,
  createTestHost,
  describeEachTransport,
  type Refusal,
  type TestHost,
} from "../support/http/transports.ts";
import { EVERYTHING } from "../support/workflows/definitions.ts";

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const EMPTY = { input: {}, input_default: null, input_options: null, steps: [] };
const NOTE = { type: "note" as const, key: "n", note: "" };
const GONE = { status: 404, code: "not_found" };

const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

async function refusal(call: Promise<unknown>): Promise<unknown[]> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? [] : [error.status, ...error.errors.map((one) => `${one.in ?? "body"} ${one.pointer}`)];
}

async function several(callApi: CallApi, appId: string, given: readonly object[]): Promise<void> {
  for (const one of given) await callApi("workflows.create", appId, one);
}

/** A clock that the test moves. */
function moving(start: string) {
  let now = Date.parse(start);
  return { clock: { now: () => now, after: () => () => undefined }, move: (by: number) => (now += by) };
}

describeEachTransport("workflows", (open) => {
  it("creates a workflow with its draft, and gets, updates and deletes it", async () => {
    const { clock, move } = moving("2026-02-03T04:05:06.789Z");
    const host = open({ clock });
    const { callApi } = host;
    const app = await host.app();
    const workflow = await callApi("workflows.create", app.id, {
      name: " Intake ",
      description: "New loans",
      visibility: "PUBLIC",
      ...EVERYTHING,
    });
    expect(workflow).toEqual({
      id: expect.stringMatching(/^work_[0-9a-z]{26}$/),
      app_id: app.id,
      name: "Intake",
      description: "New loans",
      visibility: "PUBLIC",
      tool: null,
      latest_version: null,
      latest_version_id: null,
      created_at: "2026-02-03T04:05:06.789Z",
      revision: 1,
      updated_at: "2026-02-03T04:05:06.789Z",
    });
    expect(await callApi("workflows.get", app.id, workflow.id)).toEqual(workflow);
    const draft = await callApi("workflows.getDraft", app.id, workflow.id);
    expect(draft).toEqual({ ...EVERYTHING, revision: 1, updated_at: workflow.updated_at });

    move(1_000);
    const changed = await callApi("workflows.update", app.id, workflow.id, { name: "Entry", description: null });
    const updated_at = "2026-02-03T04:05:07.789Z";
    expect(changed).toEqual({ ...workflow, name: "Entry", description: null, revision: 2, updated_at });
    expect(await callApi("workflows.update", app.id, workflow.id, {})).toMatchObject({
      name: "Entry",
      description: null,
    });
    expect(await callApi("workflows.update", app.id, workflow.id, { visibility: "PRIVATE" })).toEqual({
      ...changed,
      visibility: "PRIVATE",
      revision: 4,
    });
    expect(await callApi("workflows.getDraft", app.id, workflow.id)).toEqual(draft);

    await callApi("workflows.remove", app.id, workflow.id);
    for (const operation of ["get", "getDraft", "listVersions", "remove"]) {
      await expect(callApi(`workflows.${operation}`, app.id, workflow.id)).rejects.toMatchObject(GONE);
    }
    for (const operation of ["update", "putDraft", "validate", "deploy"]) {
      await expect(callApi(`workflows.${operation}`, app.id, workflow.id, {})).rejects.toMatchObject(GONE);
    }
    expect(await callApi("workflows.list", app.id)).toMatchObject({ items: [], total: 0 });
  });

  it("creates an empty PRIVATE workflow by default", async () => {
    const host = open();
    const app = await host.app();
    const workflow = await host.callApi("workflows.create", app.id, { name: "Bare" });
    expect(workflow).toMatchObject({ description: null, visibility: "PRIVATE", latest_version: null });
    expect(await host.callApi("workflows.getDraft", app.id, workflow.id)).toEqual({
      ...EMPTY,
      revision: 1,
      updated_at: INSTANT,
    });
  });

  it("lists newest first, in pages", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const all = Array.from({ length: 7 }, (_, index) => `w${index}`);
    await several(
      callApi,
      app.id,
      all.map((name) => ({ name })),
    );
    const newestFirst = all.toReversed();
    const list = (query?: object) => callApi("workflows.list", app.id, query);

    expect(names(await list())).toEqual(newestFirst);
    const pages = [];
    for (const page of [1, 2, 3, 4]) {
      const found = await list({ page, take: 3 });
      expect(found).toMatchObject({ total: 7, more: page < 3 });
      pages.push(...names(found));
    }
    expect(pages).toEqual(newestFirst);
    expect(names(await list({ take: 1_000 }))).toEqual(newestFirst);

    for (const query of [
      { page: 0 },
      { page: -1 },
      { page: 1.5 },
      { take: 0 },
      { take: 1_001 },
      { take: "x" },
      { tags: "a" },
    ]) {
      expect(await refusal(list(query))).toEqual([422, `query /${Object.keys(query)[0]}`]);
    }
  });

  it("searches names and descriptions, ignoring case and accents", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    await several(callApi, app.id, [
      { name: "Crédit à l'été", visibility: "PUBLIC" },
      { name: "Straße", description: "Prüfung  der Anträge" },
      { name: "ПРОВЕРКА", visibility: "PUBLIC" },
      { name: "(a+)+$ 100%", description: null },
    ]);
    const search = async (text: string, more: object = {}) =>
      names(await callApi("workflows.list", app.id, { search: text, ...more }));

    expect(await search("credit")).toEqual(["Crédit à l'été"]);
    expect(await search("A L'ETE")).toEqual(["Crédit à l'été"]);
    expect(await search("cre\u0301dit")).toEqual(["Crédit à l'été"]);
    expect(await search("PRUFUNG der")).toEqual(["Straße"]);
    expect(await search("проверка")).toEqual(["ПРОВЕРКА"]);
    expect(await search("(A+)+$")).toEqual(["(a+)+$ 100%"]);
    expect(await search("%")).toEqual(["(a+)+$ 100%"]);
    expect(await search("\0")).toEqual([]);
    expect(await search("null")).toEqual([]);
    expect(await search("r", { visibility: "PUBLIC" })).toEqual(["Crédit à l'été"]);
    expect(await search("")).toHaveLength(4);
    expect(await refusal(callApi("workflows.list", app.id, { search: "x".repeat(1_025) }))).toEqual([
      422,
      "query /search",
    ]);
    expect(await callApi("workflows.list", app.id, { search: "credit" })).not.toHaveProperty("total");
  });

  it("searches and filters by the current name, description and visibility", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const { id } = await callApi("workflows.create", app.id, { name: "Loans", description: "Old" });
    await callApi("workflows.update", app.id, id, { name: "Leases", visibility: "PUBLIC" });
    const list = async (query: object) => names(await callApi("workflows.list", app.id, query));
    const isFoundAsItIs = async () => {
      expect(await list({ search: "loans" })).toEqual([]);
      expect(await list({ search: "leases" })).toEqual(["Leases"]);
      expect(await list({ search: "old" })).toEqual(["Leases"]);
      expect(await list({ visibility: "PRIVATE" })).toEqual([]);
      expect(await list({ visibility: "PUBLIC" })).toEqual(["Leases"]);
    };
    await isFoundAsItIs();
    await callApi("workflows.deploy", app.id, id, {});
    await isFoundAsItIs();
    expect(await refusal(callApi("workflows.list", app.id, { visibility: "public" }))).toEqual([
      422,
      "query /visibility",
    ]);
  });

  it("rejects invalid fields with a pointer", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const { id } = await callApi("workflows.create", app.id, { name: "x" });
    const ways = [
      (more: object) => refusal(callApi("workflows.create", app.id, { name: "x", ...more })),
      (more: object) => refusal(callApi("workflows.update", app.id, id, more)),
    ];
    for (const write of ways) {
      for (const [input, pointer] of [
        [{ name: "" }, "/name"],
        [{ name: " \n" }, "/name"],
        [{ name: "x".repeat(257) }, "/name"],
        [{ name: null }, "/name"],
        [{ description: "x".repeat(10_241) }, "/description"],
        [{ description: 1 }, "/description"],
        [{ visibility: "SECRET" }, "/visibility"],
        [{ latest_version: 3 }, "/latest_version"],
        [{ app_id: "app_1" }, "/app_id"],
        [{ toString: "x" }, "/toString"],
      ] as const) {
        expect(await write(input), JSON.stringify(input)).toEqual([422, `body ${pointer}`]);
      }
      expect(await write({ name: "x".repeat(256), description: "x".repeat(10_240) })).toEqual([]);
    }
    expect(await refusal(callApi("workflows.create", app.id, {}))).toEqual([422, "body /name"]);
    expect(await refusal(callApi("workflows.create", app.id, []))).toEqual([422, "body "]);
    expect(await refusal(callApi("workflows.update", app.id, id, { steps: [] }))).toEqual([422, "body /steps"]);
    expect(
      await refusal(
        callApi("workflows.create", app.id, { name: "x", steps: [{ ...NOTE, note: 1 }], input: { a: {} } }),
      ),
    ).toEqual(expect.arrayContaining([422, "body /steps/0/note", "body /input/a/type"]));
  });

  it("keeps all changes of concurrent updates", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const { id } = await callApi("workflows.create", app.id, { name: "Loans" });
    await Promise.all([
      callApi("workflows.update", app.id, id, { name: "Leases" }),
      callApi("workflows.update", app.id, id, { description: "New" }),
      callApi("workflows.update", app.id, id, { visibility: "PUBLIC" }),
      callApi("workflows.deploy", app.id, id, {}),
      callApi("workflows.putDraft", app.id, id, { steps: [NOTE] }),
    ]);
    expect(await callApi("workflows.get", app.id, id)).toMatchObject({
      name: "Leases",
      description: "New",
      visibility: "PUBLIC",
      latest_version: 1,
    });
    expect(await callApi("workflows.getDraft", app.id, id)).toMatchObject({ steps: [NOTE] });
  });

  it("deletes a workflow under concurrent changes", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    for (let round = 0; round < 10; round++) {
      const { id } = await callApi("workflows.create", app.id, { name: "Loans" });
      const calls: [string, ...unknown[]][] = [
        ["putDraft", { steps: [NOTE] }],
        ["update", { name: "Leases" }],
        ["deploy", {}],
        ["putDraft", {}],
        ["remove"],
        ["remove"],
        ["putDraft", { steps: [NOTE] }],
      ];
      const answers = await Promise.allSettled(
        calls.map(([operation, ...given]) => callApi(`workflows.${operation}`, app.id, id, ...given)),
      );
      for (const answer of answers) if (answer.status === "rejected") expect(answer.reason).toMatchObject(GONE);
      await expect(callApi("workflows.get", app.id, id)).rejects.toMatchObject(GONE);
    }
    expect(await callApi("workflows.list", app.id)).toMatchObject({ items: [], total: 0 });
  });

  it("answers another app as if the workflow did not exist", async () => {
    const host = open();
    const { callApi } = host;
    const [owner, other] = [await host.app("Owner"), await host.app("Other")];
    const { id } = await callApi("workflows.create", owner.id, { name: "Mine", visibility: "PUBLIC", steps: [NOTE] });
    const version = await callApi("workflows.deploy", owner.id, id, {});
    const unknown = id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0"));
    const attempts = (workflowId: string): [string, ...unknown[]][] => [
      ["get", workflowId],
      ["update", workflowId, { name: "Yours" }],
      ["getDraft", workflowId],
      ["putDraft", workflowId, {}],
      ["validate", workflowId, {}],
      ["deploy", workflowId, {}],
      ["listVersions", workflowId],
      ["getVersion", workflowId, version.id],
      ["getVersion", workflowId, "1"],
      ["getVersion", workflowId, "draft"],
      ["rollback", workflowId, "1", {}],
      ["remove", workflowId],
    ];
    const [foreign, absent] = [attempts(id), attempts(unknown)];
    for (const [index, [operation, ...given]] of foreign.entries()) {
      const answers = [given, absent[index]?.slice(1) ?? []].map((some) =>
        callApi(`workflows.${operation}`, other.id, ...some).catch((error: Refusal) =>
          error.message.replaceAll(unknown, id),
        ),
      );
      const [there, nowhere] = await Promise.all(answers);
      expect(there).toMatch(/^404 not_found: /);
      expect(there).toBe(nowhere);
    }
    expect(await callApi("workflows.get", owner.id, id)).toMatchObject({ name: "Mine", latest_version: 1 });
    expect((await callApi("workflows.list", other.id)).items).toEqual([]);
    const own = await callApi("workflows.create", other.id, { name: "Own", steps: [NOTE] });
    await expect(callApi("workflows.getVersion", other.id, own.id, version.id)).rejects.toMatchObject(GONE);
    await expect(callApi("workflows.rollback", other.id, own.id, version.id, {})).rejects.toMatchObject(GONE);
  });

  it("answers 404 for impossible ids", async () => {
    const host = open();
    const app = await host.app();
    for (const id of [
      "x",
      "work_",
      "toString",
      "__proto__",
      "..",
      "../x",
      "a:b",
      "a?b",
      "a%2Fb",
      "\0",
      "x".repeat(5_000),
    ]) {
      await expect(host.callApi("workflows.get", app.id, id)).rejects.toMatchObject(GONE);
      await expect(host.callApi("workflows.putDraft", app.id, id, {})).rejects.toMatchObject(GONE);
    }
  });
});

describeEachTransport("a draft", (open) => {
  async function author(host: TestHost, steps: readonly object[] = []) {
    const app = await host.app();
    const { id } = await host.callApi("workflows.create", app.id, { name: "x", steps });
    const at = (operation: string, ...given: unknown[]) => host.callApi(`workflows.${operation}`, app.id, id, ...given);
    return { app, id, at };
  }

  it("is replaced as a whole, with omitted fields empty", async () => {
    const { clock, move } = moving("2026-02-03T04:05:06.789Z");
    const { at } = await author(open({ clock }));
    await at("putDraft", EVERYTHING);
    move(1);
    const put = await at("putDraft", { steps: [NOTE] });
    expect(put).toEqual({ ...EMPTY, steps: [NOTE], revision: 3, updated_at: "2026-02-03T04:05:06.790Z" });
    expect(await at("getDraft")).toEqual(put);
    expect(await at("putDraft", {})).toMatchObject(EMPTY);
  });

  it("may have problems, but a rejected shape leaves the previous draft", async () => {
    const { at } = await author(open());
    const half = {
      input_default: { nobody: 1 },
      steps: [
        { type: "code", key: "a", code: "", destinations: ["b", "a"], conditional: "1 +" },
        { type: "workflow", key: "a", input: "{{" },
      ],
    };
    const put = await at("putDraft", half);
    expect(put).toMatchObject(half);
    await expect(at("putDraft", { steps: [{ type: "code", key: "a" }] })).rejects.toMatchObject({ status: 422 });
    await expect(at("putDraft", { created_at: put.updated_at })).rejects.toMatchObject({ status: 422 });
    expect(await at("getDraft")).toEqual(put);
  });

  it("is one of several concurrent replacements, not a mixture", async () => {
    const { at } = await author(open());
    const drafts = Array.from({ length: 10 }, (_, n) => ({
      ...EMPTY,
      input: { [`f${n}`]: { type: "string" } },
      steps: [{ ...NOTE, key: `n${n}` }],
    }));
    const put = await Promise.all(drafts.map((draft) => at("putDraft", draft)));
    for (const [index, draft] of drafts.entries()) expect(put[index]).toMatchObject(draft);
    expect(put).toContainEqual(await at("getDraft"));
  });

  it("is validated with all problems and their pointers", async () => {
    const { at } = await author(open(), [
      { type: "code", key: "a", code: "", destinations: ["b", "nowhere"] },
      { type: "code", key: "a", code: "", input_connected: true },
    ]);
    const validation = await at("validate");
    expect(validation.valid).toBe(false);
    expect(validation.errors).toEqual([
      { pointer: "/steps/1/key", message: 'Must be unique: step 0 also has the key "a".' },
      { pointer: "/steps/0/destinations/0", message: 'There is no step with the key "b".' },
      { pointer: "/steps/0/destinations/1", message: 'There is no step with the key "nowhere".' },
      {
        pointer: "/steps/1/input_connected",
        message: "Has no effect: the workflow has no input step. Add one, or omit the field.",
      },
    ]);
    expect(await at("validate", {})).toEqual(validation);
    await at("putDraft", { steps: [NOTE] });
    expect(await at("validate")).toEqual({ valid: true, errors: [] });
  });

  it("stays unchanged when another definition is validated", async () => {
    const { at } = await author(open(), [NOTE]);
    const before = await at("getDraft");
    expect(await at("validate", { steps: [NOTE, NOTE] })).toMatchObject({
      valid: false,
      errors: [{ pointer: "/steps/1/key" }],
    });
    expect(await at("validate", { input: { a: { type: "string" } }, input_default: { a: "1" } })).toEqual({
      valid: true,
      errors: [],
    });
    expect(await at("validate", { input_default: { "a/b": 1, c: null } })).toEqual({
      valid: false,
      errors: [
        { pointer: "/input_default/a~1b", message: "Unknown input field." },
        { pointer: "/input_default/c", message: "Unknown input field." },
      ],
    });
    expect(await at("getDraft")).toEqual(before);
    await expect(at("getVersion", 1)).rejects.toMatchObject(GONE);
  });

  it("is validated in its shape too, with a response instead of an error", async () => {
    const { at } = await author(open());
    const { valid, errors } = await at("validate", {
      input: { a: { type: "select", options: [] }, b: { type: "object", fields: { c: { type: "what" } } } },
      steps: [
        { type: "note", key: "", note: "", more: 1 },
        { type: "jump", key: "x" },
      ],
      version: 3,
    });
    expect(valid).toBe(false);
    const places = errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(places).toEqual(
      [
        "/input/a/options",
        "/input/b/fields/c/type",
        "/steps/0/key",
        "/steps/0/more",
        "/steps/1/type",
        "/version",
      ].sort(),
    );
    for (const error of errors)
      expect(error).toEqual({ pointer: expect.any(String), message: expect.stringMatching(/\.$/) });
    await expect(at("validate", [])).rejects.toMatchObject({ status: 422 });
  });
});

it("copies definitions that are passed in and returned", async () => {
  const { stepwell } = createTestHost(false);
  const app = await stepwell.apps.create({ name: "x" });
  const given = {
    input_default: { nested: { list: [1] } },
    steps: [{ type: "workflow" as const, key: "w", input: { deep: { value: 1 } } }],
  };
  const asPut = structuredClone(given);
  const { id } = await stepwell.workflows.create(app.id, { name: "x", ...given });
  const spoil = () => {
    given.input_default.nested.list.push(2);
    const [step] = given.steps;
    if (step !== undefined) step.input.deep.value = 2;
  };
  expect(spoil).not.toThrow();
  expect(await stepwell.workflows.getDraft(app.id, id)).toMatchObject(asPut);
  Object.assign(given, structuredClone(asPut));
  const put = await stepwell.workflows.putDraft(app.id, id, given);
  expect(spoil).not.toThrow();
  expect(await stepwell.workflows.getDraft(app.id, id)).toMatchObject(asPut);
  try {
    Object.assign(put.input_default ?? {}, { nested: null });
    Object.assign(put.steps[0] ?? {}, { key: "other" });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError); // returned objects may be frozen
  }
  expect(await stepwell.workflows.getDraft(app.id, id)).toMatchObject(asPut);
});

it("returns a Location when a workflow is created, and no body when it is deleted", async () => {
  const { stepwell, app } = createTestHost(true);
  const { id, key } = await app();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = (method: string, url: string, body?: object) =>
    stepwell.fetch(
      new Request(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    );
  const created = await call("POST", `${BASE}/apps/me/workflows`, { name: "x" });
  expect(created.status).toBe(201);
  const workflow = await created.json();
  const location = created.headers.get("location") ?? "";
  expect(location).toBe(`${BASE}/apps/${id}/workflows/${workflow.id}`);
  expect(await (await call("GET", location)).json()).toEqual(workflow);
  const removed = await call("DELETE", location);
  expect([removed.status, await removed.text()]).toEqual([204, ""]);
  expect((await call("GET", location)).status).toBe(404);
});

describe("PUT without a body", () => {
  const routes = allRoutes.filter((one) => "call" in one && one.body !== undefined && one.method === "PUT");

  it.each(routes.map((one) => [one.path]))("to %s is refused", async (path) => {
    const { stepwell, app } = createTestHost(true);
    const { id, key } = await app();
    const { id: workflow } = await stepwell.workflows.create(id, { name: "w", steps: [NOTE] });
    const ids: Readonly<Record<string, string>> = { app_id: id, workflow_id: workflow };
    const url = BASE + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "unknown_1");
    const headers = { authorization: `Bearer ${key}` };
    const response = await stepwell.fetch(new Request(url, { method: "PUT", headers }));
    expect([response.status, (await response.json()).code]).toEqual([422, "invalid"]);
  });

  it("to a draft says that it needs one, and leaves the draft", async () => {
    const { stepwell, app } = createTestHost(true);
    const { id, key } = await app();
    const { id: workflow } = await stepwell.workflows.create(id, { name: "w", steps: [NOTE] });
    const put = async (body: string | null) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const url = `${BASE}/apps/${id}/workflows/${workflow}/draft`;
      return (await stepwell.fetch(new Request(url, { method: "PUT", headers, body }))).json();
    };
    for (const body of [null, ""])
      expect(await put(body)).toMatchObject({ detail: "the body: Is required, as JSON.", errors: [{ pointer: "" }] });
    expect(await stepwell.workflows.getDraft(id, workflow)).toMatchObject({ steps: [NOTE] });
    expect(await put("{}")).toMatchObject(EMPTY);
  });

  it("to a draft is refused as a missing argument of the function", async () => {
    const { stepwell } = createTestHost(false);
    const app = await stepwell.apps.create({ name: "x" });
    const { id } = await stepwell.workflows.create(app.id, { name: "w", steps: [NOTE] });
    const putting = stepwell.workflows.putDraft(app.id, id, undefined as never);
    await expect(putting).rejects.toMatchObject({ code: "invalid", message: "the argument: Is required." });
  });
});
