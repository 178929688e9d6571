/** Stores on Redis that several processes use at the same time. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { Store } from "../../../src/ports/store.ts";
import { startChild } from "../../faults/child.ts";
import { openCuttingProxy } from "../../support/client/cutting-proxy.ts";
import { times } from "../../support/sample.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { createHandClock } from "../../support/storage/hand-clock.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { sharedStoreContract } from "../../support/storage/shared-store-contract.ts";
import { until } from "../../support/until.ts";

const writer = join(import.meta.dirname, "writer.ts");
const isUnavailable = { code: "unavailable" };
let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject("redis"));
});
afterAll(() => redis.disconnect());

/** Milliseconds by the clock of Redis. */
const now = async () => Number((await redis.time())[0]) * 1_000;

const openShared = (prefix: string, url = inject("redis")) => openRedisStore(url, { prefix, isShared: true });

const createFixture = async () => {
  const prefix = uniquePrefix();
  return { open: () => openShared(prefix), clean: async () => undefined };
};
sharedStoreContract("Redis", createFixture, { runs: times(5, 15), rounds: times(9, 30) });

describe("a shared Redis store", () => {
  it("keeps a process out that wants it alone, and is kept out by one, until it is closed", async () => {
    const prefix = uniquePrefix();
    const shared = [openShared(prefix), openShared(prefix)];
    await Promise.all(shared.map((store, n) => store.commit([{ key: `thing:n${n}`, document: {} }])));
    const alone = openRedisStore(inject("redis"), { prefix });
    await expect(alone.get("thing:n0")).rejects.toThrow(`in use by process ${process.pid}`);
    await expect(alone.get("thing:n0")).rejects.toThrow("with the option `cluster`");
    await shared[0]?.close();
    await expect(alone.get("thing:n0")).rejects.toMatchObject(isUnavailable);
    await shared[1]?.close();
    expect(await alone.getMany(["thing:n0", "thing:n1"])).not.toContain(null);

    const late = openShared(prefix);
    await expect(late.commit([{ key: "thing:late", document: {} }])).rejects.toThrow("without the option `cluster`");
    await alone.close();
    expect(await late.get("thing:late")).toBeNull();
    await late.close();
    const keys = (await redis.keys(`{${prefix}}:*`)).map((key) => key.slice(prefix.length + 3)).sort();
    expect(keys).toEqual(["d:thing:n0", "d:thing:n1", "meta"]);
    const fields = (await redis.hkeys(`{${prefix}}:meta`)).sort();
    expect(fields).toEqual(["format", "gen", "owner", "seq"]);
  });

  it("stores nothing more after a process has taken it over alone, and the reverse", async () => {
    const prefix = uniquePrefix();
    const openLost = (isShared: boolean) =>
      openRedisStore(inject("redis"), { prefix, isShared, clock: createHandClock() });
    let before: Store = openLost(true);
    await before.commit([{ key: "thing:a", document: {}, expected: null }]);
    for (const isShared of [false, true, false]) {
      // Ends the leases, as if they had not been renewed.
      await redis.del(`{${prefix}}:lease`);
      for (const holder of await redis.zrange(`{${prefix}}:sessions`, 0, -1)) {
        await redis.zadd(`{${prefix}}:sessions`, 1, holder);
      }
      const next = openLost(isShared);
      expect((await next.get("thing:a"))?.version).toBe(1);
      const row = { list: "things", put: { id: "b" } };
      await expect(before.commit([{ key: "thing:b", document: {}, expected: null, rows: [row] }])).rejects.toThrow(
        /took it over/,
      );
      await expect(before.get("thing:a")).rejects.toMatchObject(isUnavailable);
      expect(await next.list("things", { limit: 1 })).toEqual({ ids: [], total: 0 });
      await before.close();
      before = next;
    }
    await before.close();
  });

  it("renews its lease, also after the lease has expired", async () => {
    const prefix = uniquePrefix();
    const clock = createHandClock();
    const store = openRedisStore(inject("redis"), { prefix, clock, leaseMs: 400_000, isShared: true });
    await store.get("thing:a");
    const expiry = async () => Number(await redis.zscore(`{${prefix}}:sessions`, holder));
    const [holder = ""] = await redis.zrange(`{${prefix}}:sessions`, 0, -1);
    const expired = (await now()) - 60_000;
    await redis.zadd(`{${prefix}}:sessions`, expired, holder);
    const other = openShared(prefix);
    await other.get("thing:a");
    await redis.zrem(`{${prefix}}:sessions`, holder);
    clock.fire(100_000);
    await until(async () => (await redis.zscore(`{${prefix}}:sessions`, holder)) !== null);
    expect(await expiry()).toBeGreaterThan(expired);
    await store.commit([{ key: "thing:a", document: {} }]);
    await Promise.all([store.close(), other.close()]);
  });

  it("removes sessions whose lease expired a day ago, and what is stored of them", async () => {
    const prefix = uniquePrefix();
    const gone = openRedisStore(inject("redis"), { prefix, isShared: true, clock: createHandClock() });
    await gone.commit([{ key: "thing:a", document: {}, expected: null }]);
    const [holder = ""] = await redis.zrange(`{${prefix}}:sessions`, 0, -1);
    const ago = async (hours: number) => redis.zadd(`{${prefix}}:sessions`, (await now()) - hours * 3_600_000, holder);
    await ago(23);
    const second = openShared(prefix);
    await second.commit([{ key: "thing:a", document: {}, expected: 1 }]);
    await gone.commit([{ key: "thing:a", document: {}, expected: 2 }]);
    await ago(25);
    const third = openShared(prefix);
    expect((await third.get("thing:a"))?.version).toBe(3);
    await expect(gone.commit([{ key: "thing:a", document: {}, expected: 3 }])).rejects.toThrow(/for a day/);
    await gone.close();
    expect(await redis.keys(`{${prefix}}:flushes*`)).toHaveLength(1);
    expect(await redis.zcard(`{${prefix}}:sessions`)).toBe(2);
    await Promise.all([second.close(), third.close()]);
  });
});

