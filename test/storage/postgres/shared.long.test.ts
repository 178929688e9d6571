/** Stores on PostgreSQL that several processes use at the same time. */
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type { Store } from "../../../src/ports/store.ts";
import { startChild } from "../../faults/child.ts";
import { times } from "../../support/sample.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
import { openPostgres, type PostgresFixture, postgresFixture } from "../../support/storage/postgres.ts";
import { sharedStoreContract } from "../../support/storage/shared-store-contract.ts";
import { until } from "../../support/until.ts";

const writer = new URL("writer.ts", import.meta.url).pathname;
const LOCK_HOLDERS = `SELECT pg_terminate_backend(l.pid) FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.granted AND l.objid = '"SCHEMA".owner'::regclass::oid`;

const createFixture = async () => {
  const { openShared, clean } = postgresFixture();
  return { open: openShared, clean };
};
sharedStoreContract("PostgreSQL", createFixture, { runs: times(3, 8), rounds: times(9, 24) });

const isFree = (store: Store) =>
  store.get("thing:none").then(
    () => true,
    () => false,
  );

describe("a shared store on PostgreSQL", () => {
  let fixture: PostgresFixture;
  beforeEach(() => {
    fixture = postgresFixture();
  });
  afterEach(() => fixture.clean());

  it("keeps a process out that wants it alone, and is kept out by one, until it is closed", async () => {
    const shared = [fixture.openShared(), fixture.openShared()];
    await Promise.all(shared.map((store, n) => store.commit([{ key: `thing:n${n}`, document: {} }])));
    const alone = fixture.open();
    await expect(alone.get("thing:n0")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^Another process \(backend \d+.*\) uses the schema .* with the option `cluster`/),
    });
    await shared[0]?.close();
    await expect(alone.get("thing:n0")).rejects.toMatchObject({ code: "unavailable" });
    await shared[1]?.close();
    expect(await fixture.query("SELECT id FROM session")).toEqual([]);
    expect(await alone.getMany(["thing:n0", "thing:n1"])).not.toContain(null);

    const late = fixture.openShared();
    await expect(late.commit([{ key: "thing:late", document: {} }])).rejects.toThrow(
      /alone, without the option `cluster`/,
    );
    await alone.close();
    expect(await late.get("thing:late")).toBeNull();
    await late.close();
  });

  it("goes on when connections with locks were cut", async () => {
    const stores = [fixture.openShared(), fixture.openShared()] as const;
    await stores[0].commit([{ key: "thing:a", document: {}, expected: null }]);
    await stores[1].get("thing:a");
    await fixture.query(LOCK_HOLDERS.replace("SCHEMA", fixture.schema));
    await stores[1].commit([{ key: "thing:a", document: {}, expected: 1 }]);
    await stores[0].commit([{ key: "thing:a", document: {}, expected: 2 }]);
    const locks = () =>
      fixture.query(`SELECT 1 AS held FROM pg_locks WHERE locktype = 'advisory' AND objid = 'owner'::regclass::oid`);
    await until(async () => (await locks()).length === 2);
    expect((await stores[1].get("thing:a"))?.version).toBe(3);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("stores nothing more after a process has taken it over alone, and the reverse", async () => {
    let before: Store = fixture.openShared();
    let version = 0;
    for (const open of [fixture.open, fixture.openShared, fixture.open]) {
      await before.commit([{ key: "thing:a", document: {}, expected: version === 0 ? null : version++ }]);
      version = Math.max(version, 1);
      const next = open();
      // The earlier one gets its lock back after a second, unless the next one is faster.
      await until(async () => {
        await fixture.query(LOCK_HOLDERS.replace("SCHEMA", fixture.schema));
        return isFree(next);
      });
      const late = before.commit([{ key: "thing:a", document: {}, expected: version }]);
      await expect(late).rejects.toThrow(/has taken over the schema/);
      await expect(before.get("thing:a")).rejects.toMatchObject({ code: "unavailable" });
      expect((await next.get("thing:a"))?.version).toBe(version);
      await before.close();
      before = next;
    }
    await before.close();
  });

  it("stores nothing of a flush that had begun when another process took over", async () => {
    const store = fixture.openShared();
    await store.commit([{ key: "thing:one", document: {} }]);
    const held = await fixture.holdFlushes();
    const late = store.commit([{ key: "thing:two", document: {} }]).catch((error: unknown) => error);
    await until(async () => (await held.waiting()) === 1);
    await held.release("DELETE FROM session");
    expect(await late).toMatchObject({ code: "unavailable", message: expect.stringContaining("has taken over") });
    expect(await fixture.query("SELECT key FROM document")).toEqual([{ key: "thing:one" }]);
    await store.close();
  });

  it("removes sessions that were not used for a day", async () => {
    const first = fixture.openShared();
    await first.get("thing:none");
    await fixture.query("INSERT INTO session (id, used) VALUES ('old', now() - interval '25 hours'), ('new', now())");
    const second = fixture.openShared();
    await second.get("thing:none");
    const ids = (await fixture.query("SELECT id FROM session")).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids).toContain("new");
    expect(ids).not.toContain("old");
    await Promise.all([first.close(), second.close()]);
  });

  it("repeats a flush that a deadlock has undone", async () => {
    const store = fixture.openShared();
    await store.commit(["a", "b"].map((id) => ({ key: `thing:${id}`, document: {}, expected: null }) as const));
    // Raises what PostgreSQL does, twice.
    await fixture.query(
      "CREATE SEQUENCE tries",
      `CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('"${fixture.schema}".tries') <= 2 THEN RAISE EXCEPTION 'undone' USING ERRCODE = '40P01'; END IF;
         RETURN NEW; END $$`,
      "CREATE TRIGGER undo BEFORE UPDATE ON document FOR EACH ROW EXECUTE FUNCTION undo()",
    );
    await store.commit([{ key: "thing:a", document: { n: 1 }, expected: 1 }]);
    expect(await store.get("thing:a")).toEqual({ version: 2, document: { n: 1 } });
    expect(await fixture.query("SELECT last_value::integer AS n FROM tries")).toEqual([{ n: 3 }]);
    await store.close();
  });

  it("does not wait for the numbers of rows that another process changes", async () => {
    const stores = [fixture.openShared(), fixture.openShared()] as const;
    const rows = (id: string) => [{ list: "things", put: { id, marks: ["m"] } }];
    await stores[0].commit([{ key: "thing:a", document: {}, expected: null, rows: rows("a") }]);
    const locks = fixture
      .query("BEGIN", "SELECT n FROM tally FOR UPDATE", "SELECT pg_sleep(600)")
      .catch(() => undefined);
    const sleeping = () => fixture.query("SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'");
    await until(async () => (await sleeping()).length === 1);
    await stores[1].commit([{ key: "thing:b", document: {}, expected: null, rows: rows("b") }]);
    expect((await stores[0].list("things", { limit: 0, marks: [["m"]] })).total).toBe(2);
    expect(await fixture.query("SELECT n::integer AS n FROM tally WHERE mark = 'm'")).toEqual([{ n: 1 }, { n: 1 }]);
    const [sleeper] = await sleeping();
    await fixture.query(`SELECT pg_terminate_backend(${String(sleeper?.["pid"])})`);
    await locks;
    // The next one that adds makes them one again.
    await stores[0].commit([{ key: "thing:a", document: null, expected: 1, rows: [{ list: "things", delete: "a" }] }]);
    expect(await fixture.query("SELECT n::integer AS n FROM tally WHERE mark = 'm'")).toEqual([{ n: 1 }]);
    await stores[1].commit([{ key: "thing:b", document: null, expected: 1, rows: [{ list: "things", delete: "b" }] }]);
    expect(await fixture.query("SELECT n FROM tally")).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe("two shared stores on PostgreSQL whose connections are cut", () => {
  it.each(["request", "answer"] as const)("within a flush's %s execute each flush once", async (of) => {
    const fixture = postgresFixture();
    const proxies: readonly TcpProxy[] = await Promise.all(
      [0, 1].map(() => startProxy(Number(new URL(inject("postgres")).port))),
    );
    const stores = proxies.map(({ port }) => {
      const url = new URL(inject("postgres"));
      url.port = String(port);
      return openPostgres({ url: url.href, schema: fixture.schema, timeoutMs: 600_000 }, { isShared: true });
    });
    const places = of === "answer" ? [0, 1, 5, 30, 60] : [0, 1, 20, 200, 700];
    await Promise.all(stores.map((store) => store.get("thing:none")));
    await Promise.all(
      stores.map(async (store, at) => {
        for (const [n, bytes] of places.entries()) {
          proxies[at]?.cutNext({ request: "store_flush", of, bytes });
          const put = { id: `id${at}`, order: String(n), marks: ["x", `at:${n}`] };
          // Executed twice, the second one would be a conflict.
          await store.commit([
            { key: `thing:n${at}`, document: { n }, expected: n === 0 ? null : n, rows: [{ list: "things", put }] },
          ]);
        }
      }),
    );
    expect(proxies.map(({ cuts }) => cuts)).toEqual([places.length, places.length]);
    for (const store of stores) {
      const found = await store.getMany(["thing:n0", "thing:n1"]);
      expect(found.map((stored) => stored?.version)).toEqual([places.length, places.length]);
      expect(await store.list("things", { limit: 5, marks: [["x"]] })).toMatchObject({ ids: ["id1", "id0"], total: 2 });
      expect((await store.list("things", { limit: 5, marks: [["at:0"]] })).total).toBe(0);
    }
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await fixture.clean();
  });
});

/** What a process writes before one is killed, and after it. */
const LINES = times(30, 100);

describe("processes that share a store on PostgreSQL", () => {
  it("go on when one of them is killed, lose nothing, and leave the store free", async () => {
    const fixture = postgresFixture();
    const store = fixture.openShared();
    await store.get("thing:none");
    const children = await Promise.all(
      ["a", "b"].map((name) => startChild(writer, [fixture.url, fixture.schema, name])),
    );
    await until(() => children.every(({ lines }) => lines.length > LINES));
    await children[0]?.kill();
    const before = children[1]?.lines.length ?? 0;
    await store.commit([{ key: "thing:own", document: {}, expected: null }]);
    await until(() => (children[1]?.lines.length ?? 0) > before + LINES);
    await children[1]?.kill();

    const acknowledged = children.flatMap(({ lines }) => lines);
    const { ids, total } = await store.list("things", { limit: 100_000 });
    expect(total).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(await store.getMany(ids.map((id) => `thing:${id}` as const))).not.toContain(null);
    const sum = await store.get<{ n: number }>("thing:sum");
    expect(sum?.document.n).toBe(ids.length);
    await store.close();
    const alone = fixture.open();
    // The server notices soon that the connections of the killed processes are closed.
    await until(() => isFree(alone));
    expect((await alone.list("things", { limit: 0 })).total).toBe(total);
    await alone.close();
    await fixture.clean();
  });
});
