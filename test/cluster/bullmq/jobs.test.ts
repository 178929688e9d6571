/** Jobs from the process that adds them to the one that handles them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, Queue } from "bullmq";
import { Cluster, Redis } from "ioredis";
import { Redis as Ioredis6 } from "ioredis6";
import { afterEach, describe, expect, inject, it } from "vitest";
import type { ClusterConnection } from "../../../src/ports/cluster.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import {
  connect,
  connectAsUser,
  idsOf,
  job,
  never,
  type OpenOptions,
  untilHeard,
  workAt,
} from "../../support/cluster/connections.ts";
import { createGate } from "../../support/gate.ts";
import { startRedis } from "../../support/servers/redis.ts";
import { silent } from "../../support/storage/open.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function ending<T extends ClusterConnection>(connection: T): T {
  ends.push(() => connection.close(never));
  return connection;
}

/** Connections of one service, and its queue as dashboards see it. */
function openService() {
  const prefix = uniquePrefix();
  const connection: ConnectionOptions = new Redis(inject("redis"), { maxRetriesPerRequest: null });
  const queue = new Queue("jobs", { connection, prefix: `{${prefix}}` });
  ends.push(async () => {
    await queue.close();
    connection.disconnect();
  });
  const open = (more: Partial<OpenOptions> = {}) => ending(connect({ connection: inject("redis"), prefix, ...more }));
  return { prefix, queue, open };
}

