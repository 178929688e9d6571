/** Importing and exporting records over HTTP. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestService, type TestService } from "../../src/testing/index.ts";

const BASE = "https://stepwell.test/auto";

let t: TestService;
let key: string;
let loans: string;
beforeEach(async () => {
  t = await createTestService({ baseUrl: BASE, adminKey: "admin" });
  key = (await t.stepwell.keys.create(t.app, { name: "Tests" })).key;
  loans = (await t.stepwell.collections.create(t.app, { name: "Loans" })).id;
});
afterEach(() => t.close());

interface Sent {
  readonly query?: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly bearer?: string;
  readonly collection?: string;
}

function post(body: BodyInit, sent: Sent = {}) {
  const { query = "", type = "text/csv", headers = {}, bearer = key, collection = loans } = sent;
  return t.stepwell.fetch(
    new Request(`${BASE}/apps/me/collections/${collection}/records/import${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": type, ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit),
  );
}

const get = (query: string, bearer = key, collection = loans) =>
  t.stepwell.fetch(
    new Request(`${BASE}/apps/me/collections/${collection}/records/export${query}`, {
      headers: { authorization: `Bearer ${bearer}` },
    }),
  );

async function done(response: Response) {
  expect(response.status, await response.clone().text()).toBe(202);
  const { id } = await response.json();
  await expect.poll(async () => (await t.stepwell.jobs.get(t.app, id)).status).not.toBe("running");
  return t.stepwell.jobs.get(t.app, id);
}

const count = async () => (await t.stepwell.records.list(t.app, loans)).total;

describe("POST …/records/import", () => {
  it("returns 202 with a job and its Location", async () => {
    const response = await post("a:x\n1\n2\n");
    const job = await response.clone().json();
    expect(response.headers.get("location")).toBe(`${BASE}/apps/${t.app}/jobs/${job.id}`);
    expect(job).toMatchObject({ kind: "records.import", total: null });
    expect(await done(response)).toMatchObject({ status: "succeeded", done: 2 });
    expect(await count()).toBe(2);
  });

  it("writes in the name of the key", async () => {
    await done(await post("a:x\n1\n"));
    const [record] = (await t.stepwell.records.list(t.app, loans)).items;
    const { items } = await t.stepwell.records.history(t.app, loans, record?.id ?? "");
    expect(items[0]?.who.type).toBe("key");
  });

  it("accepts key and delimiter", async () => {
    await done(await post("a:x;a:y\n1;2,5\n1;3\n", { query: "?key=a:x&delimiter=%3B" }));
    const { items } = await t.stepwell.records.list(t.app, loans);
    expect(items.map(({ data }) => data)).toEqual([{ a: { x: 1, y: 3 } }]);
  });

  it.each(["application/x-ndjson", "application/jsonl; charset=utf-8"])("accepts %s", async (type) => {
    await done(await post('{"data":{"a":{"x":1}}}\n{"data":{}}', { type }));
    expect(await count()).toBe(2);
  });

  it.each([
    [{ type: "application/json" }, 415],
    [{ type: "text/csv; charset=klingon" }, 415],
    [{ headers: { "content-encoding": "gzip" } }, 415],
    [{ type: "text/csv; charset=us-ascii", query: "?key=x" }, 422],
    [{ query: "?delimiter=x" }, 422],
    [{ query: "?other=1" }, 422],
    [{ query: "?delimiter=,", type: "application/jsonl" }, 422],
    [{ collection: "coll_1" }, 404],
  ] satisfies [Sent, number][])("refuses %j with %i, and starts no job", async (sent, status) => {
    const response = await post("a:x\n1\n", sent);
    expect(response.status, await response.text()).toBe(status);
    expect((await t.stepwell.jobs.list(t.app)).items).toEqual([]);
  });

  it("refuses a body that is announced to have more than 100 MiB", async () => {
    const headers = { "content-length": String(100 * 1024 * 1024 + 1) };
    expect((await post("a:x\n1\n", { headers })).status).toBe(413);
  });

  it("creates once with the same Idempotency-Key, and refuses another text or query", async () => {
    const headers = { "idempotency-key": "k" };
    const first = await (await post("a:x\n1\n", { headers })).json();
    const again = await post("a:x\n1\n", { headers });
    expect((await again.clone().json()).id).toBe(first.id);
    await done(again);
    expect(await count()).toBe(1);
    expect((await post("a:x\n2\n", { headers })).status).toBe(409);
    expect((await post("a:x\n1\n", { headers, query: "?key=a:x" })).status).toBe(409);
  });

  it("is not found for another app, nor for a deleted collection", async () => {
    const other = await t.stepwell.apps.create({ name: "Other" });
    const foreign = (await t.stepwell.keys.create(other.id, { name: "Tests" })).key;
    expect((await post("a:x\n1\n", { bearer: foreign })).status).toBe(404);
    expect((await get("", foreign)).status).toBe(404);
    await t.stepwell.collections.remove(t.app, loans);
    expect((await post("a:x\n1\n")).status).toBe(404);
  });

  it("needs the scope of writes", async () => {
    const reader = (await t.stepwell.keys.create(t.app, { name: "R", scopes: ["collections:read"] })).key;
    expect((await post("a:x\n1\n", { bearer: reader })).status).toBe(403);
    expect((await get("", reader)).status).toBe(200);
  });
});

describe("GET …/records/export", () => {
  it("streams a file", async () => {
    await done(await post("a:x,a:y\n1,=1\n"));
    const response = await get("?format=csv");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": expect.stringContaining(`filename="${loans}.csv"`),
    });
    expect(await response.text()).toBe('"a:x","a:y"\r\n1,\'=1\r\n');
  });

  it("selects by the conditions of the list", async () => {
    await done(await post("a:x,a:y\n1,b\n2,c\n3,b\n"));
    const response = await get("?format=jsonl&filter[a:y]=b&filter[a:x][gt]=1");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(
      (await response.text())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).data),
    ).toEqual([{ a: { x: 3, y: "b" } }]);
    expect(await (await get("?fields=a:y&fields=a:z")).text()).toContain('"a:y","a:z"\r\nb,\r\n');
  });

  it.each(["?format=xml", "?fields=x", "?sort=a:x", "?page=2", "?filter[a:x][no]=1"])("refuses %s", async (query) => {
    expect((await get(query)).status).toBe(422);
  });

  it("answers HEAD without a body", async () => {
    const url = `${BASE}/apps/me/collections/${loans}/records/export`;
    const response = await t.stepwell.fetch(
      new Request(url, { method: "HEAD", headers: { authorization: `Bearer ${key}` } }),
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
});
