/** Types of the options of `bullmq()`. */
import { Cluster, Redis } from "ioredis";
import { Redis as Ioredis6 } from "ioredis6";
import { assertType, describe, expectTypeOf, it } from "vitest";
import { type BullmqOptions, bullmq } from "../../adapters/cluster/cluster.ts";

describe("bullmq()", () => {
  it("accepts URLs, options, and the clients of ioredis", () => {
    expectTypeOf(bullmq).toBeCallableWith({ connection: "redis://localhost", work: false, concurrency: 5 });
    expectTypeOf(bullmq).toBeCallableWith({ connection: { host: "localhost", port: 6379, tls: {} }, prefix: "a" });
    expectTypeOf(bullmq).toBeCallableWith({ connection: new Redis() });
    expectTypeOf(bullmq).toBeCallableWith({ connection: new Ioredis6() });
    expectTypeOf(bullmq).toBeCallableWith({ connection: new Cluster([]) });
  });

  it("rejects other options", () => {
    // @ts-expect-error: a number is no connection
    assertType<BullmqOptions>({ connection: 6379 });
    // @ts-expect-error: there is no such option
    assertType<BullmqOptions>({ connection: "redis://localhost", base: "a" });
  });
});
