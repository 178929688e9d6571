/** Entity tags of records: `ETag`, `If-Match`, `If-None-Match`, and `expected_version` in process. */
import { expect, it } from "vitest";
import { BASE, createTestHost, describeEachTransport, type Refusal } from "../support/http/transports.ts";

async function setUp() {
  const host = createTestHost(true);
  const app = await host.app();
  const { id } = await host.stepwell.collections.create(app.id, { name: "Loans" });
  const all = `/apps/${app.id}/collections/${id}/records`;
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const request = new Request(`${BASE}${all}${path}`, {
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
    const json = text === "" ? null : JSON.parse(text);
    return { status: response.status, etag: response.headers.get("etag"), text, json };
  }
  return { send, host, app: app.id, id };
}

it("every response with one record has its version as a strong ETag", async () => {
  const { send } = await setUp();
  const created = await send("POST", "", { data: { a: { b: 1 } } });
  const at = `/${created.json.id}`;
  expect([created.status, created.etag]).toEqual([201, '"1"']);
  expect((await send("GET", at)).etag).toBe('"1"');
  expect((await send("HEAD", at)).etag).toBe('"1"');
  expect((await send("PATCH", at, { data: { a: { b: 2 } } })).etag).toBe('"2"');
  expect((await send("POST", "/upsert", { path: "a:b", value: 2, data: { a: { c: 1 } } })).etag).toBe('"3"');
  expect((await send("POST", `${at}/evaluate`)).etag).toBe('"3"');
  expect((await send("GET", `${at}?version=2`)).etag).toBe('"2"');
  expect((await send("GET", "")).etag).toBeNull();
});

it("If-Match with another version returns 412 with both versions and changes nothing", async () => {
  const { send } = await setUp();
  const { json } = await send("POST", "", { data: { a: { b: 1 } } });
  const at = `/${json.id}`;
  const patch = (tags: string, value: number) => send("PATCH", at, { data: { a: { b: value } } }, { "if-match": tags });
  expect((await patch('"1"', 2)).etag).toBe('"2"');
  const late = await patch('"1"', 3);
  expect([late.status, late.json.code]).toEqual([412, "precondition_failed"]);
  expect(late.json.detail).toContain("has version 2, not 1");
  expect((await patch('"7", "2"', 4)).etag).toBe('"3"');
  expect((await patch("*", 5)).etag).toBe('"4"');
  for (const tags of ['W/"4"', '"x"', '"04"', "4", '""', `"${"9".repeat(400)}"`])
    expect((await patch(tags, 6)).status).toBe(412);
  const both = { data: { a: { b: 7 } }, expected_version: 3 };
  expect((await send("PATCH", at, both, { "if-match": '"4"' })).status).toBe(412);
  expect((await send("DELETE", at, undefined, { "if-match": '"3"' })).json.detail).toContain("has version 4, not 3");
  expect((await send("DELETE", `${at}?expected_version=3`)).status).toBe(412);
  expect((await send("GET", at, undefined, { "if-match": '"3"' })).status).toBe(412);
  expect((await send("POST", `${at}/evaluate`, undefined, { "if-match": '"3"' })).status).toBe(412);
  expect((await send("GET", at)).json.data).toEqual({ a: { b: 5 } });
  expect((await send("DELETE", at, undefined, { "if-match": '"4"' })).status).toBe(204);
  expect((await send("DELETE", at, undefined, { "if-match": '"4"' })).status).toBe(404);
});

it("If-None-Match returns 304 while the record is unchanged", async () => {
  const { send, host, app } = await setUp();
  const { json } = await send("POST", "", {});
  const at = `/${json.id}`;
  const get = (tags: string, method = "GET") => send(method, at, undefined, { "if-none-match": tags });
  expect(await get('"1"')).toMatchObject({ status: 304, etag: '"1"', text: "" });
  expect((await get('"1"', "HEAD")).status).toBe(304);
  expect((await get('"9", W/"1"')).status).toBe(304);
  expect((await get('"2"')).status).toBe(200);
  const tag = await host.stepwell.tags.create(app, { name: "Urgent" });
  await send("PATCH", at, { tags: [tag.id] });
  await host.stepwell.tags.update(app, tag.id, { name: "Renamed" });
  expect((await get('"2"')).json.tags).toMatchObject([{ name: "Renamed" }]);
  await host.stepwell.tags.remove(app, tag.id);
  expect((await get('"2"')).json.tags).toEqual([]);
  await send("PATCH", at, { data: { a: { b: 1 } }, tags: [] });
  expect((await get('"3"')).status).toBe(304);
});

it("32 writers that send If-Match lose no update", async () => {
  const { send } = await setUp();
  const { json } = await send("POST", "", { data: { a: { n: 0 } } });
  const at = `/${json.id}`;
  let refused = 0;
  async function increment(): Promise<void> {
    for (;;) {
      const { etag, json: record } = await send("GET", at);
      const body = { data: { a: { n: record.data.a.n + 1 } } };
      const { status } = await send("PATCH", at, body, { "if-match": etag ?? "" });
      if (status === 200) return;
      expect(status).toBe(412);
      refused++;
    }
  }
  await Promise.all(Array.from({ length: 32 }, increment));
  expect((await send("GET", at)).json).toMatchObject({ version: 33, data: { a: { n: 32 } } });
  expect(refused).toBeGreaterThan(0);
});

describeEachTransport("records", (open) => {
  it("with another version than expected_version are neither updated nor deleted", async () => {
    const host = open();
    const app = await host.app();
    const { id } = await host.callApi("collections.create", app.id, { name: "Loans" });
    const record = await host.callApi("records.create", app.id, id, {});
    const code = (call: Promise<unknown>) =>
      call.then(
        () => "",
        (error: Refusal) => `${error.code} ${error.message}`,
      );
    const remove = (expected_version: unknown) =>
      code(host.callApi("records.remove", app.id, id, record.id, { expected_version }));
    expect(await remove(2)).toContain("has version 1, not 2");
    expect(await remove(-1)).toContain("invalid");
    expect(await code(host.callApi("records.update", app.id, id, record.id, { expected_version: 2 }))).toContain("412");
    expect(await remove(1)).toBe("");
  });

  it("of a deleted collection come back when it is restored", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const { id } = await callApi("collections.create", app.id, { name: "Loans" });
    const record = await callApi("records.create", app.id, id, {});
    const restore = (app: string, collection: string) =>
      callApi("collections.restore", app, collection).catch((error: Refusal) => error.code);
    expect(await restore(app.id, id)).toBe("conflict");
    await callApi("collections.remove", app.id, id);
    const other = await host.app();
    expect(await restore(other.id, id)).toBe("not_found");
    expect(await restore(app.id, "coll_none")).toBe("not_found");
    expect(await restore(app.id, id)).toMatchObject({ id, deleted: false, records_count: 1 });
    expect(await callApi("collections.list", app.id, { deleted: true })).toMatchObject({ items: [] });
    expect(await callApi("collections.list", app.id)).toMatchObject({ items: [{ id }], total: 1 });
    expect((await callApi("records.update", app.id, id, record.id, { data: { a: { b: 1 } } })).version).toBe(2);
    expect(await restore(app.id, id)).toBe("conflict");
  });
});
