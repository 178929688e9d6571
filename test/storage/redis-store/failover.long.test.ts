/** A replica is promoted, and the address then leads to it: with all commits the store goes on, without some it stops. */
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
import { silent } from "../../support/storage/open.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

let primary: RedisServer;
let replica: RedisServer;
let proxy: TcpProxy;
let store: Store;
/** Connections of an administrator. */
let onPrimary: Redis;
let onReplica: Redis;
let errors: string[];
const logger: Logger = { ...silent, error: (message) => errors.push(message) };

beforeEach(async () => {
  errors = [];
  primary = await startRedis(["--repl-diskless-sync-delay", "0"]);
  replica = await startRedis(["--replicaof", "127.0.0.1", String(primary.port)]);
  proxy = await startProxy(primary.port);
  [onPrimary, onReplica] = [primary, replica].map(({ url }) => new Redis(url)) as [Redis, Redis];
  for (const client of [onPrimary, onReplica]) client.on("error", () => undefined);
  await until(async () => (await onReplica.info("replication")).includes("master_link_status:up"));
  store = openRedisStore(`redis://127.0.0.1:${proxy.port}`, { prefix: uniquePrefix(), logger });
});
afterEach(async () => {
  await store.close();
  onPrimary.disconnect();
  onReplica.disconnect();
  await proxy.close();
  await Promise.all([primary.close(), replica.close()]);
});

async function failOver(): Promise<void> {
  await primary.kill();
  await onReplica.replicaof("NO", "ONE");
  proxy.redirect(replica.port);
}

const lost = /Redis has lost commits that were acknowledged/;
const commit = (n: number) =>
  store.commit([
    { key: "thing:a", document: { n }, expected: n === 0 ? null : n, rows: [{ list: "l", put: { id: `${n}` } }] },
  ]);

describe("a Redis store whose replica is promoted", () => {
  it("goes on with all that was acknowledged if the replica has it", async () => {
    for (let n = 0; n < 50; n++) await commit(n);
    // It waits for what its own connection has written, which comes after the rest.
    await onPrimary.set("marker", "");
    await until(async () => (await onPrimary.wait(1, 0)) === 1);
    const over = failOver();
    await commit(50);
    await over;
    await commit(51);
    expect(await store.get("thing:a")).toEqual({ version: 52, document: { n: 51 } });
    expect((await store.list("l", { limit: 0 })).total).toBe(52);
    expect(errors).toEqual([]);
  });

  it("stops if the replica lacks some of it, whatever it was about to commit", async () => {
    await commit(0);
    await until(async () => (await onReplica.dbsize()) === (await onPrimary.dbsize()));
    await onReplica.replicaof("NO", "ONE");
    await commit(1);
    await primary.kill();
    proxy.redirect(replica.port);
    await expect(commit(2)).rejects.toThrow(lost);
    await expect(store.get("thing:a")).rejects.toThrow(lost);
    expect(errors).toEqual([expect.stringContaining("Restart it")]);
  });

  it("under load, goes on or stops, and loses nothing silently", async () => {
    let acknowledged = 0;
    let stopped: unknown = null;
    let isOver = false;
    const working = (async () => {
      for (let n = 0; !isOver; n++) {
        await commit(n);
        acknowledged = n + 1;
      }
    })().catch((error) => {
      stopped = error;
    });
    await until(() => acknowledged > 100);
    await failOver();
    const before = acknowledged;
    await until(() => stopped !== null || acknowledged > before + 20);
    isOver = true;
    await working;
    const found = await onReplica.get((await onReplica.keys("*:d:thing:a"))[0] ?? "");
    const version = Number(found?.split(" ")[0]);
    if (stopped === null) expect(version).toBe(acknowledged);
    else expect([String(stopped), version < acknowledged]).toEqual([expect.stringMatching(lost), true]);
  });
});
