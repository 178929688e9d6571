/** Bulk calls: outcomes, order, repeats after a crash, and the number of records. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordOperation } from "../../src/index.ts";
import { createTestService } from "../../src/testing/index.ts";
import { openService } from "../support/engine/service.ts";
import { BASE, describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";

async function collectionIn(host: TestHost) {
  const app = await host.app();
  const { id } = await host.callApi("collections.create", app.id, { name: "Loans" });
  return { app: app.id, id: String(id) };
}

describeEachTransport("records.bulk", (open) => {
  it("returns an outcome for each operation in order, and continues after a failed one", async () => {
    const host = open();
    const { app, id } = await collectionIn(host);
    const known = await host.callApi("records.create", app, id, { data: { a: { b: 1 } } });
    const operations = [
      { op: "create", data: { a: { b: 2 } } },
      { op: "create", data: { a: 7 } },
      { op: "update", record_id: known.id, data: { a: { c: 1 } } },
      { op: "update", record_id: known.id, data: { a: { c: 2 } } },
      { op: "update", record_id: known.id, data: {}, expected_version: 1 },
      { op: "update", record_id: "rec_none", data: {} },
      { op: "update", record_id: "../x", data: {} },
      { op: "upsert", path: "a:b", value: 2, data: { a: { c: 3 } } },
      { op: "upsert", path: "a:b", value: 9 },
      { op: "delete", record_id: known.id },
      null,
      { op: "create", tags: ["tag_none"] },
    ];
    const { outcomes } = await host.callApi("records.bulk", app, id, { operations });
    expect(outcomes.map(({ index, status }: { index: number; status: number }) => [index, status])).toEqual(
      [201, 422, 200, 200, 412, 404, 404, 200, 201, 422, 422, 422].map((status, index) => [index, status]),
    );
    expect(outcomes[1].error).toMatchObject({ code: "invalid", errors: [{ pointer: "/operations/1/data/a" }] });
    expect(outcomes[3]).toMatchObject({ record_id: known.id, error: null });
    expect(outcomes[3].record).toMatchObject({ version: 3, data: { a: { b: 1, c: 2 } } });
    expect(outcomes[4].error.detail).toContain("has version 3, not 1");
    expect(outcomes[7].record_id).toBe(outcomes[0].record_id);
    expect(outcomes[9].error.errors).toMatchObject([{ pointer: "/operations/9/op" }]);
    expect((await host.callApi("collections.get", app, id)).records_count).toBe(3);
    const history = await host.callApi("records.history", app, id, known.id);
    expect(history.total).toBe(3);
  });

  it("refuses an unknown collection, and none or more than 1,000 operations", async () => {
    const host = open();
    const { app, id } = await collectionIn(host);
    const code = (collection: string, operations: unknown) =>
      host.callApi("records.bulk", app, collection, { operations }).then(
        () => "",
        (error: Refusal) => [error.code, ...error.errors.map(({ pointer }) => pointer)].join(" "),
      );
    const create = { op: "create" };
    expect(await code("coll_none", [create])).toBe("not_found");
    expect(await code(id, [])).toBe("invalid /operations");
    expect(
      await code(
        id,
        Array.from({ length: 1_001 }, () => create),
      ),
    ).toBe("invalid /operations");
    expect(
      await code(
        id,
        Array.from({ length: 1_000 }, () => create),
      ),
    ).toBe("");
    expect((await host.callApi("collections.get", app, id)).records_count).toBe(1_000);
  });

  it("omits records beyond 16 MiB of response", async () => {
    const host = open();
    const { app, id } = await collectionIn(host);
    const { id: record } = await host.callApi("records.create", app, id, {
      data: { a: { text: "x".repeat(900_000) } },
    });
    const operations = Array.from({ length: 30 }, (_, n) => ({ op: "update", record_id: record, data: { a: { n } } }));
    const { outcomes } = await host.callApi("records.bulk", app, id, { operations });
    expect(outcomes.filter((one: { record: unknown }) => one.record !== null)).toHaveLength(18);
    expect(outcomes.at(-1)).toMatchObject({ status: 200, record_id: record, record: null, error: null });
  });
});

describe("the result of a bulk call", () => {
  const field = fc.constantFrom("x", "y");
  const value = fc.integer({ min: 0, max: 2 });
  const data = fc.dictionary(field, value, { maxKeys: 2 }).map((fields) => ({ a: fields }));
  const operation = fc.oneof(
    fc.record({ op: fc.constant<"create">("create"), data }),
    fc.record({ op: fc.constant<"update">("update"), target: fc.nat(2), data }),
    fc.record({ op: fc.constant<"upsert">("upsert"), path: field.map((name) => `a:${name}`), value, data }),
  );

  it("is that of the single calls one after the other", async () => {
    const t = await createTestService();
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (given) => {
        async function play(act: (id: string, operations: RecordOperation[]) => Promise<unknown>) {
          const { id } = await t.stepwell.collections.create(t.app, { name: "Loans" });
          const first: string[] = [];
          for (let n = 0; n < 3; n++) first.push((await t.stepwell.records.create(t.app, id, {})).id);
          const operations = given.map((one) => {
            if (!("target" in one)) return one;
            const { target, ...rest } = one;
            return { ...rest, record_id: first[target] ?? "" };
          });
          await act(id, operations);
          const { items } = await t.stepwell.records.list(t.app, id);
          return items
            .map(({ version, data }) => JSON.stringify([version, Object.entries(data["a"] ?? {}).sort()]))
            .sort();
        }
        const bulk = await play((id, operations) => t.stepwell.records.bulk(t.app, id, { operations }));
        const single = await play(async (id, operations) => {
          for (const one of operations) await t.stepwell.records.bulk(t.app, id, { operations: [one] });
        });
        expect(bulk).toEqual(single);
      }),
      { numRuns: 20 },
    );
    await t.close();
  });
});

describe("a bulk call with an Idempotency-Key", () => {
  const operations = [
    ...Array.from({ length: 20 }, (_, n) => ({ op: "create", data: { a: { n } } })),
    ...Array.from({ length: 5 }, (_, n) => ({ op: "upsert", path: "a:m", value: n })),
    { op: "upsert", path: "a:n", value: 3, data: { a: { late: true } } },
  ];

  async function survive(fault: Fault, at: number): Promise<number> {
    const data = new Map<string, string>();
    const prepared = await openService({ storage: { entities: faultyDriver(data, "rejects", 0).driver } });
    const { app } = prepared;
    const { id } = await prepared.stepwell.collections.create(app, { name: "Loans" });
    const { key } = await prepared.stepwell.keys.create(app, { name: "Tests" });
    await prepared.stepwell.close();
    const send = async (service: typeof prepared, body: object, idempotencyKey = "once") => {
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      };
      const path = `${BASE}/apps/${app}/collections/${id}/records/bulk`;
      const response = await service.stepwell.fetch(
        new Request(path, { method: "POST", headers, body: JSON.stringify(body) }),
      );
      return { status: response.status, json: await response.json() };
    };
    const faulty = faultyDriver(data, fault, at);
    const first = await openService({ baseUrl: BASE, storage: { entities: faulty.driver } }, app);
    await Promise.race([send(first, { operations }), faulty.death]);
    await Promise.race([first.stepwell.close(), faulty.death]);

    const next = await openService(
      { baseUrl: BASE, storage: { entities: faultyDriver(data, "rejects", 0).driver } },
      app,
    );
    const again = await send(next, { operations });
    expect(again.json.outcomes.map(({ status }: { status: number }) => status)).toEqual([
      ...Array.from({ length: 25 }, () => 201),
      200,
    ]);
    expect(await send(next, { operations })).toEqual(again);
    expect((await send(next, { operations: operations.slice(1) })).json.code).toBe("idempotency_mismatch");
    expect((await next.stepwell.collections.get(app, id)).records_count).toBe(25);
    const { items } = await next.stepwell.records.list(app, id);
    expect(items.filter(({ data }) => data["a"]?.["late"] === true)).toMatchObject([{ version: 2 }]);
    await next.stepwell.close();
    return faulty.calls;
  }

  it("creates nothing twice wherever the process dies, and returns the same outcomes", async () => {
    const calls = await survive("dies", Number.POSITIVE_INFINITY);
    expect(calls).toBeGreaterThan(3);
    for (const fault of ["dies", "dies after the call"] as const) {
      for (const at of callsToFail(calls, fault)) await survive(fault, at);
    }
  });
});

describe("records_count", () => {
  it("is right after 10,000 creates and deletes at once, single and in bulk, and after a crash", async () => {
    const data = new Map<string, string>();
    const first = await openService({ storage: { entities: faultyDriver(data, "rejects", 0).driver } });
    const { app } = first;
    const { id } = await first.stepwell.collections.create(app, { name: "Loans" });
    const random = fc.sample(fc.nat(99), { numRuns: 10_000, seed: 1 });
    const open: string[] = [];
    let left = 0;
    async function worker(part: readonly number[]): Promise<void> {
      for (let at = 0; at < part.length; ) {
        const chance = part[at] ?? 0;
        const record = chance < 40 ? open.pop() : undefined;
        if (record !== undefined) {
          await first.stepwell.records.remove(app, id, record);
          left--;
          at++;
        } else if (chance < 90) {
          open.push((await first.stepwell.records.create(app, id, {})).id);
          left++;
          at++;
        } else {
          const operations = Array.from({ length: Math.min(20, part.length - at) }, () => ({ op: "create" as const }));
          const { outcomes } = await first.stepwell.records.bulk(app, id, { operations });
          for (const { record_id } of outcomes) open.push(record_id ?? "");
          left += outcomes.length;
          at += outcomes.length;
        }
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => worker(random.slice(n * 500, (n + 1) * 500))));
    const count = async (service: typeof first) => (await service.stepwell.collections.get(app, id)).records_count;
    expect(await count(first)).toBe(left);
    expect(left).toBe(open.length);
    await first.stepwell.close();

    const dying = faultyDriver(data, "dies", 8);
    const second = await openService({ storage: { entities: dying.driver } }, app);
    const writes = Array.from({ length: 50 }, async (_, n) => {
      for (let round = 0; round < 5; round++) {
        if (n % 2 === 0) await second.stepwell.records.create(app, id, {});
        else await second.stepwell.records.remove(app, id, open.pop() ?? "");
      }
    });
    await Promise.race([Promise.allSettled(writes), dying.death]);
    const third = await openService({ storage: { entities: faultyDriver(data, "rejects", 0).driver } }, app);
    let listed = 0;
    for (let page_token: string | undefined; ; ) {
      const page = await third.stepwell.records.list(app, id, { take: 1_000, ...(page_token && { page_token }) });
      listed += page.items.length;
      page_token = page.next_page_token;
      if (page_token === undefined) break;
    }
    expect(await count(third)).toBe(listed);
    expect(dying.dead).toBe(true);
    await third.stepwell.close();
  });
});

it("lets other work go first after some thousand fields", async () => {
  const { stepwell, app } = await openService();
  const { id } = await stepwell.collections.create(app, { name: "Wide" });
  const a = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
  const operations = Array.from({ length: 32 }, (): RecordOperation => ({ op: "create", data: { a } }));
  /** Records that other work saw, in each of its turns. */
  const seen = new Set<number>();
  let isDone = false;
  async function look(): Promise<void> {
    while (!isDone) {
      seen.add((await stepwell.collections.get(app, id)).records_count);
      await new Promise(setImmediate);
    }
  }
  const looking = look();
  const { outcomes } = await stepwell.records.bulk(app, id, { operations });
  isDone = true;
  await looking;
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(32);
  expect(seen.size).toBeGreaterThan(6);
  await stepwell.close();
});
