/** The options of `bullmq()`. */
import { Cluster, Redis } from "ioredis";
import { createClient } from "redis";
import { describe, expect, it } from "vitest";
import { bullmq } from "../../../adapters/cluster/cluster.ts";

const connection = "redis://127.0.0.1:6379";

describe("the options of bullmq()", () => {
  it.each([
    ["nothing", undefined, /needs a connection: bullmq\({ connection: "redis:\/\/127.0.0.1:6379" }\)/],
    ["no connection", {}, /needs a connection/],
    ["null as the connection", { connection: null }, /needs a connection/],
    ["a URL of something else", { connection: "http://localhost" }, /needs a connection/],
    ["a list as the connection", { connection: [] }, /needs a connection/],
    ["a client of node-redis", { connection: createClient() }, /a client of "ioredis"/],
    ["a path that is no number of a database", { connection: "redis://localhost/main" }, /number of a database/],
    ["a path in the URL of options", { connection: { url: "redis://localhost/main" } }, /number of a database/],
    ["a host that is no text", { connection: { host: 7 } }, /host .* must be text/],
    ["a port that is text", { connection: { port: "6379" } }, /port .* integer from 1 to 65535/],
    ["a port that does not exist", { connection: { port: 65_536 } }, /port .* integer from 1 to 65535/],
    ["a URL with a port that does not exist", { connection: "redis://:99999" }, /a host, and a port from 1 to 65535/],
    ["a URL without a host", { connection: "redis://" }, /a host, and a port from 1 to 65535/],
    ["a misspelled option", { connection: { hots: "x" } }, /connection .* no option "hots"\. Did you mean "host"\?/],
    ["a database that is no number", { connection: { db: "main" } }, /db .* number of a database/],
    ["a prefix for keys in the options", { connection: { keyPrefix: "a" } }, /Use the option prefix of bullmq\(\)/],
    ["an unknown option", { connection, concurency: 7 }, /no option "concurency".*Did you mean "concurrency"\?/],
    ["text for work", { connection, work: "no" }, /work of bullmq\(\) must be true or false/],
    ["no concurrency", { connection, concurrency: 0 }, /concurrency of bullmq\(\) must be an integer from 1 to 10000/],
    ["too much concurrency", { connection, concurrency: 10_001 }, /must be an integer from 1 to 10000, such as 50/],
    ["half a job", { connection, concurrency: 1.5 }, /concurrency of bullmq\(\) must be an integer from 1 to 10000/],
    ["an empty prefix", { connection, prefix: "" }, /prefix of bullmq\(\) must be text without braces/],
    ["a prefix with braces", { connection, prefix: "{a}" }, /prefix of bullmq\(\) must be text without braces/],
  ])("refuse %s", (_, options, message) => {
    expect(() => bullmq(options as Parameters<typeof bullmq>[0])).toThrow(TypeError);
    expect(() => bullmq(options as Parameters<typeof bullmq>[0])).toThrow(message);
  });

  it("refuse clients with a prefix for keys", () => {
    const clients = [
      new Redis({ lazyConnect: true, keyPrefix: "a:" }),
      new Cluster([], { lazyConnect: true, keyPrefix: "a:" }),
      new Cluster([], { lazyConnect: true, redisOptions: { keyPrefix: "a:" } }),
    ];
    for (const client of clients) {
      expect(() => bullmq({ connection: client })).toThrow(/Use the option prefix/);
    }
  });

  it("are passed on to the service", () => {
    expect(bullmq({ connection })).toMatchObject({ name: "bullmq", work: true, concurrency: undefined });
    expect(bullmq({ connection, work: false, concurrency: 7, prefix: undefined })).toMatchObject({
      work: false,
      concurrency: 7,
    });
  });
});
