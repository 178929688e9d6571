/** Who has a job: its worker, until it gives the job back, loses it, or dies. */

import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { ClusterConnection } from "../../../src/ports/cluster.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { startChild } from "../../faults/child.ts";
import { aborted, connect, idsOf, job, never, type OpenOptions, workAt } from "../../support/cluster/connections.ts";
import { freePort } from "../../support/free-port.ts";
import { createGate } from "../../support/gate.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
import { silent } from "../../support/storage/open.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

const child = join(import.meta.dirname, "process.ts");
const LOCK_MS = 600_000;
const RENEWAL_MS = LOCK_MS / 3;

let redis: Redis;
let prefix: string;
let warnings: string[];
const opened: ClusterConnection[] = [];
const logger: Logger = { ...silent, warn: (message) => warnings.push(message) };
beforeAll(() => {
  redis = new Redis(inject("redis"));
});
afterAll(() => redis.disconnect());
beforeEach(() => {
  prefix = uniquePrefix();
  warnings = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close(never)));
});

function open(more: Partial<OpenOptions> = {}): ClusterConnection {
  const connection = connect({ connection: inject("redis"), prefix, logger, ...more });
  opened.push(connection);
  return connection;
}

const key = (name: string) => `{${prefix}}:jobs:${name}`;
const keyOf = (id: string) => key(`job.${id}`);
const lockOf = (id: string) => `${keyOf(id)}:lock`;

/** A worker whose lock is renewed when the test advances the clock. */
function openHolder(more: Partial<OpenOptions> = {}) {
  const clock = createTestClock();
  const connection = open({ clock, timing: { lockMs: LOCK_MS, stalledMs: 20 }, ...more });
  const gates: ReturnType<typeof createGate>[] = [];
  const signals: AbortSignal[] = [];
  const handled = workAt(connection, (_, signal) => {
    const gate = createGate();
    gates.push(gate);
    signals.push(signal);
    return gate.released;
  });
  return { clock, connection, gates, signals, handled };
}

describe("a worker that was killed", () => {
  it("loses its job to another one, which is not told of a failure", async () => {
    const dying = await startChild(child, [inject("redis"), prefix, "hold", "500"]);
    const connection = open({ timing: { stalledMs: 20 } });
    await connection.add([job("orphan", { priority: 3 }), job("next", { priority: 3 })]);
    await dying.line((line) => line === "taken orphan");
    await dying.kill();
    const handled = workAt(connection);
    await until(() => handled.length === 2);
    expect(idsOf(handled).sort()).toEqual(["next", "orphan"]);
    expect(warnings).toEqual([]);
  });
});

