/** Redis restarts, is emptied, or does not respond: the processes go on, and nobody waits for long. */

import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClusterConnection } from "../../../src/ports/cluster.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import {
  aborted,
  connect,
  idsOf,
  job,
  never,
  type OpenOptions,
  untilHeard,
  workAt,
} from "../../support/cluster/connections.ts";
import { freePort } from "../../support/free-port.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
import { silent } from "../../support/storage/open.ts";
import { until } from "../../support/until.ts";

let server: RedisServer;
let messages: string[];
let away: string;
const connections: ClusterConnection[] = [];
const logger: Logger = {
  ...silent,
  info: (message) => messages.push(message),
  warn: (message) => messages.push(message),
  error: (message) => messages.push(message),
};
const awayAt = (port: number) => `Redis is not available at 127.0.0.1:${port}. Stepwell keeps trying to connect.`;
const BACK = "Redis is available again.";
const unavailable = { name: "StepwellError", code: "unavailable" };

beforeEach(async () => {
  server = await startRedis();
  messages = [];
  away = awayAt(server.port);
});
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close(never)));
  await server.close();
});

function open(more: Partial<OpenOptions> = {}): ClusterConnection {
  const connection = connect({ connection: server.url, logger, ...more });
  connections.push(connection);
  return connection;
}

/** Adds a job with a new ID until it is handled: while Redis is away, adding fails, or the job is lost with it. */
async function addUntilHandled(connection: ClusterConnection, handled: readonly unknown[], name: string) {
  const before = handled.length;
  let count = 0;
  await until(async () => {
    await connection.add([job(`${name}-${count++}`)]).catch(() => undefined);
    return handled.length > before;
  });
}

describe("a Redis that restarts", () => {
  it("is used again by workers, publishers and subscribers, and logged once", async () => {
    const [one, other] = [open(), open({ logger: silent })];
    const heard: string[] = [];
    other.subscribe((message) => heard.push(message));
    const handled = workAt(other);
    await one.add([job("before")]);
    await untilHeard(one, heard, "before");
    await until(() => handled.length === 1);
    for (let round = 0; round < 2; round++) {
      await server.kill();
      await expect.poll(() => one.add([job("meanwhile")]).catch((error) => error)).toMatchObject(unavailable);
      one.publish("lost");
      await until(() => messages.at(-1) === away);
      server = await startRedis([], server.port);
      await addUntilHandled(one, handled, `after-${round}`);
      await untilHeard(one, heard, `after-${round}`);
      await until(() => messages.at(-1) === BACK);
    }
    expect(messages).toEqual([away, BACK, away, BACK]);
    expect(heard).not.toContain("lost");
  });

  it("takes the locks of jobs along, so that their signals abort, and their ends are no errors", async () => {
    const clock = createTestClock();
    const connection = open({ clock, timing: { lockMs: 60_000 } });
    const signals: AbortSignal[] = [];
    const handled = workAt(connection, (_, signal) => {
      signals.push(signal);
      return aborted(signal);
    });
    await connection.add([job("lost")]);
    await until(() => handled.length === 1);
    await server.kill();
    server = await startRedis([], server.port);
    await until(async () => {
      await clock.advance("20s");
      return signals[0]?.aborted === true;
    });
    await addUntilHandled(connection, handled, "next");
    expect(messages.filter((message) => message !== away && message !== BACK)).toEqual([]);
  });
});

describe("a Redis that was emptied", () => {
  it("gives new jobs to workers that wait, and to those that are busy", async () => {
    const connection = open();
    const handled = workAt(connection);
    await connection.add([job("before"), job("delayed", { delayMs: 3_600_000 })]);
    await until(() => handled.length === 1);
    const admin = new Redis(server.url);
    await admin.flushall();
    await connection.add([job("before"), job("delayed"), job("priority", { priority: 2 })]);
    await until(() => handled.length === 4);
    expect(idsOf(handled).slice(1).sort()).toEqual(["before", "delayed", "priority"]);
    admin.disconnect();
  });

  it("does not hold the end of a job that it has forgotten against anybody", async () => {
    const connection = open();
    const admin = new Redis(server.url);
    const handled = workAt(connection, async ({ id }) => {
      if (id === "forgotten") await admin.flushall();
    });
    await connection.add([job("forgotten")]);
    await until(() => handled.length === 1);
    await addUntilHandled(connection, handled, "next");
    expect(messages).toEqual([]);
    admin.disconnect();
  });
});

