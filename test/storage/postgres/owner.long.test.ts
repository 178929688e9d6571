/** One owner at a time: the lock keeps a second process out, and the generation fences the first one. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startChild } from "../../faults/child.ts";
import { type PostgresFixture, postgresFixture } from "../../support/storage/postgres.ts";
import { until } from "../../support/until.ts";

const LOCK_HOLDERS = `SELECT pg_terminate_backend(l.pid) FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.granted AND l.objid = '"SCHEMA".owner'::regclass::oid`;

describe("the owner of a store on PostgreSQL", () => {
  let fixture: PostgresFixture;
  beforeEach(() => {
    fixture = postgresFixture();
  });
  afterEach(() => fixture.clean());

  it("keeps a second process out until it closes the store", async () => {
    const first = fixture.open();
    await first.commit([{ key: "thing:one", document: { n: 1 } }]);
    const second = fixture.open();
    await expect(second.get("thing:one")).rejects.toThrow(/^Another process \(backend \d+.*\) uses the schema/);
    await expect(second.commit([{ key: "thing:one", document: { n: 2 } }])).rejects.toMatchObject({
      code: "unavailable",
    });
    await first.close();
    expect(await second.get("thing:one")).toEqual({ version: 1, document: { n: 1 } });
    await second.close();
  });

  it("stores nothing more after another process has taken over", async () => {
    const first = fixture.open();
    const second = fixture.open();
    await first.commit([{ key: "thing:one", document: { n: 1 } }]);
    // The first one gets its lock back after a second, unless the second one is faster.
    await until(async () => {
      await fixture.query(LOCK_HOLDERS.replace("SCHEMA", fixture.schema));
      return second.get("thing:one").then(
        () => true,
        () => false,
      );
    });
    await expect(first.commit([{ key: "thing:one", document: { n: 2 }, expected: 1 }])).rejects.toThrow(
      /has taken over the schema/,
    );
    await expect(first.get("thing:one")).rejects.toMatchObject({ code: "unavailable" });
    await second.commit([{ key: "thing:one", document: { n: 3 }, expected: 1 }]);
    expect(await second.get("thing:one")).toEqual({ version: 2, document: { n: 3 } });
    await first.close();
    await second.close();
  });

  it("stores nothing of a flush that had begun when another process took over", async () => {
    const store = fixture.open();
    await store.commit([{ key: "thing:one", document: {} }]);
    const held = await fixture.holdFlushes();
    const late = store.commit([{ key: "thing:two", document: {} }]).catch((error: unknown) => error);
    await until(async () => (await held.waiting()) === 1);
    await held.release("UPDATE owner SET generation = generation + 1");
    expect(await late).toMatchObject({ code: "unavailable", message: expect.stringContaining("has taken over") });
    expect(await fixture.query("SELECT key FROM document")).toEqual([{ key: "thing:one" }]);
    await store.close();
  });

  it("notices a takeover without writing", async () => {
    const first = fixture.open();
    await first.commit([{ key: "thing:one", document: {} }]);
    await fixture.query("UPDATE owner SET generation = generation + 1");
    await until(async () => (await first.get("thing:one").catch(() => "fenced")) === "fenced");
    await expect(first.get("thing:one")).rejects.toThrow(/has taken over/);
    await first.close();
  });

  it("goes on when only the connection with its lock was cut", async () => {
    const store = fixture.open();
    await store.commit([{ key: "thing:one", document: {} }]);
    await fixture.query(LOCK_HOLDERS.replace("SCHEMA", fixture.schema));
    await store.commit([{ key: "thing:two", document: {} }]);
    const locks = () =>
      fixture.query(`SELECT 1 AS held FROM pg_locks WHERE locktype = 'advisory' AND objid = 'owner'::regclass::oid`);
    await until(async () => (await locks()).length === 1);
    expect(await store.getMany(["thing:one", "thing:two"])).not.toContain(null);
    await store.close();
  });

  it("executes a flush only as its own generation, once, and in READ COMMITTED transactions", async () => {
    const store = fixture.open();
    await store.commit([{ key: "thing:one", document: {} }]);
    await store.close();
    const [owner] = await fixture.query("SELECT generation::text AS generation, flush::text AS flush FROM owner");
    const enter = (generation: string, flush: string) => `SELECT enter_flush(${generation}, ${flush}) AS answer`;
    const { generation, flush } = { generation: String(owner?.["generation"]), flush: String(owner?.["flush"]) };
    expect(await fixture.query(enter(generation, flush))).toEqual([{ answer: "[]" }]);
    expect(await fixture.query(enter(generation, `${flush} + 1`))).toEqual([{ answer: null }]);
    await expect(fixture.query(enter(`${generation} + 1`, flush))).rejects.toMatchObject({ code: "SWF01" });
    await expect(fixture.query(enter(generation, `${flush} - 1`))).rejects.toMatchObject({ code: "SWF02" });
    const repeatable = fixture.query("BEGIN ISOLATION LEVEL REPEATABLE READ", enter(generation, flush));
    await expect(repeatable).rejects.toMatchObject({ code: "SWF03" });
  });

  it("leaves all acknowledged commits when it is killed", async () => {
    const child = await startChild(new URL("writer.ts", import.meta.url).pathname, [fixture.url, fixture.schema]);
    await until(() => child.lines.length > 200);
    await child.kill();
    const store = fixture.open();
    // The server notices soon that the connections of the killed process are closed.
    await until(() =>
      store.get("thing:none").then(
        () => true,
        () => false,
      ),
    );
    const acknowledged = child.lines.map((id) => `thing:${id}` as const);
    expect(await store.getMany(acknowledged)).not.toContain(null);
    const { total } = await store.list("things", { limit: 0 });
    const { ids } = await store.list("things", { limit: 100_000 });
    expect(ids).toHaveLength(total ?? 0);
    expect(ids).toEqual(expect.arrayContaining(child.lines.slice()));
    await store.close();
  });
});
