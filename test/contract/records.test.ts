/** Records of collections, in process and over HTTP. */
import { expect, it } from "vitest";
import { BASE, describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const LOAN = { loan: { amount: 250_000, "first name": "Zoë", parts: [1, { deep: null }] } };

async function refusal(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? [] : [error.code, ...error.errors.map(({ pointer }) => pointer)];
}

async function collectionIn(host: TestHost, input: object = {}) {
  const app = await host.app();
  const collection = await host.callApi("collections.create", app.id, { name: "Loans", ...input });
  return { app: app.id, id: String(collection.id) };
}

async function ruleOf(host: TestHost, app: string, code: string, rest: object = {}) {
  const workflow = await host.stepwell.workflows.create(app, {
    name: "Rule",
    steps: [{ type: "code", key: "rule", code }],
  });
  await host.stepwell.workflows.deploy(app, workflow.id);
  return { name: "Rule", key: "rule", workflow_id: workflow.id, ...rest };
}

const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

describeEachTransport("records", (open) => {
  it("creates, gets, updates, lists newest first and deletes a record", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const tag = await callApi("tags.create", app, { name: "Urgent" });
    const first = await callApi("records.create", app, id, { data: LOAN, tags: [tag.id, tag.id] });
    expect(first).toEqual({
      id: expect.stringMatching(/^rec_[0-9a-z]{26}$/),
      collection_id: id,
      version: 1,
      data: LOAN,
      tags: [tag],
      rule_results: [],
      created_at: instant,
      updated_at: instant,
    });
    expect(await callApi("records.get", app, id, first.id)).toEqual(first);
    const second = await callApi("records.create", app, id, {});
    expect(second).toMatchObject({ data: {}, tags: [] });
    expect(await callApi("records.list", app, id)).toMatchObject({ items: [second, first], total: 2, more: false });
    expect((await callApi("collections.get", app, id)).records_count).toBe(2);

    const changed = await callApi("records.update", app, id, first.id, {
      data: { loan: { amount: 1 }, x: { y: false } },
    });
    expect(changed).toEqual({
      ...first,
      version: 2,
      data: { loan: { ...LOAN.loan, amount: 1 }, x: { y: false } },
      updated_at: instant,
    });
    expect(await callApi("records.get", app, id, first.id)).toEqual(changed);

    await callApi("records.remove", app, id, first.id);
    expect(await refusal(callApi("records.get", app, id, first.id))).toEqual(["not_found"]);
    expect(await refusal(callApi("records.update", app, id, first.id, {}))).toEqual(["not_found"]);
    expect(await refusal(callApi("records.evaluate", app, id, first.id))).toEqual(["not_found"]);
    expect(await refusal(callApi("records.remove", app, id, first.id))).toEqual(["not_found"]);
    expect(await callApi("records.list", app, id)).toMatchObject({ items: [second], total: 1 });
    expect((await callApi("collections.list", app)).items[0].records_count).toBe(1);
  });

  it("removes a field or entity that is null, and keeps the version when nothing changes", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const record = await callApi("records.create", app, id, { data: { a: { b: 1, c: 2, gone: null }, d: { e: 3 } } });
    expect(record.data).toEqual({ a: { b: 1, c: 2 }, d: { e: 3 } });
    const patch = async (data: object) => (await callApi("records.update", app, id, record.id, { data })).data;
    expect(await patch({ a: { b: null } })).toEqual({ a: { c: 2 }, d: { e: 3 } });
    expect(await patch({ a: { c: null } })).toEqual({ d: { e: 3 } });
    expect(await patch({ d: null, f: { g: [] } })).toEqual({ f: { g: [] } });
    const before = await callApi("records.get", app, id, record.id);
    expect(before.version).toBe(4);
    expect(await callApi("records.update", app, id, record.id, { data: { f: { g: [] }, z: null }, tags: [] })).toEqual(
      before,
    );
  });

  it("rejects invalid data, tags and fields with a pointer", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const create = (input: unknown) => refusal(callApi("records.create", app, id, input));
    expect(await create({ data: [] })).toEqual(["invalid", "/data"]);
    expect(await create({ data: { loan: 7 } })).toEqual(["invalid", "/data/loan"]);
    expect(await create({ data: { "a:b": {} } })).toEqual(["invalid", "/data/a:b"]);
    expect(await create({ data: { a: { " b": 1 } } })).toEqual(["invalid", "/data/a/ b"]);
    expect(await create({ data: {}, tags: ["tag_none"] })).toEqual(["invalid", "/tags/0"]);
    expect(await create({ dat: {}, rule_results: [] })).toEqual(["invalid", "/dat", "/rule_results"]);
    const deep = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1);
    expect(await create({ data: { a: { b: deep(92) } } })).toEqual(["invalid", "/data"]);
    expect(await create({ data: { a: { b: deep(80) } } })).toEqual([]);
    expect(await refusal(callApi("records.list", app, id, { page_token: "?" }))).toEqual(["invalid", "/page_token"]);
    expect(await refusal(callApi("records.create", app, "coll_none", {}))).toEqual(["not_found"]);
  });

  it("limits a record to 1 MiB, including what mappings copy", async () => {
    const host = open();
    const mappings = [{ source_path: "a:text", destination_paths: ["b:text"] }];
    const { app, id } = await collectionIn(host, { config: { mappings } });
    const of = (length: number) =>
      host.callApi("records.create", app, id, { data: { a: { text: "x".repeat(length) } } });
    expect(await refusal(of(530_000))).toEqual(["too_large"]);
    const { data } = await of(500_000);
    expect(data.b.text).toHaveLength(500_000);
  });

  it("finds records by text in any field, by tags, and by page token while others are created", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const tag = await callApi("tags.create", app, { name: "Urgent" });
    const made = async (input: object) => (await callApi("records.create", app, id, input)).id;
    const zoe = await made({ data: { person: { name: "Zoë Müller" } } });
    const nested = await made({ data: { a: { list: [{ note: "calls ZOE back" }, 4711] } }, tags: [tag.id] });
    const other = await made({ data: { a: { b: "nobody" } }, tags: [tag.id] });
    expect(ids(await callApi("records.list", app, id, { search: "zoe" }))).toEqual([nested, zoe]);
    expect(ids(await callApi("records.list", app, id, { search: "4711" }))).toEqual([nested]);
    expect(ids(await callApi("records.list", app, id, { search: "back 4711" }))).toEqual([]);
    expect(ids(await callApi("records.list", app, id, { tags: [tag.id, "tag_none"] }))).toEqual([other, nested]);
    expect(ids(await callApi("records.list", app, id, { tags: "tag_none" }))).toEqual([]);
    await callApi("records.update", app, id, zoe, { data: { person: { name: "Joe" } } });
    expect(ids(await callApi("records.list", app, id, { search: "zoe" }))).toEqual([nested]);

    const page = await callApi("records.list", app, id, { take: 2 });
    expect(ids(page)).toEqual([other, nested]);
    await made({});
    const rest = await callApi("records.list", app, id, { take: 2, page_token: page.next_page_token });
    expect(rest).toMatchObject({ items: [{ id: zoe }], more: false });
  });

  it("applies the mappings with every write", async () => {
    const host = open();
    const { callApi } = host;
    const mappings = [
      { source_path: "loan:amount", destination_paths: ["summary:amount", "letter:total sum"] },
      { source_path: "summary:amount", destination_paths: ["loan:amount"] },
    ];
    const { app, id } = await collectionIn(host, { config: { mappings } });
    const record = await callApi("records.create", app, id, { data: { loan: { amount: 5 } } });
    const all = (n: number) => ({ loan: { amount: n }, summary: { amount: n }, letter: { "total sum": n } });
    expect(record.data).toEqual(all(5));
    const { data } = await callApi("records.update", app, id, record.id, { data: { loan: { amount: 6 } } });
    expect(data).toEqual(all(6));
  });

  it("evaluates the rules of the collection and returns their results", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const large = await ruleOf(host, app, "return { passed: input.record.data.loan.amount >= input.least }", {
      ...{ key: "large", on_success: "PASS", on_fail: "FAIL", workflow_input_default: { least: 100 } },
      execution_order: "after-all",
    });
    const named = await ruleOf(host, app, "return input.record.data.loan.name", { key: "named" });
    const off = await ruleOf(host, app, "return true", { key: "off", disabled: true });
    await callApi("collections.update", app, id, { config: { rules: [large, named, off] } });
    const record = await callApi("records.create", app, id, { data: { loan: { amount: 7, name: "A" } } });
    const resultsOf = (answer: { rule_results: { key: string; result: string }[] }) =>
      answer.rule_results.map(({ key, result }) => `${key} ${result}`);
    expect(resultsOf(record)).toEqual(["named PASS", "large FAIL"]);
    for (const result of record.rule_results) {
      expect(result).toMatchObject({ name: "Rule", error: null, started_at: instant, finished_at: instant });
      expect(await callApi("runs.get", app, result.run_id)).toMatchObject({ status: "succeeded", parent_run_id: null });
    }
    expect(await callApi("records.get", app, id, record.id)).toEqual(record);
    const changed = await callApi("records.update", app, id, record.id, {
      data: { loan: { amount: 700, name: null } },
    });
    expect(resultsOf(changed)).toEqual(["named WARN", "large PASS"]);

    const same = await callApi("records.update", app, id, record.id, { data: { loan: { amount: 700 } } });
    expect(same).toEqual(changed);
    const again = await callApi("records.evaluate", app, id, record.id);
    expect(resultsOf(again)).toEqual(resultsOf(changed));
    expect(again.version).toBe(changed.version);
    expect(again.rule_results[0].run_id).not.toBe(changed.rule_results[0].run_id);
  });

  it("upserts by the value of a field", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const upsert = (input: object) => callApi("records.upsert", app, id, { path: "invoice:no", ...input });
    const plain = await callApi("records.create", app, id, { data: { invoice: { no: "A1", sum: 1 } } });
    const changed = await upsert({ value: "A1", data: { invoice: { sum: 2 } } });
    expect(changed).toMatchObject({ id: plain.id, version: 2, data: { invoice: { no: "A1", sum: 2 } } });
    const made = await upsert({ value: 7, data: { other: { a: null, b: 1 } } });
    expect(made).toMatchObject({ version: 1, data: { invoice: { no: 7 }, other: { b: 1 } } });
    const text = await upsert({ value: "7" });
    expect(text.id).not.toBe(made.id);
    expect((await upsert({ value: 7, data: { invoice: { no: 7 } } })).id).toBe(made.id);

    await callApi("records.remove", app, id, made.id);
    const anew = await upsert({ value: 7 });
    expect(anew.id).not.toBe(made.id);
    await callApi("records.update", app, id, anew.id, { data: { invoice: { no: 8 } } });
    expect((await upsert({ value: 8 })).id).toBe(anew.id);
    expect((await upsert({ value: 7 })).id).not.toBe(anew.id);

    expect(await refusal(upsert({ value: 7, data: { invoice: { no: 8 } } }))).toEqual(["invalid", "/data/invoice/no"]);
    expect(await refusal(upsert({ value: 7, data: { invoice: null } }))).toEqual(["invalid", "/data/invoice"]);
    expect(await refusal(upsert({ value: [7] }))).toEqual(["invalid", "/value"]);
    expect(await refusal(upsert({ path: "invoice", value: 7 }))).toEqual(["invalid", "/path"]);
    const mappings = [{ source_path: "a:b", destination_paths: ["invoice:no"] }];
    await callApi("collections.update", app, id, { config: { mappings } });
    expect(await refusal(upsert({ value: 9, data: { a: { b: 10 } } }))).toEqual(["invalid", "/path"]);
  });

  it("rejects an update with an outdated expected_version", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const { id: record } = await callApi("records.create", app, id, {});
    const set = (n: number, expected_version: number) =>
      callApi("records.update", app, id, record, { data: { a: { n } }, expected_version });
    expect((await set(1, 1)).version).toBe(2);
    expect(await refusal(set(2, 1))).toEqual(["precondition_failed"]);
    expect((await callApi("records.get", app, id, record)).data).toEqual({ a: { n: 1 } });
  });

  it("keeps all changes of concurrent updates and upserts", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const { id: record } = await callApi("records.create", app, id, {});
    const fields = Array.from({ length: 20 }, (_, index) => `f${index}`);
    await Promise.all(
      fields.map((field) => callApi("records.update", app, id, record, { data: { a: { [field]: 1 } } })),
    );
    const { data, version } = await callApi("records.get", app, id, record);
    expect(Object.keys(data.a).sort()).toEqual(fields.sort());
    expect(version).toBe(21);

    const upserts = fields.map((field) =>
      callApi("records.upsert", app, id, { path: "key:k", value: "one", data: { b: { [field]: 1 } } }),
    );
    const made = new Set((await Promise.all(upserts)).map((one) => one.id));
    expect(made.size).toBe(1);
    const [only] = made;
    expect(Object.keys((await callApi("records.get", app, id, only)).data.b)).toHaveLength(20);
  });

  it("answers 404 for records of another app or collection", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const { id: record } = await callApi("records.create", app, id, { data: LOAN });
    const stranger = await collectionIn(host);
    const sibling = await callApi("collections.create", app, { name: "Leases" });
    const places: [string, string][] = [
      [stranger.app, id],
      [stranger.app, stranger.id],
      [app, sibling.id],
    ];
    for (const place of places) {
      for (const call of ["get", "update", "evaluate", "remove"]) {
        const input = call === "update" ? [{ data: {} }] : [];
        expect(await refusal(callApi(`records.${call}`, ...place, record, ...input)), call).toEqual(["not_found"]);
      }
    }
    expect(await refusal(callApi("records.list", stranger.app, id))).toEqual(["not_found"]);
    expect(await refusal(callApi("records.create", stranger.app, id, {}))).toEqual(["not_found"]);
    expect(await refusal(callApi("records.upsert", stranger.app, id, { path: "a:b", value: 1 }))).toEqual([
      "not_found",
    ]);
    const { id: tag } = await callApi("tags.create", stranger.app, { name: "Theirs" });
    expect(await refusal(callApi("records.update", app, id, record, { tags: [tag] }))).toEqual(["invalid", "/tags/0"]);
  });

  it("reads records of a deleted collection, and rejects writes", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const record = await callApi("records.create", app, id, { data: LOAN });
    await callApi("collections.remove", app, id);
    expect(await callApi("records.get", app, id, record.id)).toEqual(record);
    expect(ids(await callApi("records.list", app, id))).toEqual([record.id]);
    const writes: [string, ...unknown[]][] = [
      ["create", {}],
      ["upsert", { path: "a:b", value: 1 }],
      ["update", record.id, { data: {} }],
      ["evaluate", record.id],
      ["remove", record.id],
    ];
    for (const [call, ...rest] of writes) {
      expect(await refusal(callApi(`records.${call}`, app, id, ...rest)), call).toEqual(["not_found"]);
    }
  });

  it("creates one record for a `key`", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const create = (key: string, n: number) => callApi("records.create", app, id, { key, data: { a: { n } } });
    const [first, ...others] = await Promise.all([1, 2, 3].map((n) => create("k", n)));
    expect(others.map((one) => one.id)).toEqual([first.id, first.id]);
    expect((await create("l", 1)).id).not.toBe(first.id);
    expect((await callApi("records.list", app, id)).total).toBe(2);
  });

  it("requires a key with the scope, even in a PUBLIC collection", async () => {
    const host = open();
    const { app, id } = await collectionIn(host, { visibility: "PUBLIC" });
    const { id: record } = await host.callApi("records.create", app, id, { data: LOAN });
    const { key } = await host.stepwell.keys.create(app, { name: "reads", scopes: ["collections:read"] });
    const status = async (method: string, path: string, headers: Record<string, string> = {}) =>
      (
        await host.stepwell.fetch(
          new Request(`${BASE}/apps/${app}/collections/${id}/records${path}`, { method, headers }),
        )
      ).status;
    expect(await status("GET", "")).toBe(401);
    expect(await status("GET", `/${record}`)).toBe(401);
    const authorization = `Bearer ${key}`;
    expect(await status("GET", `/${record}`, { authorization })).toBe(200);
    for (const [method, path] of [
      ["POST", ""],
      ["POST", "/upsert"],
      ["PATCH", `/${record}`],
      ["DELETE", `/${record}`],
      ["POST", `/${record}/evaluate`],
    ] as const) {
      expect(await status(method, path, { authorization }), `${method} ${path}`).toBe(403);
    }
  });
});