describe("two shared Redis stores", () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server.close());

  it("apply each of their commits once although answers are cut", async () => {
    const prefix = uniquePrefix();
    const proxies = await Promise.all([0, 1].map(() => openCuttingProxy(() => server.port)));
    const stores = proxies.map(({ port }) => openShared(prefix, `redis://127.0.0.1:${port}`));
    await Promise.all(stores.map((store) => store.get("thing:none")));
    await Promise.all(
      stores.map(async (store, at) => {
        for (let n = 0; n < 60; n++) {
          // The answer is longer than one byte: Redis has executed the script when it is cut.
          if (n % 6 === 0) proxies[at]?.cutAfter("down", 1);
          const rows = [{ list: "things", put: { id: `id${at}-${n}`, marks: ["m"] } }];
          await store.commit([{ key: `thing:n${at}`, document: { n }, expected: n === 0 ? null : n, rows }]);
        }
      }),
    );
    for (const [at, store] of stores.entries()) {
      expect(proxies[at]?.cuts()).toBe(10);
      expect((await store.getMany(["thing:n0", "thing:n1"])).map((found) => found?.version)).toEqual([60, 60]);
      expect((await store.list("things", { limit: 1, marks: [["m"]] })).total).toBe(120);
    }
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  it("never reject a commit that was sent, and reject others in time, while Redis hangs", async () => {
    const prefix = uniquePrefix();
    const clock = createHandClock();
    const store = openRedisStore(server.url, { prefix, clock, timeoutMs: 30_000, leaseMs: 100_000, isShared: true });
    const other = openShared(prefix, server.url);
    await store.commit([{ key: "thing:a", document: { n: 1 }, expected: null }]);
    await other.get("thing:a");
    process.kill(server.pid, "SIGSTOP");
    const sent = store.commit([{ key: "thing:a", document: { n: 2 }, expected: 1 }]);
    await new Promise((resolve) => setImmediate(resolve));
    const behind = Array.from({ length: 64 }, (_, n) => store.commit([{ key: `thing:n${n}`, document: {} }]));
    const late = expect(behind.at(-1)).rejects.toMatchObject(isUnavailable);
    const reading = expect(store.get("thing:a")).rejects.toMatchObject(isUnavailable);
    await new Promise((resolve) => setImmediate(resolve));
    clock.fire(30_000);
    await Promise.all([late, reading]);
    expect(store.isFailing).toBe(true);
    process.kill(server.pid, "SIGCONT");
    await sent;
    await Promise.all(behind.slice(0, -1));
    expect(store.isFailing).toBe(false);
    expect(await other.get("thing:a")).toEqual({ version: 2, document: { n: 2 } });
    expect(await other.get("thing:n63")).toBeNull();
    await other.commit([{ key: "thing:a", document: { n: 3 }, expected: 2 }]);
    expect((await store.get("thing:a"))?.version).toBe(3);
    await Promise.all([store.close(), other.close()]);
  });

  it("all stop when Redis has lost commits of one of them, although the other one has written on", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stepwell-redis-"));
    const copy = await mkdtemp(join(tmpdir(), "stepwell-redis-"));
    const start = (port?: number) =>
      startRedis(["--dir", folder, "--appendonly", "yes", "--appendfsync", "always"], port);
    let lossy = await start();
    const prefix = uniquePrefix();
    const open = () => openRedisStore(lossy.url, { prefix, isShared: true, clock: createHandClock() });
    const [loser, other] = [open(), open()];
    await loser.commit([{ key: "thing:a", document: {}, expected: null }]);
    await other.commit([{ key: "thing:b", document: {}, expected: null }]);
    await cp(folder, copy, { recursive: true });
    await loser.commit([{ key: "thing:a", document: {}, expected: 1 }]);
    await lossy.kill();
    await rm(folder, { recursive: true });
    await cp(copy, folder, { recursive: true });
    lossy = await start(lossy.port);
    // It knows of no commit that is lost, and its commits make the number of all commits look right again.
    for (const expected of [1, 2, 3]) await other.commit([{ key: "thing:b", document: {}, expected }]);
    await expect(loser.get("thing:a")).rejects.toThrow(/has lost commits/);
    await expect(other.commit([{ key: "thing:b", document: {}, expected: 4 }])).rejects.toThrow(/has lost commits/);
    await Promise.all([loser.close(), other.close()]);
    const next = open();
    expect((await next.getMany(["thing:a", "thing:b"])).map((found) => found?.version)).toEqual([1, 4]);
    await next.close();
    await lossy.close();
    await Promise.all([folder, copy].map((path) => rm(path, { recursive: true })));
  });
});

