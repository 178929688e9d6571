/** Limits on large records and many mappings: the response stays small, whatever mappings copy. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyMappings } from "../../src/collections/records/apply-mappings.ts";
import { MAX_FIELDS } from "../../src/collections/records/record.ts";
import { listPage } from "../../src/documents/documents.ts";
import { createIds } from "../../src/ids.ts";
import type { RecordListOptions } from "../../src/index.ts";
import type { JsonValue } from "../../src/json.ts";
import type { Store } from "../../src/ports/store.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { countingDriver } from "../support/storage/counting.ts";
import { openStore } from "../support/storage/open.ts";

const BASE = "https://example.com/auto";
const MAX_ERROR_CHARACTERS = 64 * 1024;

let t: TestService;
let key: string;
beforeAll(async () => {
  t = await createTestService({ baseUrl: BASE });
  key = (await t.stepwell.keys.create(t.app, { name: "Tests" })).key;
});
afterAll(() => t.close());

async function send(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const request = new Request(`${BASE}/apps/${t.app}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await t.stepwell.fetch(request);
  const text = await response.text();
  if (response.status >= 400) expect(text.length).toBeLessThan(MAX_ERROR_CHARACTERS);
  return { status: response.status, body: JSON.parse(text) };
}

async function collection(mappings: object[] = []): Promise<string> {
  return (await send("POST", "/collections", { name: "C", config: { mappings } })).body.id;
}

const many = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const fields = (length: number, value: (index: number) => JsonValue = (index) => index) =>
  Object.fromEntries(many(length, (index) => [`f${index}`, value(index)]));

describe("a record", () => {
  it("may have as many fields as the limit, and upsert finds it by one of them", async () => {
    const id = await collection();
    const { status, body } = await send("POST", `/collections/${id}/records`, { data: { e: fields(MAX_FIELDS) } });
    expect(status).toBe(201);
    const found = await send("POST", `/collections/${id}/records/upsert`, { path: "e:f77", value: 77 });
    expect(found.body.id).toBe(body.id);
  });

  it.each<[string, () => object]>([
    ["in one entity", () => ({ e: fields(MAX_FIELDS + 1) })],
    ["60,000 in one entity", () => ({ e: fields(60_000) })],
    ["in many entities", () => Object.fromEntries(many(MAX_FIELDS + 1, (index) => [`e${index}`, { f: 0 }]))],
    ["in two entities", () => ({ a: fields(MAX_FIELDS), b: fields(1) })],
    ["in empty entities", () => Object.fromEntries(many(50_000, (index) => [`e${index}`, {}]))],
  ])("returns 422 for more fields than the limit: %s", async (_, data) => {
    const { status, body } = await send("POST", `/collections/${await collection()}/records`, { data: data() });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: "/data", message: expect.stringContaining(`at most ${MAX_FIELDS}`) }]);
  });

  it("returns 422 for an update that exceeds the limit of fields, unless it removes as many", async () => {
    const id = await collection();
    const { body } = await send("POST", `/collections/${id}/records`, { data: { e: fields(MAX_FIELDS) } });
    const path = `/collections/${id}/records/${body.id}`;
    expect(await send("PATCH", path, { data: { other: { f: 1 } } })).toMatchObject({ status: 422 });
    expect(await send("PATCH", path, { data: { e: { f0: null }, other: { f: 1 } } })).toMatchObject({ status: 200 });
  });

  it("may contain an array of 130,000 items, even after an update", async () => {
    const id = await collection();
    const list = many(130_000, (index) => index);
    const created = await send("POST", `/collections/${id}/records`, { data: { e: { list } } });
    expect(created.status).toBe(201);
    expect(created.body.data.e.list).toHaveLength(130_000);
    const changed = await send("PATCH", `/collections/${id}/records/${created.body.id}`, { data: { e: { n: 1 } } });
    expect(changed.body.data.e.list).toHaveLength(130_000);
  });
});

describe("a collection", () => {
  it("prepares one run for each of 60 rules that start and end together", async () => {
    const RULES = 60;
    const made: string[] = [];
    const ids = createIds(systemClock);
    const next = (prefix: string) => {
      made.push(prefix);
      return ids.next(prefix);
    };
    const service = await createTestService({ ids: { ...ids, next } });
    const { stepwell, app } = service;
    const steps = [{ type: "input" as const, key: "in", input: {} }];
    const workflow_id = (await stepwell.workflows.create(app, { name: "W", steps })).id;
    await stepwell.workflows.deploy(app, workflow_id);
    const rules = many(RULES, (index) => ({ name: `${index}`, key: `${index}`, workflow_id }));
    const { id } = await stepwell.collections.create(app, { name: "C", config: { rules } });
    const { rule_results } = await stepwell.records.create(app, id, { data: { e: { f: "x".repeat(10_000) } } });
    expect(new Set(rule_results.map(({ result }) => result))).toEqual(new Set(["PASS"]));
    expect(made.filter((prefix) => prefix === "run")).toHaveLength(RULES);
    await service.close();
  });

  it("returns 422 for more than 500 rules", async () => {
    const rules = many(501, (index) => ({ name: "R", key: `${index}`, workflow_id: "work_x" }));
    const { status, body } = await send("POST", "/collections", { name: "C", config: { rules } });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: "/config/rules", message: "Must have at most 500 rules." }]);
  });
});

describe("a page of large records", () => {
  it("returns 422 when it would exceed 16 MiB, and says how many items fit", async () => {
    const id = await collection();
    const data = { e: { large: "x".repeat(1_000_000) } };
    for (let number = 0; number < 20; number++) await t.stepwell.records.create(t.app, id, { data });
    const list = (query: string) => send("GET", `/collections/${id}/records?${query}`);
    const refused = await list("take=100");
    expect(refused.status).toBe(422);
    const message = "The first 17 items exceed 16777216 characters. Request fewer items, such as 16.";
    expect(refused.body.errors).toEqual([{ in: "query", pointer: "/take", message }]);
    const page = await list("take=16");
    expect(page.status).toBe(200);
    expect(page.body).toHaveLength(16);
  });

  it("with conditions ends early, and the next page continues", async () => {
    const id = await collection();
    const data = { e: { large: "x".repeat(1_000_000), n: 1 } };
    for (let number = 0; number < 20; number++) await t.stepwell.records.create(t.app, id, { data });
    const query: RecordListOptions = { filter: [{ field: "e:n", op: "eq", value: 1 }], sort: "e:n" };
    const first = await t.stepwell.records.list(t.app, id, query);
    expect(first).toMatchObject({ more: true, incomplete: true });
    const page_token = first.next_page_token ?? "";
    const second = await t.stepwell.records.list(t.app, id, { ...query, page_token });
    expect(second).toMatchObject({ more: false, incomplete: false });
    const ids = [...first.items, ...second.items].map((record) => record.id);
    expect([ids.length, new Set(ids).size, first.items.length]).toEqual([20, 20, 16]);
  });

  it("is refused before all of its items are read", async () => {
    const store = openStore(countingDriver().driver);
    const large = "x".repeat(400_000);
    for (let n = 100; n < 300; n++) {
      const row = { list: "things", put: { id: `t_${n}` } };
      await store.commit([{ key: `thing:${n}`, document: { id: `t_${n}`, large }, rows: [row] }]);
    }
    let read = 0;
    const counting: Store = {
      ...store,
      async listDocuments<T extends object>(...args: Parameters<typeof store.listDocuments>) {
        const found = await store.listDocuments<T>(...args);
        read += found.documents.length;
        return found;
      },
    };
    const keyOf = (thing: string) => `thing:${thing.slice(2)}` as const;
    const page = (take: number) => listPage(counting, "things", { page: 1, take }, keyOf, (thing) => thing);
    await expect(page(1_000)).rejects.toMatchObject({ code: "invalid" });
    expect(read).toBe(50);
    const all = await listPage(counting, "things", { page: 2, take: 90 }, keyOf, () => ({}));
    expect(all).toMatchObject({ more: true, total: 200, next_page_token: "t_120" });
    expect(all.items).toHaveLength(90);
    await store.close();
  });

  it("of history is refused, too", async () => {
    const { stepwell, app } = t;
    const id = await collection();
    const record = await stepwell.records.create(app, id, { data: { e: { n: 0 } } });
    const value = "x".repeat(4_000);
    // 64 KiB of changes each: as many as an entry has.
    const e = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, value]));
    for (let n = 1; n <= 600; n++) {
      const change = Object.fromEntries(Object.keys(e).map((field) => [field, `${n}${value}`]));
      await stepwell.records.update(app, id, record.id, { data: { e: change } });
    }
    const history = (take: number) => stepwell.records.history(app, id, record.id, { take });
    await expect(history(600)).rejects.toMatchObject({
      errors: [{ in: "query", pointer: "/take", message: expect.stringContaining("Request fewer items, such as") }],
    });
    expect((await history(200)).items).toHaveLength(200);
  });
});

describe("mappings to thousands of fields", () => {
  const destinations = (length: number) => many(length, (index) => `d:x${index}`);

  it("copy a small value to all of them", async () => {
    const id = await collection([{ source_path: "e:f0", destination_paths: destinations(9_000) }]);
    const { status, body } = await send("POST", `/collections/${id}/records`, { data: { e: fields(1_000) } });
    expect(status).toBe(201);
    expect(Object.keys(body.data.d)).toHaveLength(9_000);
  });

  it("return 422 when they make more fields than the limit", async () => {
    const id = await collection([{ source_path: "e:f0", destination_paths: destinations(9_000) }]);
    const { status, body } = await send("POST", `/collections/${id}/records`, { data: { e: fields(2_000) } });
    expect(status).toBe(422);
    expect(body.errors[0].message).toBe(
      "Must have at most 10000 fields. It has 11000, including the fields that mappings write.",
    );
  });

  it("return 413 when copies of a large value make the record too large", async () => {
    const id = await collection([{ source_path: "e:large", destination_paths: destinations(9_000) }]);
    for (const large of ["x".repeat(900_000), many(400_000, () => 1), [[fields(5_000, () => "x".repeat(50))]]]) {
      const { status, body } = await send("POST", `/collections/${id}/records`, { data: { e: { large } } });
      expect(status).toBe(413);
      expect(body.detail).toContain("exceed 1048576 bytes");
    }
  });

  it("compare the same two large values once, however many mappings name them", () => {
    let reads = 0;
    const watched = (last: string): JsonValue =>
      new Proxy([...many(100, () => 0), last], {
        get(target, name) {
          reads++;
          return Reflect.get(target, name);
        },
      });
    const before = { a: { source: watched("old") }, d: { x: watched("other") } };
    const cost = (times: number) => {
      reads = 0;
      const mappings = many(times, () => ({ source_path: "a:source", destination_paths: ["d:x", "d:x"] }));
      expect(applyMappings(before, { a: { source: null } }, mappings)["d"]).toHaveProperty("x");
      return reads;
    };
    expect(cost(1_000)).toBe(cost(1));
  });

  it.each<[string, number, number]>([
    ["one source has 1,000 destinations", 1, 1_000],
    ["1,000 sources have the same destination", 1_000, 1],
    ["100 sources have the same 100 destinations", 100, 100],
  ])("read each value once when %s", (_, sources, destinations) => {
    let reads = 0;
    const counted = (value: number) => ({
      get large() {
        reads++;
        return value;
      },
    });
    const lost = fields(sources, (index) => counted(index));
    const before = { a: lost, d: fields(destinations, (index) => counted(sources + index)) };
    const destination_paths = Object.keys(before.d).map((name) => `d:${name}`);
    const mappings = Object.keys(lost).map((name) => ({ source_path: `a:${name}`, destination_paths }));
    const after = applyMappings(before, { a: null }, mappings);
    expect(reads).toBe(sources + destinations);
    expect(after).toEqual({ d: before.d });
  });
});