describe("jobs", () => {
  it("are put back when a worker has no room for them, and taken again", async () => {
    const { queue, open } = openService();
    const connection = open();
    let tries = 0;
    const handled = workAt(connection, async () => (++tries < 3 ? "later" : "done"));
    await connection.add([job("a")]);
    await until(() => handled.length === 3);
    expect(idsOf(handled)).toEqual(["a", "a", "a"]);
    await until(async () => Object.values(await queue.getJobCounts()).every((count) => count === 0));
  });

  it("are handled once, with their kind and subject, and leave nothing behind", async () => {
    const { queue, open } = openService();
    const connection = open();
    const handled = workAt(connection);
    await connection.add([job("a.1"), job("b_2", { kind: "timers", subject: "due" }), job("3"), job("meta")]);
    await until(async () => handled.length === 4 && (await queue.getJobCounts())["active"] === 0);
    expect(handled).toEqual([
      { id: "a.1", kind: "run", subject: "of-a.1" },
      { id: "b_2", kind: "timers", subject: "due" },
      { id: "3", kind: "run", subject: "of-3" },
      { id: "meta", kind: "run", subject: "of-meta" },
    ]);
    expect(Object.values(await queue.getJobCounts()).filter((count) => count > 0)).toEqual([]);
  });

  it("are added by a process that does not work, in any number", async () => {
    const { open } = openService();
    const ids = Array.from({ length: 1_201 }, (_, n) => `run-${n}`);
    await open().add(ids.map((id) => job(id)));
    await open().add([]);
    const handled = workAt(open());
    await until(() => handled.length === ids.length);
    expect(idsOf(handled)).toEqual(ids);
  });

  it("are kept until their delay is over", async () => {
    const { queue, open } = openService();
    const connection = open();
    const handled = workAt(connection);
    await connection.add([job("late", { delayMs: 3_600_000 }), job("soon", { delayMs: 20 })]);
    await until(() => handled.length === 1);
    expect(idsOf(handled)).toEqual(["soon"]);
    expect((await queue.getDelayed()).map(({ id, delay }) => [id, delay])).toEqual([["job.late", 3_600_000]]);
  });

  it("are taken in the order of their priority, equal ones in the order in which they were added", async () => {
    const { open } = openService();
    const connection = open();
    await connection.add([
      job("last", { priority: 2_000_000 }),
      job("second-1", { priority: 1 }),
      job("first-1"),
      job("second-2", { priority: 1 }),
      job("first-2", { priority: 0 }),
    ]);
    const handled = workAt(connection, async () => undefined, 1);
    await until(() => handled.length === 5);
    expect(idsOf(handled)).toEqual(["first-1", "first-2", "second-1", "second-2", "last"]);
  });

  it("with the ID of one that waits, is delayed or is being handled are not added, and are added afterwards", async () => {
    const { queue, open } = openService();
    const connection = open();
    await connection.add([job("waits"), job("waits", { subject: "other" }), job("late", { delayMs: 3_600_000 })]);
    await connection.add([job("waits"), job("late")]);
    expect(await queue.getJobCounts("wait", "delayed")).toEqual({ wait: 1, delayed: 1 });
    const gate = createGate();
    const handled = workAt(connection, () => gate.released);
    await until(() => handled.length === 1);
    await connection.add([job("waits")]);
    expect(await queue.getJobCounts("wait", "active")).toEqual({ wait: 0, active: 1 });
    gate.release();
    await until(async () => {
      await connection.add([job("waits")]);
      return handled.length > 1;
    });
    expect(new Set(handled.map(({ subject }) => subject))).toEqual(new Set(["of-waits"]));
  });

  it("whose handler rejects or throws are over, with a warning", async () => {
    const { queue, open } = openService();
    const warnings: unknown[] = [];
    const logger: Logger = { ...silent, warn: (_, fields) => warnings.push(fields?.["subject"]) };
    const connection = open({ logger });
    const handled = workAt(connection, (found) => {
      if (found.id === "throws") throw new Error("at once");
      return Promise.reject(new Error("later"));
    });
    await connection.add([job("rejects"), job("throws")]);
    await until(async () => handled.length === 2 && (await queue.getJobCounts())["active"] === 0);
    expect(Object.values(await queue.getJobCounts()).filter((count) => count > 0)).toEqual([]);
    expect(warnings.sort()).toEqual(["of-rejects", "of-throws"]);
    await connection.add([job("rejects")]);
    await until(() => handled.length === 3);
  });

  it("are shared by the workers, each up to its concurrency", async () => {
    const { open } = openService();
    const gate = createGate();
    const [one, other] = [open(), open()];
    const ofOne = workAt(one, () => gate.released, 2);
    const ofOther = workAt(other, () => gate.released, 3);
    await one.add(Array.from({ length: 7 }, (_, n) => job(`run-${n}`)));
    await until(() => ofOne.length === 2 && ofOther.length === 3);
    gate.release();
    await until(() => ofOne.length + ofOther.length === 7);
    expect(new Set(idsOf([...ofOne, ...ofOther])).size).toBe(7);
  });

  it("of services with other prefixes stay apart", async () => {
    const [here, there] = [openService().open(), openService().open()];
    const handled = [workAt(here), workAt(there)];
    await here.add([job("here")]);
    await there.add([job("there")]);
    await until(() => handled.flat().length === 2);
    expect(handled.map(idsOf)).toEqual([["here"], ["there"]]);
  });

  it.each([
    [job("a b"), /of letters, digits/],
    [job("a:b"), /of letters, digits/],
    [job(""), /of letters, digits/],
    [job("a", { priority: 2_000_001 }), /integer from 0 to 2000000/],
    [job("a", { priority: -1 }), /integer from 0 to 2000000/],
  ])("that the queue cannot carry are refused: %o", async (wrong, message) => {
    await expect(openService().open().add([wrong])).rejects.toThrow(message);
  });
});