describe("the lock of a job", () => {
  it("is renewed for as long as its handler takes", async () => {
    const { clock, connection, signals } = openHolder();
    await connection.add([job("long")]);
    await until(() => signals.length === 1);
    for (let round = 0; round < 3; round++) {
      await redis.pexpire(lockOf("long"), LOCK_MS / 2);
      await clock.advance(RENEWAL_MS);
      await until(async () => (await redis.pttl(lockOf("long"))) > LOCK_MS / 2);
    }
    expect(signals[0]?.aborted).toBe(false);
  });

  it("aborts the signal when it was lost, and the job is handled again without an error", async () => {
    const { clock, connection, gates, signals } = openHolder();
    const other = open({ timing: { stalledMs: 20 } });
    await connection.add([job("lost")]);
    await until(() => signals.length === 1);
    await connection.stopTaking();
    await redis.del(lockOf("lost"));
    const handled = workAt(other);
    await until(() => handled.length === 1);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(RENEWAL_MS);
    await until(() => signals[0]?.aborted === true);
    for (const gate of gates) gate.release();
    await connection.close(never);
    expect(idsOf(handled)).toEqual(["lost"]);
    expect(await redis.exists(keyOf("lost"))).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("aborts the signal before it expires when Redis does not respond", async () => {
    const proxy = await startProxy(Number(new URL(inject("redis")).port));
    const { clock, connection, signals } = openHolder({ connection: `redis://127.0.0.1:${proxy.port}` });
    await connection.add([job("cut-off")]);
    await until(() => signals.length === 1);
    proxy.pause();
    await clock.advance(LOCK_MS / 2);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(LOCK_MS / 2 - 1);
    expect(signals[0]?.aborted).toBe(true);
    proxy.resume();
    await until(async () => (await redis.exists(lockOf("cut-off"))) === 1);
    const closed = Promise.all(opened.splice(0).map((one) => one.close(Promise.resolve())));
    await closed;
    await proxy.close();
  });

  it("is that of the new handler when the same worker gets a lost job again", async () => {
    const { clock, connection, gates, signals } = openHolder();
    await connection.add([job("again")]);
    await until(() => signals.length === 1);
    await redis.del(lockOf("again"));
    await until(() => signals.length === 2);
    gates[0]?.release();
    for (let round = 0; round < 2; round++) {
      await redis.pexpire(lockOf("again"), LOCK_MS / 2);
      await clock.advance(RENEWAL_MS);
      await until(async () => (await redis.pttl(lockOf("again"))) > LOCK_MS / 2);
    }
    expect(signals[1]?.aborted).toBe(false);
    gates[1]?.release();
    await until(async () => (await redis.exists(keyOf("again"))) === 0);
    expect(signals.length).toBe(2);
    expect(warnings).toEqual([]);
  });
});

describe("a connection that stops taking jobs", () => {
  it("finishes those that it has", async () => {
    const { connection, gates, handled } = openHolder();
    await connection.add([job("first")]);
    await until(() => handled.length === 1);
    await connection.stopTaking();
    await connection.add([job("second")]);
    gates[0]?.release();
    await until(async () => (await redis.exists(keyOf("first"))) === 0);
    expect(await redis.exists(keyOf("second"))).toBe(1);
    const others = workAt(open());
    await until(() => others.length > 0);
    expect([idsOf(handled), idsOf(others)]).toEqual([["first"], ["second"]]);
  });

  it("takes none if it stops before it has connected", async () => {
    const { connection, handled } = openHolder();
    await connection.stopTaking();
    await connection.add([job("any")]);
    const others = workAt(open());
    await until(() => others.length > 0);
    expect([idsOf(handled), idsOf(others)]).toEqual([[], ["any"]]);
  });
});

describe("a connection that closes", () => {
  it("gives back the jobs that it has, and they are the first to be handled", async () => {
    const signals: AbortSignal[] = [];
    const connection = open();
    workAt(
      connection,
      (_, signal) => {
        signals.push(signal);
        return aborted(signal);
      },
      2,
    );
    await connection.add([job("one", { priority: 5 }), job("two", { priority: 5 })]);
    await until(() => signals.length === 2);
    await connection.add([job("three", { priority: 5 })]);
    await redis.del(key("marker"));
    await connection.close(never);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    // Wakes workers that wait.
    expect(await redis.zrange(key("marker"), 0, -1)).toEqual(["0"]);
    expect(await redis.llen(key("active"))).toBe(0);
    const handled = workAt(open(), async () => undefined, 1);
    await until(() => handled.length === 3);
    expect(new Set(idsOf(handled.slice(0, 2)))).toEqual(new Set(["one", "two"]));
    expect(warnings).toEqual([]);
  });

  it("gives back jobs whose handlers don't end", async () => {
    const connection = open();
    const stuck = workAt(connection, () => never, 1);
    await connection.add([job("stuck"), job("next")]);
    await until(() => stuck.length === 1);
    await connection.close(never);
    const handled = workAt(open(), async () => undefined, 1);
    await until(() => handled.length === 2);
    expect(idsOf(handled)).toEqual(["stuck", "next"]);
    expect(warnings).toEqual([]);
  });

  it("loses no job while workers come and go", async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `run-${n}`);
    const handled = new Set<string>();
    const source = open();
    await source.add(ids.map((id, n) => job(id, { priority: n % 3 })));
    // No lock expires: a job that was not given back would never be handled.
    while (handled.size < ids.length) {
      const connection = connect({ connection: inject("redis"), prefix, logger });
      const before = handled.size;
      workAt(connection, async ({ id }) => void handled.add(id), 5);
      await until(() => handled.size > before);
      await connection.close(never);
    }
    expect(await redis.llen(key("active"))).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("refuses what is added afterwards, and publishes nothing", async () => {
    const connection = open();
    await connection.add([job("a")]);
    await connection.close(never);
    await expect(connection.add([job("b")])).rejects.toMatchObject({ code: "unavailable" });
    connection.publish("nothing");
    expect(await redis.exists(keyOf("b"))).toBe(0);
  });

  describe("while Redis does not respond", () => {
    let proxy: TcpProxy;
    beforeEach(async () => {
      proxy = await startProxy(Number(new URL(inject("redis")).port));
    });
    afterEach(() => proxy.close());

    async function openStuck(more: Partial<OpenOptions> = {}): Promise<ClusterConnection> {
      const connection = connect({ connection: `redis://127.0.0.1:${proxy.port}`, prefix, logger, ...more });
      const handled = workAt(connection, () => never);
      await connection.add([job("stuck")]);
      await until(() => handled.length === 1);
      proxy.pause();
      return connection;
    }

    it("ends when the time is up", async () => {
      const connection = await openStuck();
      const gate = createGate();
      let isClosed = false;
      const closed = connection.close(gate.released).then(() => {
        isClosed = true;
      });
      await redis.ping();
      expect(isClosed).toBe(false);
      gate.release();
      await closed;
      expect(isClosed).toBe(true);
    });

    it("waits for its own time limit at most", async () => {
      const clock = createTestClock();
      const connection = await openStuck({ clock, timing: { timeoutMs: 5_000 } });
      let isClosed = false;
      const closed = connection.close(never).then(() => {
        isClosed = true;
      });
      await until(async () => {
        await clock.advance("5s");
        return isClosed;
      });
      await closed;
      expect(isClosed).toBe(true);
    });
  });

  it.each([
    ["with a job", async () => inject("redis"), ["taken own", "closed"]],
    ["without Redis", async () => `redis://127.0.0.1:${await freePort()}`, ["refused unavailable", "closed"]],
  ])("lets its process end: %s", async (_, url, lines) => {
    const process = await startChild(child, [await url(), prefix, "close", "15000"]);
    expect(await process.gone).toEqual({ code: 0, errors: "" });
    expect(process.lines).toEqual(lines);
  });
});
