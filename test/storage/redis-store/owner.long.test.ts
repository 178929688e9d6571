/** One owner of a Redis store at a time: a second one is refused, a dead one replaced, and a paused one fenced. */
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { startChild } from "../../faults/child.ts";
import { idOf } from "../../faults/creation.ts";
import { createHandClock } from "../../support/storage/hand-clock.ts";
import { silent } from "../../support/storage/open.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

const writer = join(import.meta.dirname, "writer.ts");
const isUnavailable = { code: "unavailable" };
let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject("redis"));
});
afterAll(() => redis.disconnect());

/** Opens a store as soon as it is free. */
async function openWhenFree(open: () => Store): Promise<Store> {
  const store = open();
  await until(async () =>
    store.get("thing:none").then(
      () => true,
      () => false,
    ),
  );
  return store;
}

/** Ends the lease of a store, as if its owner had not renewed it. */
const expireLease = (prefix: string) => redis.del(`{${prefix}}:lease`);

describe("a Redis store that another process uses", () => {
  it("refuses a second owner until the first one closes it", async () => {
    const prefix = uniquePrefix();
    const first = openRedisStore(inject("redis"), { prefix });
    await first.commit([{ key: "thing:a", document: { n: 1 } }]);
    const second = openRedisStore(inject("redis"), { prefix });
    const refused = `in use by process ${process.pid} on`;
    await expect(second.get("thing:a")).rejects.toMatchObject({
      ...isUnavailable,
      message: expect.stringContaining(refused),
    });
    await expect(second.commit([{ key: "thing:a", document: {}, expected: 1 }])).rejects.toMatchObject(isUnavailable);
    await first.commit([{ key: "thing:a", document: { n: 2 }, expected: 1 }]);
    await first.close();
    expect(await second.get("thing:a")).toEqual({ version: 2, document: { n: 2 } });
    await second.close();
  });

  it("renews its lease, also after the lease was lost", async () => {
    const prefix = uniquePrefix();
    const clock = createHandClock();
    const store = openRedisStore(inject("redis"), { prefix, clock, leaseMs: 400_000 });
    await store.commit([{ key: "thing:a", document: {} }]);
    for (let round = 0; round < 3; round++) {
      await expireLease(prefix);
      clock.fire(100_000);
      await until(async () => (await redis.pttl(`{${prefix}}:lease`)) > 0);
    }
    await store.close();
    expect(await redis.exists(`{${prefix}}:lease`)).toBe(0);
  });

  it("fences a paused owner, whose late commits and reads are refused, and which stops", async () => {
    const prefix = uniquePrefix();
    const messages: string[] = [];
    const logger: Logger = { ...silent, error: (message) => messages.push(message) };
    const paused = openRedisStore(inject("redis"), { prefix, logger, clock: createHandClock() });
    await paused.commit([{ key: "thing:a", document: { n: 1 } }]);
    await expireLease(prefix);
    const next = openRedisStore(inject("redis"), { prefix });
    await next.commit([{ key: "thing:a", document: { n: 2 }, expected: 1 }]);

    const row = { list: "things", put: { id: "b" } };
    const late = [
      paused.commit([{ key: "thing:b", document: {}, expected: null, rows: [row] }]),
      paused.commit([{ key: "thing:a", document: { n: 9 }, expected: 2 }]),
      paused.get("thing:a"),
      paused.list("things", { limit: 1 }),
    ];
    const results = await Promise.allSettled(late);
    expect(results.map((result) => result.status === "rejected" && result.reason.code)).toEqual(
      late.map(() => "unavailable"),
    );
    await expect(paused.get("thing:a")).rejects.toThrow(/another process took it over/);
    expect(messages).toEqual([expect.stringContaining("another process took it over")]);
    await paused.close();
    expect(await next.getMany(["thing:a", "thing:b"])).toEqual([{ version: 2, document: { n: 2 } }, null]);
    expect(await next.list("things", { limit: 1 })).toEqual({ ids: [], total: 0 });
    await next.commit([{ key: "thing:a", document: { n: 3 }, expected: 2 }]);
    await next.close();
  });

  it("keeps what a commit wrote whose owner never learned of it, and shows it to the next owner only once", async () => {
    const prefix = uniquePrefix();
    const first = openRedisStore(inject("redis"), { prefix });
    await first.commit([{ key: "thing:sum", document: { n: 1 } }]);
    const pending = Promise.all(
      Array.from({ length: 100 }, (_, n) => first.commit([{ key: `thing:n${n}`, document: { n } }])),
    ).catch(() => undefined);
    await expireLease(prefix);
    const second = openRedisStore(inject("redis"), { prefix });
    const before = await second.getMany(Array.from({ length: 100 }, (_, n) => `thing:n${n}` as const));
    await pending;
    expect(await second.getMany(Array.from({ length: 100 }, (_, n) => `thing:n${n}` as const))).toEqual(before);
    await Promise.all([first.close(), second.close()]);
  });
});

describe("a Redis store whose process is killed during commits", () => {
  it("loses no acknowledged commit and shows no partial one, over three rounds", async () => {
    const prefix = uniquePrefix();
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const child = await startChild(writer, [inject("redis"), prefix, String(round), "1000000"]);
      await child.line(() => child.lines.length > 200 + 17 * round);
      await child.kill();
      acknowledged.push(...child.lines);
      await expireLease(prefix);

      const store = openRedisStore(inject("redis"), { prefix });
      const { ids, total } = await store.list("things", { limit: 100_000 });
      expect(total).toBe(ids.length);
      const listed = new Set(ids);
      expect(acknowledged.filter((id) => !listed.has(id))).toEqual([]);
      expect((await store.list("things", { limit: 100_000, marks: [["m"]] })).ids).toEqual(ids);
      const found = await store.getMany<{ id: string }>(ids.map((id) => `thing:${id}` as const));
      expect(found.map((stored) => stored?.document.id)).toEqual(ids);
      const begun = Array.from({ length: child.lines.length + 20 }, (_, n) => idOf(round, n));
      for (const kind of ["thing", "other"] as const) {
        const stored = await store.getMany(begun.map((id) => `${kind}:${id}` as const));
        expect(begun.filter((id, n) => stored[n] !== null && !listed.has(id))).toEqual([]);
      }
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(600);
  });

  it("is refused to others while the process lives", async () => {
    const prefix = uniquePrefix();
    const child = await startChild(writer, [inject("redis"), prefix, "0", "1000000"]);
    await child.line(() => child.lines.length > 10);
    const store = openRedisStore(inject("redis"), { prefix });
    await expect(store.get("thing:none")).rejects.toThrow(`in use by process ${child.pid}`);
    await store.close();
    await child.kill();
  });

  it("is free once the lease of the process has expired", async () => {
    const prefix = uniquePrefix();
    const child = await startChild(writer, [inject("redis"), prefix, "0", "1000"]);
    await child.line(() => child.lines.length > 10);
    await child.kill();
    const store = await openWhenFree(() => openRedisStore(inject("redis"), { prefix }));
    expect((await store.list("things", { limit: 0 })).total).toBeGreaterThan(10);
    await store.close();
  });
});