describe("jobs that others have added", () => {
  it("are removed with a warning if they are not those of Stepwell, and nothing of them is handled", async () => {
    const { queue, open } = openService();
    const warnings: string[] = [];
    const connection = open({ logger: { ...silent, warn: (message) => warnings.push(message) } });
    const wrong = [null, 7, "text", [], {}, { subject: 7 }, { subject: "" }, { subject: "x".repeat(1_001) }];
    await queue.addBulk(wrong.map((data, n) => ({ name: "run", data, opts: { jobId: `job.wrong-${n}` } })));
    await queue.add("run", { subject: "of a job without an ID" });
    await queue.add("run", { subject: "right", __proto__: { a: 1 }, more: "b" }, { jobId: "job.right" });
    const handled = workAt(connection);
    await until(async () => (await queue.getJobCounts("wait", "active"))["wait"] === 0 && handled.length > 0);
    await until(async () => (await queue.getJobCounts("active"))["active"] === 0);
    expect(handled).toEqual([{ id: "right", kind: "run", subject: "right" }]);
    expect(await queue.getJobCounts("completed", "failed", "wait")).toEqual({ completed: 0, failed: 0, wait: 0 });
    expect(warnings).toEqual([expect.stringMatching(/not one of Stepwell/)]);
  });

  it("with data that is no JSON don't keep a worker from its other jobs", async () => {
    const { prefix, queue, open } = openService();
    const connection = open();
    await connection.add([job("broken"), job("right")]);
    const client = new Redis(inject("redis"));
    ends.push(() => client.disconnect());
    await client.hset(`{${prefix}}:jobs:job.broken`, "data", "{");
    const handled = workAt(connection, async () => undefined, 1);
    await connection.add([job("later")]);
    await until(() => handled.length === 2);
    expect(idsOf(handled)).toEqual(["right", "later"]);
    expect((await queue.getJobCounts("failed"))["failed"]).toBe(0);
  });

  it("of kinds that only a newer version knows are put back with a delay, and handled by it", async () => {
    const { prefix, queue, open } = openService();
    const connection = open();
    await queue.add("future", { subject: "next" }, { jobId: "job.future" });
    const handled = workAt(connection);
    await until(async () => (await queue.getJobCounts("delayed"))["delayed"] === 1);
    const found = await queue.getJob("job.future");
    expect([found?.attemptsMade, found?.name, found?.data]).toEqual([0, "future", { subject: "next" }]);
    const client = new Redis(inject("redis"));
    ends.push(() => client.disconnect());
    // As if this one were the newer version.
    await client.hset(`{${prefix}}:jobs:job.future`, "name", "run");
    await found?.promote();
    await until(() => handled.length === 1);
    expect(handled).toEqual([{ id: "future", kind: "run", subject: "next" }]);
  });
});

describe("the connection", () => {
  const nothing = async (): Promise<void> => undefined;
  const { hostname, port } = new URL(inject("redis"));
  it.each([
    ["a URL", () => ({ connection: inject("redis"), close: nothing })],
    ["options", () => ({ connection: { host: hostname, port: Number(port) }, close: nothing })],
    ["options with a URL", () => ({ connection: { url: inject("redis"), db: 1 }, close: nothing })],
    ["a client of ioredis 5", () => clientOf(new Redis(inject("redis")))],
    ["a client of ioredis 6", () => clientOf(new Ioredis6(inject("redis")))],
    [
      "a client that connects late",
      () =>
        clientOf(new Redis(inject("redis"), { lazyConnect: true, maxRetriesPerRequest: 3, enableOfflineQueue: false })),
    ],
  ])("may be %s", async (_, open) => {
    const { connection, close } = open();
    const service = ending(connectAsUser({ connection, prefix: uniquePrefix() }));
    const heard: string[] = [];
    service.subscribe((message) => heard.push(message));
    const handled = workAt(service);
    await service.add([job("a")]);
    await until(() => handled.length === 1);
    await untilHeard(service, heard, "hello");
    await ends.pop()?.();
    expect(idsOf(handled)).toEqual(["a"]);
    await close();
  });

  /** The client stays open, and with the listeners that it had. */
  function clientOf(client: Redis | Ioredis6) {
    const listeners = client.eventNames().length;
    return {
      connection: client,
      async close(): Promise<void> {
        if (client.status === "wait") await client.connect();
        expect(await client.ping()).toBe("PONG");
        expect(client.eventNames().length).toBe(listeners);
        client.disconnect();
      },
    };
  }

  it("may be a Redis Cluster", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stepwell-cluster-"));
    const settings = ["--dir", folder, "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"];
    const server = await startRedis(settings);
    const node = new Redis(server.url);
    await node.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await until(async () => String(await node.call("CLUSTER", "INFO")).includes("cluster_state:ok"));
    const client = new Cluster([{ host: "127.0.0.1", port: server.port }]);
    const service = connectAsUser({ connection: client });
    const heard: string[] = [];
    service.subscribe((message) => heard.push(message));
    const handled = workAt(service);
    await service.add([job("a"), job("b", { priority: 2 }), job("c", { delayMs: 10 })]);
    await until(() => handled.length === 3);
    await untilHeard(service, heard, "hello");
    await service.close(never);
    expect(idsOf(handled)).toEqual(expect.arrayContaining(["a", "b", "c"]));
    expect(await client.ping()).toBe("PONG");
    client.disconnect();
    node.disconnect();
    await server.close();
    await rm(folder, { recursive: true });
  });
});
