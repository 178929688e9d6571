/** Commits whose answers are lost or late: each takes effect once, or not at all if it was rejected. */
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedisClient } from "../../../adapters/storage/redis.ts";
import type { Store } from "../../../src/ports/store.ts";
import { openCuttingProxy } from "../../support/client/cutting-proxy.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { createHandClock, type HandClock } from "../../support/storage/hand-clock.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

const LIMIT_MS = 30_000;
const LEASE_MS = 100_000;
/** Between two renewals of the lease. */
const RENEWAL_MS = 25_000;
const isUnavailable = { code: "unavailable" };

describe("a Redis store behind a network that cuts connections", () => {
  let server: RedisServer;
  let proxy: Awaited<ReturnType<typeof openCuttingProxy>>;
  let prefix: string;
  beforeEach(async () => {
    server = await startRedis();
    proxy = await openCuttingProxy(() => server.port);
    prefix = uniquePrefix();
  });
  afterEach(async () => {
    await proxy.close();
    await server.close();
  });

  const connectors = {
    async "its own ioredis"(url: string): Promise<{ target: string | RedisClient; end(): void }> {
      return { target: url, end: () => undefined };
    },
    async "ioredis that resends"(url: string) {
      const client = new Redis(url);
      client.on("error", () => undefined);
      return { target: client, end: () => client.disconnect() };
    },
    async "node-redis"(url: string) {
      const client = createClient({ url });
      client.on("error", () => undefined);
      await client.connect();
      return { target: client, end: () => client.destroy() };
    },
  };

  it.each(Object.keys(connectors) as (keyof typeof connectors)[])(
    "applies each of 60 commits once although ten answers are cut, with %s",
    async (name) => {
      const { target, end } = await connectors[name](`redis://127.0.0.1:${proxy.port}`);
      const store = openRedisStore(target, { prefix });
      await store.commit([{ key: "thing:sum", document: { n: 0 }, expected: null }]);
      let cuts = 0;
      for (let n = 0; n < 60; n++) {
        if (n % 6 === 0) {
          // The answer is longer than one byte: Redis has executed the script when it is cut.
          proxy.cutAfter("down", 1);
          cuts++;
        }
        const row = { list: "things", put: { id: `id${n}`, marks: ["m"] } };
        await store.commit([{ key: "thing:sum", document: { n: n + 1 }, expected: n + 1, rows: [row] }]);
      }
      expect(proxy.cuts()).toBe(cuts);
      expect(await store.get("thing:sum")).toEqual({ version: 61, document: { n: 60 } });
      expect((await store.list("things", { limit: 1, marks: [["m"]] })).total).toBe(60);
      const observer = new Redis(server.url);
      expect(await observer.hget(`{${prefix}}:meta`, "seq")).toBe("61");
      observer.disconnect();
      await store.close();
      end();
    },
  );

  it("returns the same conflict when its answer was cut", async () => {
    const store = openRedisStore(`redis://127.0.0.1:${proxy.port}`, { prefix });
    await store.commit([{ key: "thing:a", document: {}, expected: null }]);
    proxy.cutAfter("down", 1);
    const late = store.commit([{ key: "thing:a", document: { late: true }, expected: 7 }]);
    await expect(late).rejects.toMatchObject({ code: "conflict", key: "thing:a" });
    expect(proxy.cuts()).toBe(1);
    await store.close();
  });

  it("shows no unresolved commit to readers while its answer is lost", async () => {
    const store = openRedisStore(`redis://127.0.0.1:${proxy.port}`, { prefix });
    await store.commit([{ key: "thing:a", document: { n: 1 }, expected: null }]);
    let isResolved = false;
    for (let n = 2; n < 30; n++) {
      isResolved = false;
      proxy.cutAfter("down", 1);
      const pending = store.commit([{ key: "thing:a", document: { n }, expected: n - 1 }]).then(() => {
        isResolved = true;
      });
      const found = await store.get<{ n: number }>("thing:a");
      if (found?.document.n === n) expect(isResolved).toBe(true);
      await pending;
    }
    expect((await store.get("thing:a"))?.version).toBe(29);
    await store.close();
  });
});

