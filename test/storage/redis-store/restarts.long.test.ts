/** Restarts of Redis: with its file, nothing is lost; with a shorter one, or none, the store stops. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedisClient } from "../../../adapters/storage/redis.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { startProxy } from "../../support/servers/tcp-proxy.ts";
import { startLanes } from "../../support/storage/lanes.ts";
import { silent } from "../../support/storage/open.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

describe("a Redis store whose Redis restarts", () => {
  let folder: string;
  let server: RedisServer;
  let messages: string[];
  const logger: Logger = { ...silent, error: (message) => messages.push(message) };
  const start = (port?: number) =>
    startRedis(["--dir", folder, "--appendonly", "yes", "--appendfsync", "always"], port);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "stepwell-redis-"));
    server = await start();
    messages = [];
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function targetOf(name: string): Promise<{ target: string | RedisClient; end(): void }> {
    if (name === "its own ioredis") return { target: server.url, end: () => undefined };
    const client = createClient({ url: server.url });
    client.on("error", () => undefined);
    await client.connect();
    return { target: client, end: () => client.destroy() };
  }

  it.each(["its own ioredis", "node-redis"])(
    "keeps each acknowledged commit and applies none twice while Redis is killed under load, with %s",
    async (name) => {
      const { target, end } = await targetOf(name);
      const store = openRedisStore(target, { prefix: uniquePrefix(), logger });
      const lanes = startLanes(store, 8);
      const { sums, failures } = lanes;
      for (let round = 1; round <= 2; round++) {
        await until(() => sums.every((sum) => sum > 50 * round) || failures.length > 0);
        await server.kill();
        server = await start(server.port);
      }
      await until(() => sums.every((sum) => sum > 150) || failures.length > 0);
      await lanes.check();
      expect(messages).toEqual([]);
      await store.close();
      end();
    },
  );

  async function expectStopped(store: Store): Promise<void> {
    const calls = [
      () => store.get("thing:a"),
      () => store.list("things", { limit: 1 }),
      () => store.commit([{ key: "thing:z", document: {} }]),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/Redis has lost commits that were acknowledged/);
    expect(messages).toEqual([expect.stringContaining("Restart it")]);
  }

  it("stops when Redis comes back with a shorter file, and opens anew on what is left", async () => {
    const prefix = uniquePrefix();
    const store = openRedisStore(server.url, { prefix, logger });
    await store.commit([{ key: "thing:a", document: { n: 1 } }]);
    const copy = await mkdtemp(join(tmpdir(), "stepwell-redis-"));
    await cp(folder, copy, { recursive: true });
    await store.commit([{ key: "thing:a", document: { n: 2 }, expected: 1 }]);
    await store.commit([{ key: "thing:b", document: {}, expected: null }]);
    await server.kill();
    await rm(folder, { recursive: true });
    await cp(copy, folder, { recursive: true });
    server = await start(server.port);
    await expectStopped(store);
    await store.close();

    const observer = new Redis(server.url);
    expect(await observer.exists(`{${prefix}}:d:thing:z`)).toBe(0);
    // The owner that stopped cannot release its lease.
    await observer.del(`{${prefix}}:lease`);
    observer.disconnect();
    const next = openRedisStore(server.url, { prefix });
    expect(await next.getMany(["thing:a", "thing:b"])).toEqual([{ version: 1, document: { n: 1 } }, null]);
    await next.commit([{ key: "thing:a", document: { n: 3 }, expected: 1 }]);
    await next.close();
    await rm(copy, { recursive: true });
  });

  it("stops when Redis was emptied", async () => {
    const store = openRedisStore(server.url, { prefix: uniquePrefix(), logger });
    await store.commit([{ key: "thing:a", document: {} }]);
    const observer = new Redis(server.url);
    await observer.flushall();
    observer.disconnect();
    await expectStopped(store);
    await store.close();
  });

  it("stops when a replica took over that lacks acknowledged commits, although another owner has the same number", async () => {
    const prefix = uniquePrefix();
    const store = openRedisStore(server.url, { prefix, logger });
    await store.commit([{ key: "thing:a", document: {} }]);
    const observer = new Redis(server.url);
    await observer.flushall();
    const other = openRedisStore(server.url, { prefix });
    await other.commit([{ key: "thing:other", document: {} }]);
    await other.commit([{ key: "thing:other", document: {}, expected: 1 }]);
    observer.disconnect();
    await expectStopped(store);
    await store.close();
    expect((await other.get("thing:other"))?.version).toBe(2);
    await other.close();
  });

  it("replaces a connection that was accepted during an outage, and on which nothing is ever answered", async () => {
    const proxy = await startProxy(server.port);
    const clock = createTestClock();
    const store = openRedisStore(`redis://127.0.0.1:${proxy.port}`, { prefix: uniquePrefix(), logger, clock });
    await store.commit([{ key: "thing:a", document: { n: 1 } }]);
    const before = proxy.connections;
    proxy.swallow(true);
    await until(() => proxy.connections > before);
    proxy.swallow(false);
    let isStored = false;
    const stored = store.commit([{ key: "thing:a", document: { n: 2 }, expected: 1 }]).then(() => {
      isStored = true;
    });
    await until(async () => {
      await clock.advance("1s");
      return isStored;
    });
    await stored;
    expect(await store.get("thing:a")).toEqual({ version: 2, document: { n: 2 } });
    await store.close();
    await proxy.close();
  });
});
