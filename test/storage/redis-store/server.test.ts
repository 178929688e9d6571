/** What a Redis store checks of its options, its server and what is stored there. */

import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import redisStore from "../../../adapters/storage/redis-store/redis-store.ts";
import { checkServer } from "../../../adapters/storage/redis-store/server-requirements.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { freePort } from "../../support/free-port.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { silent } from "../../support/storage/open.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

const ports = { clock: systemClock, logger: silent };

describe("the options of a Redis store", () => {
  it.each([
    ["neither url nor client", {}, /needs a url or a client/],
    ["an unknown option", { url: "redis://localhost", base: "a" }, /no option "base"/],
    ["a URL of something else", { url: "http://localhost" }, /needs a url/],
    ["an empty prefix", { url: "redis://localhost", prefix: "" }, /without braces/],
    ["a prefix with braces", { url: "redis://localhost", prefix: "{a}:" }, /without braces/],
    ["an object without methods as the client", { client: {} }, /^The client of the redis store must be one/],
    [
      "a client that is not connected",
      { client: createClient() },
      /client of the redis store .* Call "await client.connect\(\)"/,
    ],
  ])("refuse %s", (_, options, message) => {
    expect(() => redisStore(options as Parameters<typeof redisStore>[0])).toThrow(message);
  });

  it("put all keys under one hash tag and keep the bytes of files apart", async () => {
    const prefix = uniquePrefix();
    const { createStore, blobs } = redisStore({ url: inject("redis"), prefix });
    const store = createStore(ports);
    await store.commit([
      { key: "thing:a", document: {}, rows: [{ list: "things", put: { id: "a", marks: ["m"], text: "x" } }] },
    ]);
    await blobs?.setItem?.("blob:a.0", "bytes", {});
    const client = new Redis(inject("redis"));
    expect((await client.keys(`*${prefix}*`)).sort()).toEqual(
      ["bytes:blob:a.0", "d:thing:a", "e:things", "flushes", "l:things", "lease", "m:things:m", "meta"].map(
        (key) => `{${prefix}}:${key}`,
      ),
    );
    client.disconnect();
    await store.close();
    await blobs?.dispose?.();
  });
});

describe("a Redis store at its start", () => {
  let server: RedisServer;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedis(["--requirepass", "open:sesame"]);
    admin = new Redis(server.url, { password: "open:sesame" });
  });
  afterAll(async () => {
    admin.disconnect();
    await server.close();
  });
  const urlWith = (password: string) => server.url.replace("redis://", `redis://:${encodeURIComponent(password)}@`);

  async function withPolicy(policy: string, act: () => Promise<void>): Promise<void> {
    await admin.config("SET", "maxmemory-policy", policy);
    await act().finally(() => admin.config("SET", "maxmemory-policy", "noeviction"));
  }

  it.each(["allkeys-lru", "volatile-ttl"])(
    "refuses a server that evicts by %s, and opens once it does not",
    async (policy) => {
      const prefix = uniquePrefix();
      const store = openRedisStore(urlWith("open:sesame"), { prefix });
      await withPolicy(policy, async () => {
        await expect(store.get("thing:a")).rejects.toMatchObject({
          code: "unavailable",
          message: expect.stringMatching(
            new RegExp(`maxmemory-policy is ${policy}.*CONFIG SET maxmemory-policy noeviction`),
          ),
        });
        expect(await admin.keys(`{${prefix}}*`)).toEqual([]);
      });
      expect(await store.get("thing:a")).toBeNull();
      await store.close();
    },
  );

  it("refuses what a newer version has written, and changes nothing there", async () => {
    const prefix = uniquePrefix();
    await admin.hset(`{${prefix}}:meta`, { format: 2, gen: 5, owner: "5:x", seq: 9 });
    const store = openRedisStore(urlWith("open:sesame"), { prefix });
    await expect(store.get("thing:a")).rejects.toThrow(
      /newer version of Stepwell .*format 2; this version reads up to 1/,
    );
    expect(await admin.hgetall(`{${prefix}}:meta`)).toEqual({ format: "2", gen: "5", owner: "5:x", seq: "9" });
    await store.close();
  });

  it("warns once that a server without an append-only file may lose changes", async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silent, warn: (message) => warnings.push(message) };
    const store = openRedisStore(urlWith("open:sesame"), { prefix: uniquePrefix(), logger });
    await store.get("thing:a");
    await store.commit([{ key: "thing:a", document: {} }]);
    await store.close();
    expect(warnings).toEqual([expect.stringMatching(/all changes since its last snapshot are lost.*appendonly yes/)]);
  });

  it.each([
    ["6.0.16", false],
    ["5.0.7", false],
    ["6.2.0", true],
    ["7.2.4", true],
    ["10.0.0", true],
  ])("judges the version %s", (version, isEnough) => {
    const info = `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n`;
    const check = () => checkServer(info, silent);
    if (isEnough) expect(check).not.toThrow();
    else expect(check).toThrow(`needs Redis 6.2 or later, or Valkey. This server has the version ${version}.`);
  });

  it("says that the password is wrong without naming it", async () => {
    const store = redisStore({ url: urlWith("hunter2&secret"), prefix: uniquePrefix() }).createStore(ports);
    const error: unknown = await store.get("thing:a").catch((reason) => reason);
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(/WRONGPASS|NOAUTH/) });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/hunter2|sesame/);
    await store.close();
  });

  it("warns at the first failure to connect, and gives up after ten seconds, naming address and cause", async () => {
    const port = await freePort();
    const cause = `connect ECONNREFUSED 127.0.0.1:${port}`;
    const warnings: string[] = [];
    const logger: Logger = { ...silent, warn: (_, fields) => warnings.push(String(fields?.["error"])) };
    const clock = createTestClock();
    const url = `redis://:hunter2@127.0.0.1:${port}`;
    const store = redisStore({ url, prefix: uniquePrefix() }).createStore({ clock, logger });
    let error: unknown = null;
    const failing = store.get("thing:a").catch((reason) => {
      error = reason;
    });
    await until(() => warnings.length > 0);
    await clock.advance("9s");
    expect(error).toBeNull();
    await clock.advance("1s");
    await failing;
    expect(warnings).toEqual([expect.stringContaining(cause)]);
    expect(String(error)).toMatch(/did not respond within 10 seconds/);
    expect(String(error)).toContain(cause);
    expect(warnings.join() + String(error)).not.toContain("hunter2");
    await store.close();
  });

  it("says that the memory is full, without applying a part of the commit", async () => {
    const store = openRedisStore(urlWith("open:sesame"), { prefix: uniquePrefix() });
    await store.commit([{ key: "thing:a", document: { n: 1 }, rows: [{ list: "things", put: { id: "a" } }] }]);
    await admin.config("SET", "maxmemory", "1mb");
    const late = store.commit([
      { key: "thing:a", document: null, expected: 1, rows: [{ list: "things", delete: "a" }] },
      { key: "thing:b", document: {}, expected: null },
    ]);
    await expect(late).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("the memory of Redis is full"),
    });
    await admin.config("SET", "maxmemory", "0");
    expect(await store.getMany(["thing:a", "thing:b"])).toEqual([{ version: 1, document: { n: 1 } }, null]);
    expect((await store.list("things", { limit: 9 })).ids).toEqual(["a"]);
    await store.close();
  });
});
