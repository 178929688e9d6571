/** examples/cluster, with servers of its own and with those of the tests, to its end and interrupted. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sample } from "../support/sample.ts";
import { installPostgres, installRedis } from "../support/servers/install.ts";
import { type PostgresServer, query, startPostgres } from "../support/servers/postgres.ts";
import { type RedisServer, startRedis } from "../support/servers/redis.ts";
import { RUNTIMES, start } from "./host.ts";

const program = [...RUNTIMES.node, "examples/cluster/cluster.js"];
const isVerdict = (line: string) => line.startsWith("No finished step was repeated");

describe("examples/cluster", () => {
  it("starts servers of its own, and loses no run on PostgreSQL while processes are killed and closed", async () => {
    installRedis();
    installPostgres();
    // PostgreSQL is not run by root, and others cannot reach the temporary folder of the tests.
    const env = { REDIS_URL: "", DATABASE_URL: "", TMPDIR: "/tmp" };
    const { lines, ended } = await start([...program, "--seconds", "1"], env, isVerdict);
    expect(await ended).toEqual([0, null]);
    expectTroubles(lines);
  });

  describe("with the URLs of servers", () => {
    let redis: RedisServer;
    let postgres: PostgresServer;
    beforeAll(async () => {
      [redis, postgres] = await Promise.all([startRedis(["--maxmemory-policy", "noeviction"]), startPostgres()]);
    });
    afterAll(() => Promise.all([redis.close(), postgres.close()]));

    // The same as above on the other store. What a takeover does there, test/storage/redis-store/ tests.
    it.each(sample(["Redis"], []))("loses no run on the %s store, and leaves nothing behind", async () => {
      const args = ["--seconds", "1", "--store", "redis", "--redis", redis.url, "--postgres", postgres.url];
      const { lines, ended } = await start([...program, ...args], {}, isVerdict);
      expect(await ended).toEqual([0, null]);
      expectTroubles(lines);
      await expectNothingLeft();
    });

    it("ends all its processes on Ctrl+C", async () => {
      const env = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
      const isBusy = (line: string) => line.includes(" was killed; ");
      const { lines, ended, stop } = await start(program, env, isBusy);
      await stop("SIGINT");
      expect(await ended).toEqual([130, null]);
      expect(lines.at(-1)).toBe("Interrupted.");
      await expectNothingLeft();
    });

    async function expectNothingLeft(): Promise<void> {
      const schemas = await query(postgres.url, "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'cluster_example%'");
      expect(schemas).toEqual([]);
      const client = new Redis(redis.url);
      expect(await client.dbsize()).toBe(0);
      // A process that had not ended would have a connection.
      await expect
        .poll(async () =>
          String(await client.client("LIST"))
            .trim()
            .split("\n"),
        )
        .toHaveLength(1);
      client.disconnect();
    }
  });

  it("ends on Ctrl+C while it waits for a Redis that does not respond", async () => {
    const postgres = await startPostgres();
    const env = { REDIS_URL: "redis://127.0.0.1:1", DATABASE_URL: postgres.url };
    const { ended, stop } = await start(program, env, (line) => line.includes("Redis is not available"));
    await stop("SIGINT");
    expect(await ended).toEqual([130, null]);
    await postgres.close();
  });

  it("says what to install if a server is missing", async () => {
    const env = { PATH: "/nowhere", REDIS_URL: "", DATABASE_URL: "postgres://127.0.0.1:1/none" };
    const { lines, ended } = await start(program, env, (line) => line.includes("apt-get install redis-server"));
    expect(await ended).toEqual([1, null]);
    expect(lines.join("\n")).toContain("The program redis-server is missing.");
  });
});

function expectTroubles(lines: readonly string[]): void {
  const text = lines.join("\n");
  expect(text).toMatch(/worker-1 was killed; interrupted steps: \d+/);
  expect(text).toMatch(/worker-2 has closed/);
  expect(text).toMatch(/web-\d was killed/);
  expect(text).toMatch(/web-\d has closed/);
  expect(text).toMatch(/^All [1-9]\d* runs have succeeded\. None was lost, and none was created twice\.$/m);
  expect(lines.at(-1)).toBe("Every process has ended.");
}
