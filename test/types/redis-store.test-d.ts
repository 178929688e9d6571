/** Types of the Redis store's options. */
import { Redis } from "ioredis";
import { Redis as Ioredis6 } from "ioredis6";
import { createClient } from "redis";
import { assertType, describe, expectTypeOf, it } from "vitest";
import redisStore, { type RedisStoreOptions } from "../../adapters/storage/redis-store/redis-store.ts";
import type { Options } from "../../src/index.ts";

describe("the Redis store", () => {
  it("takes the place of a driver for documents only", () => {
    assertType<Options>({ storage: { entities: redisStore({ url: "redis://localhost" }) } });
    // @ts-expect-error: bytes of files need a driver
    assertType<Options>({ storage: { blobs: redisStore({ url: "redis://localhost" }) } });
  });

  it("accepts the clients of all supported libraries", () => {
    expectTypeOf(redisStore).toBeCallableWith({ client: new Redis(), prefix: "a" });
    expectTypeOf(redisStore).toBeCallableWith({ client: new Ioredis6() });
    expectTypeOf(redisStore).toBeCallableWith({ client: createClient() });
  });

  it("rejects other options", () => {
    // @ts-expect-error: a number is no URL
    assertType<RedisStoreOptions>({ url: 6379 });
    // @ts-expect-error: there is no such option
    assertType<RedisStoreOptions>({ url: "redis://localhost", base: "a" });
  });
});