describe("a Redis that is away", () => {
  it("makes adding fail, and is used as soon as it is there", async () => {
    const port = await freePort();
    const connection = open({ connection: `redis://:secret@127.0.0.1:${port}` });
    const heard: string[] = [];
    connection.subscribe((message) => heard.push(message));
    connection.publish("nothing");
    const handled = workAt(connection);
    const failures = await Promise.all(
      Array.from({ length: 50 }, (_, n) => connection.add([job(`a-${n}`)]).catch((error) => error)),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject(unavailable);
      expect(failure.message).not.toContain("secret");
      expect(failure.message).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
    }
    const late = await startRedis(["--requirepass", "secret"], port);
    await addUntilHandled(connection, handled, "b");
    await untilHeard(connection, heard, "hello");
    expect(messages.filter((message) => message === awayAt(port))).toHaveLength(1);
    await Promise.all(connections.splice(0).map((one) => one.close(never)));
    await late.close();
  });

  it("is reported differently from a closed connection", async () => {
    const connection = open({ connection: `redis://127.0.0.1:${await freePort()}` });
    workAt(connection);
    connection.subscribe(() => undefined);
    await connection.close(never);
    await expect(connection.add([job("a")])).rejects.toThrow("The connection of the cluster is closed.");
  });
});

describe("a Redis that does not respond", () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    proxy = await startProxy(server.port);
  });
  afterEach(() => proxy.close());

  it("makes adding fail after the time limit, and what was added is handled later", async () => {
    const clock = createTestClock();
    const connection = open({ connection: `redis://127.0.0.1:${proxy.port}`, clock, timing: { timeoutMs: 5_000 } });
    const handled = workAt(open());
    await connection.add([job("before")]);
    proxy.pause("answer");
    let failure: unknown = null;
    const failing = connection.add([job("unconfirmed")]).catch((error) => {
      failure = error;
    });
    await clock.advance(4_999);
    expect(failure).toBeNull();
    await clock.advance(1);
    await failing;
    expect(failure).toMatchObject({ ...unavailable, message: "Redis did not respond within 5 seconds (add jobs)." });
    await until(() => idsOf(handled).includes("unconfirmed"));
    proxy.resume();
    await addUntilHandled(connection, handled, "after");
    expect(idsOf(handled).filter((id) => id === "unconfirmed")).toHaveLength(1);
  });

  it("loses its connections, which are replaced", async () => {
    const clock = createTestClock();
    const timing = { timeoutMs: 5_000, heartbeatMs: 10_000 };
    const connection = open({ connection: `redis://127.0.0.1:${proxy.port}`, clock, timing });
    const heard: string[] = [];
    connection.subscribe((message) => heard.push(message));
    await untilHeard(connection, heard, "before");
    await clock.advance("1m");
    const before = proxy.connections;
    proxy.pause();
    await clock.advance("10s");
    await clock.advance("5s");
    await until(() => proxy.connections > before);
    proxy.resume();
    await untilHeard(connection, heard, "after");
    expect(heard).toContain("before");
  });

  it("on new connections either has them replaced, so that it works when it is back", async () => {
    const clock = createTestClock();
    const connection = open({ connection: `redis://127.0.0.1:${proxy.port}`, clock, timing: { timeoutMs: 5_000 } });
    const handled = workAt(connection);
    await connection.add([job("before")]);
    await until(() => handled.length === 1);
    const before = proxy.connections;
    proxy.swallow(true);
    await until(() => proxy.connections >= before + 3);
    proxy.swallow(false);
    const added = (async () => {
      while (!(await connection.add([job("after")]).then(...settled))) await clock.advance("1s");
    })();
    await until(async () => {
      await clock.advance("1s");
      return idsOf(handled).includes("after");
    });
    await added;
    expect(messages).toContain(awayAt(proxy.port));
  });
});

const settled = [() => true, () => false] as const;
