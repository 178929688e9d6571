/** Connections to PostgreSQL that fail at every point of a flush. */
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type { Store } from "../../../src/ports/store.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
import { createExpiringClock, type ExpiringClock } from "../../support/storage/expiring-clock.ts";
import { openPostgres, type PostgresFixture, postgresFixture } from "../../support/storage/postgres.ts";
import { until } from "../../support/until.ts";

const KEY = "thing:one";
const version = (n: number) => [
  {
    key: KEY,
    document: { n },
    expected: n === 1 ? null : n - 1,
    rows: [{ list: "things", put: { id: "one", order: String(n).padStart(3, "0"), marks: ["x", `at:${n}`] } }],
  } as const,
];

describe("a store on PostgreSQL whose connection", () => {
  let fixture: PostgresFixture;
  let proxy: TcpProxy;
  let store: Store;
  let clock: ExpiringClock;
  const open = () => {
    const url = new URL(inject("postgres"));
    url.port = String(proxy.port);
    // Real limits of the server are never reached; those of the store pass when the test says so.
    return openPostgres({ url: url.href, schema: fixture.schema, timeoutMs: 600_000 }, { clock });
  };
  /** Lets time limits pass until all calls have settled. */
  async function settleInTime(...calls: Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
    let isSettled = false;
    const all = Promise.allSettled(calls).finally(() => {
      isSettled = true;
    });
    await until(() => {
      clock.expire();
      return isSettled;
    });
    return all;
  }
  const UNAVAILABLE = { status: "rejected", reason: { code: "unavailable" } };

  beforeEach(async () => {
    fixture = postgresFixture();
    clock = createExpiringClock();
    proxy = await startProxy(Number(new URL(inject("postgres")).port));
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await fixture.clean();
  });

  it.each(["request", "answer"] as const)("is cut within a flush's %s executes the flush once", async (of) => {
    store = open();
    await store.commit(version(1));
    const places = of === "answer" ? [0, 1, 5, 30, 60] : [0, 1, 20, 200, 700];
    for (const [at, bytes] of places.entries()) {
      proxy.cutNext({ request: "store_flush", of, bytes });
      // Executed twice, the second one would be a conflict.
      await store.commit(version(at + 2));
      expect(proxy.cuts).toBe(at + 1);
    }
    const last = places.length + 1;
    expect(await store.get(KEY)).toEqual({ version: last, document: { n: last } });
    expect(await store.list("things", { limit: 5, marks: [["x"]] })).toMatchObject({ ids: ["one"], total: 1 });
    expect(await store.list("things", { limit: 5, marks: [["at:1"]] })).toMatchObject({ ids: [], total: 0 });
  });

  it("is cut while a flush waits in the server executes the flush once, although it is there twice", async () => {
    store = open();
    await store.commit(version(1));
    const held = await fixture.holdFlushes();
    const pending = store.commit(version(2));
    await until(async () => (await held.waiting()) === 1);
    proxy.resume();
    await until(async () => (await held.waiting()) === 2);
    await held.release();
    await pending;
    await store.commit(version(3));
    expect(await store.list("things", { limit: 5, marks: [["x"]] })).toMatchObject({ ids: ["one"], total: 1 });
  });

  it("hangs rejects calls in time that were not sent, and executes the flush that was sent once it is answered", async () => {
    store = open();
    await store.commit(version(1));
    proxy.pause();
    const sent = store.commit(version(2));
    await until(() => proxy.heldBytes > 0);
    const other = { key: "thing:other", document: {}, expected: null } as const;
    const late = settleInTime(store.commit([other]), store.get(KEY), store.list("things", { limit: 1 }));
    expect(await late).toMatchObject([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
    expect(store.isFailing).toBe(true);
    proxy.resume();
    await sent;
    expect(store.isFailing).toBe(false);
    expect((await store.get(KEY))?.version).toBe(2);
    expect(await store.get(other.key)).toBeNull();
    await store.commit(version(3));
  });

  it("loses answers for longer than the time limit resolves the commit, which is stored, when it is answered", async () => {
    store = open();
    await store.commit(version(1));
    proxy.pause("answer");
    const unanswered = store.commit(version(2));
    await expect.poll(() => fixture.query("SELECT version FROM document")).toEqual([{ version: 2 }]);
    expect(await settleInTime(store.get(KEY))).toMatchObject([UNAVAILABLE]);
    proxy.resume();
    await unanswered;
    expect((await store.get(KEY))?.version).toBe(2);
    await store.commit(version(3));
  });

  it("hangs lets close end when its time is up", async () => {
    store = open();
    await store.commit(version(1));
    proxy.pause();
    const pending = store.commit(version(2)).catch((error: unknown) => error);
    await store.close(Promise.resolve());
    expect(await pending).toMatchObject({ code: "unavailable" });
  });

  it.each([1, 2, 3])("is ended by the server as soon as it is ready is replaced: connection %i", async (number) => {
    proxy.endWhenReady(number);
    store = open();
    await store.commit(version(1));
    const reads = Array.from({ length: 5 }, () => store.get(KEY));
    expect(await Promise.all(reads)).toEqual(reads.map(() => ({ version: 1, document: { n: 1 } })));
    expect(proxy.cuts).toBe(1);
  });
});