describe("processes that share a Redis store", () => {
  it("go on when one of them is killed, lose nothing, and leave the store free after the lease", async () => {
    const prefix = uniquePrefix();
    const store = openShared(prefix);
    await store.get("thing:none");
    const children = await Promise.all(
      ["0", "1"].map((round) => startChild(writer, [inject("redis"), prefix, round, "1000", "shared"])),
    );
    await until(() => children.every(({ lines }) => lines.length > 200));
    await children[0]?.kill();
    const before = children[1]?.lines.length ?? 0;
    await store.commit([{ key: "thing:own", document: {}, expected: null }]);
    await until(() => (children[1]?.lines.length ?? 0) > before + 200);
    await children[1]?.kill();

    const acknowledged = children.flatMap(({ lines }) => lines);
    const { ids, total } = await store.list("things", { limit: 100_000 });
    expect(total).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect((await store.list("things", { limit: 0, marks: [["m"]] })).total).toBe(total);
    const found = await store.getMany<{ id: string }>(ids.map((id) => `thing:${id}` as const));
    expect(found.map((stored) => stored?.document.id)).toEqual(ids);
    await store.close();
    const alone = openRedisStore(inject("redis"), { prefix });
    await until(async () =>
      alone.get("thing:none").then(
        () => true,
        () => false,
      ),
    );
    expect((await alone.list("things", { limit: 0 })).total).toBe(total);
    await alone.close();
  });
});