describe("a Redis store whose Redis hangs", () => {
  let server: RedisServer;
  let clock: HandClock;
  let store: Store;
  beforeEach(async () => {
    server = await startRedis();
    clock = createHandClock();
    store = openRedisStore(server.url, { prefix: uniquePrefix(), clock, timeoutMs: LIMIT_MS, leaseMs: LEASE_MS });
  });
  afterEach(async () => {
    await store.close();
    await server.close();
  });
  const stop = () => process.kill(server.pid, "SIGSTOP");
  const proceed = () => process.kill(server.pid, "SIGCONT");

  it("rejects reads and commits at the time limit, and works again afterwards", async () => {
    await store.commit([{ key: "thing:a", document: { n: 1 } }]);
    stop();
    const calls = [
      store.get("thing:a"),
      store.list("things", { limit: 1 }),
      store.commit([{ key: "thing:b", document: {} }]),
    ];
    const settled = Promise.allSettled(calls);
    await new Promise((resolve) => setImmediate(resolve));
    clock.fire(LIMIT_MS);
    const results = await settled;
    expect(results.map((result) => result.status === "rejected" && result.reason.code)).toEqual([
      "unavailable",
      "unavailable",
      "unavailable",
    ]);
    expect(store.isFailing).toBe(true);
    proceed();
    await store.commit([{ key: "thing:c", document: {} }]);
    expect(store.isFailing).toBe(false);
    expect(await store.getMany(["thing:a", "thing:b", "thing:c"])).toEqual([
      { version: 1, document: { n: 1 } },
      null,
      { version: 1, document: {} },
    ]);
  });

  it("undoes a rejected commit that Redis executed all the same, with its rows", async () => {
    const row = (id: string, order: string, ...marks: string[]) => ({
      list: "things",
      put: { id, order, text: id, marks },
    });
    await store.commit([
      { key: "thing:a", document: { n: 1 }, rows: [row("a", "1", "old")] },
      { key: "thing:b", document: { n: 1 }, rows: [row("b", "2", "old", "kept")] },
    ]);
    stop();
    const late = store.commit([
      { key: "thing:a", document: { n: 2 }, expected: 1, rows: [row("a", "9", "new")] },
      { key: "thing:b", document: null, expected: 1, rows: [{ list: "things", delete: "b" }] },
      { key: "thing:c", document: { n: 1 }, expected: null, rows: [row("c", "3", "new"), row("d", "4")] },
    ]);
    const rejected = expect(late).rejects.toMatchObject(isUnavailable);
    // The script is in the connection: Redis executes it when it goes on.
    await new Promise((resolve) => setImmediate(resolve));
    clock.fire(LIMIT_MS);
    await rejected;
    proceed();
    expect(await store.getMany(["thing:a", "thing:b", "thing:c"])).toEqual([
      { version: 1, document: { n: 1 } },
      { version: 1, document: { n: 1 } },
      null,
    ]);
    expect(await store.list("things", { limit: 9 })).toMatchObject({ ids: ["b", "a"], orders: ["2", "1"], total: 2 });
    expect(await store.list("things", { limit: 9, marks: [["old"]] })).toMatchObject({ ids: ["b", "a"], total: 2 });
    expect(await store.list("things", { limit: 9, marks: [["kept"]] })).toMatchObject({ ids: ["b"], total: 1 });
    expect(await store.list("things", { limit: 9, marks: [["new"]] })).toMatchObject({ ids: [], total: 0 });
    expect((await store.list("things", { limit: 9, search: "b" })).ids).toEqual(["b"]);
    await store.commit([{ key: "thing:a", document: { n: 3 }, expected: 1 }]);
  });

  it("rejects commits that wait for a free slot, without executing them later", async () => {
    await store.commit([{ key: "thing:a", document: {} }]);
    stop();
    const ids = Array.from({ length: 200 }, (_, n) => `n${n}` as const);
    const settled = Promise.allSettled(ids.map((id) => store.commit([{ key: `thing:${id}`, document: {} }])));
    await new Promise((resolve) => setImmediate(resolve));
    clock.fire(LIMIT_MS);
    const results = await settled;
    expect(results.filter(({ status }) => status === "fulfilled")).toEqual([]);
    proceed();
    expect((await store.getMany(ids.map((id) => `thing:${id}` as const))).filter((found) => found !== null)).toEqual(
      [],
    );
    await Promise.all(ids.map((id) => store.commit([{ key: `thing:${id}`, document: { again: true } }])));
    expect(await store.get("thing:n199")).toEqual({ version: 1, document: { again: true } });
  });

  it("closes in time when Redis hangs", async () => {
    await store.commit([{ key: "thing:a", document: {} }]);
    stop();
    const pending = store.commit([{ key: "thing:b", document: {} }]);
    const rejected = expect(pending).rejects.toMatchObject(isUnavailable);
    await store.close(Promise.resolve());
    await rejected;
    await expect(store.get("thing:a")).rejects.toMatchObject(isUnavailable);
    proceed();
  });

  it("replaces a connection on which a renewal of the lease is not answered", async () => {
    await store.commit([{ key: "thing:a", document: { n: 1 } }]);
    stop();
    const pending = store.get("thing:a");
    await new Promise((resolve) => setImmediate(resolve));
    clock.fire(RENEWAL_MS); // sends the renewal
    clock.fire(RENEWAL_MS); // its patience is over
    proceed();
    expect((await pending)?.document).toEqual({ n: 1 });
    const observer = new Redis(server.url);
    const connections = async () => Number(/total_connections_received:(\d+)/.exec(await observer.info("stats"))?.[1]);
    // That of the start of the server, the observer's, and two of the store.
    await until(async () => (await connections()) >= 4);
    observer.disconnect();
    expect((await store.get("thing:a"))?.document).toEqual({ n: 1 });
  });
});
