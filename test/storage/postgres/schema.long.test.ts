/** Options, rights, versions and settings of the database, and the SQL of rows. */
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import postgres, { type PostgresOptions } from "../../../adapters/storage/postgres/postgres.ts";
import type { Store } from "../../../src/ports/store.ts";
import { query } from "../../support/servers/postgres.ts";
import { openPostgres, type PostgresFixture, postgresFixture, uniqueSchema } from "../../support/storage/postgres.ts";
import { SILENT } from "../../support/storage/silent.ts";

const ONE = { key: "thing:one", document: { id: "one" } } as const;

describe("the options of the PostgreSQL store", () => {
  it.each<[string, object, RegExp]>([
    ["neither a url nor a pool", {}, /needs either a url or a pool/],
    ["both", { url: "postgres://a", pool: { connect: () => null } }, /needs either a url or a pool/],
    ["another kind of url", { url: "mysql://u:secret@host" }, /^(?!.*secret).*must start with postgres:\/\//],
    ["settings in place of a pool", { url: "postgres://a", pool: {} }, /must be a Pool of the package "pg"/],
    ["a pool that is none", { pool: "postgres://u:secret@host" }, /^(?!.*secret).*must be a Pool of the package "pg"/],
    ["an unknown option", { url: "postgres://a", base: "b" }, /no option "base". It has url, pool, schema/],
    ["a schema with a quote", { url: "postgres://a", schema: 'a"b' }, /lowercase letters, digits and underscores/],
    ["a schema of PostgreSQL", { url: "postgres://a", schema: "pg_own" }, /lowercase letters, digits and underscores/],
    ["too few connections", { url: "postgres://a", maxConnections: 2 }, /from 3 to 1000, not 2/],
    ["a pool with too few", { pool: { connect() {}, options: { max: 2 } } }, /options.max of the pool .* not 2/],
    ["a time limit as text", { url: "postgres://a", timeoutMs: "1s" }, /timeoutMs of .* from 100 to 600000/],
  ])("reject %s", (_, options, message) => {
    expect(() => postgres(options as PostgresOptions)).toThrow(message);
  });
});

describe("a store on PostgreSQL", () => {
  let fixture: PostgresFixture;
  let store: Store | null;

  beforeEach(() => {
    fixture = postgresFixture();
    store = null;
  });
  afterEach(async () => {
    await store?.close();
    await fixture.clean();
  });

  /** A database of its own, with a role that may only connect. */
  async function limitedDatabase(...statements: string[]) {
    const name = uniqueSchema();
    await query(inject("postgres"), `CREATE DATABASE ${name}`, `CREATE ROLE ${name} LOGIN`);
    const url = new URL(inject("postgres"));
    url.pathname = `/${name}`;
    await query(url.href, ...statements.map((text) => text.replaceAll("ROLE", name)));
    const clean = async () => {
      await query(url.href, `DROP OWNED BY ${name} CASCADE`);
      await query(inject("postgres"), `DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`);
    };
    const asAdministrator = url.href;
    url.username = name;
    return { name, url: url.href, asAdministrator, clean };
  }

  it("works with a pool of the host, and leaves it open", async () => {
    const pool = new pg.Pool({ connectionString: inject("postgres"), max: 4 });
    store = openPostgres({ pool, schema: fixture.schema });
    await store.commit([ONE]);
    expect(await store.get("thing:one")).toMatchObject({ version: 1 });
    await store.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it("says what to run if the role may not create the schema, and works afterwards", async () => {
    const database = await limitedDatabase();
    store = openPostgres({ url: database.url });
    const message = `The role "${database.name}" may not create the schema "stepwell" in the database "${database.name}". As an administrator, run: `;
    const sql = `CREATE SCHEMA IF NOT EXISTS "stepwell"; ALTER SCHEMA "stepwell" OWNER TO "${database.name}";`;
    await expect(store.get("thing:one")).rejects.toMatchObject({ code: "unavailable", message: message + sql });
    await query(database.asAdministrator, sql);
    await store.commit([ONE]);
    expect(await store.get("thing:one")).toMatchObject({ version: 1 });
    await store.close();
    await database.clean();
  });

  it("searches without pg_trgm, and says so once", async () => {
    const database = await limitedDatabase("CREATE SCHEMA stepwell AUTHORIZATION ROLE");
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    store = openPostgres({ url: database.url }, { logger: { ...SILENT, warn } });
    await store.commit([{ ...ONE, rows: [{ list: "things", put: { id: "one", text: "a red house" } }] }]);
    expect(await store.list("things", { limit: 5, search: "red h" })).toEqual({ ids: ["one"] });
    expect(await store.list("things", { limit: 5, search: "red_h" })).toEqual({ ids: [] });
    expect(warnings).toEqual([expect.stringContaining("CREATE EXTENSION pg_trgm")]);
    await store.close();
    await database.clean();
  });

  it("creates pg_trgm where it may", async () => {
    const database = await limitedDatabase(
      "GRANT CREATE ON DATABASE ROLE TO ROLE",
      "GRANT CREATE ON SCHEMA public TO ROLE",
    );
    const warnings: string[] = [];
    store = openPostgres({ url: database.url }, { logger: { ...SILENT, warn: (text) => void warnings.push(text) } });
    expect(await store.get("thing:one")).toBeNull();
    expect(warnings).toEqual([]);
    expect(await query(database.url, "SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%gin_trgm_ops%'")).toEqual([
      { indexname: "entry_text" },
    ]);
    await store.close();
    await database.clean();
  });

  it("refuses a schema of a later Stepwell", async () => {
    store = fixture.open();
    await store.commit([ONE]);
    await store.close();
    await fixture.query("UPDATE meta SET format = 9");
    store = fixture.open();
    await expect(store.get("thing:one")).rejects.toThrow(
      /A later Stepwell has created .* \(format 9; this one knows 1\)/,
    );
    await fixture.query("UPDATE meta SET format = 1");
    expect(await store.get("thing:one")).toMatchObject({ version: 1 });
  });

  it("replaces the functions of another release", async () => {
    store = fixture.open();
    await store.commit([ONE]);
    await store.close();
    await fixture.query("UPDATE meta SET program = 'earlier'", "DROP FUNCTION leave_flush");
    store = fixture.open();
    await store.commit([{ ...ONE, expected: 1 }]);
    expect(await fixture.query("SELECT to_regproc('leave_flush') IS NOT NULL AS found")).toEqual([{ found: true }]);
  });

  it("refuses a server before PostgreSQL 13", async () => {
    const rows = [{ number: "120017", version: "12.17", encoding: "UTF8" }];
    const client = { query: async () => ({ rows }), release() {}, on() {}, removeListener() {} };
    store = openPostgres({ pool: { connect: async () => client, on() {}, removeListener() {} } });
    await expect(store.get("thing:one")).rejects.toThrow("Stepwell needs PostgreSQL 13 or later. This is 12.17.");
  });

  it("refuses a database with another encoding", async () => {
    const name = uniqueSchema();
    await query(inject("postgres"), `CREATE DATABASE ${name} ENCODING 'SQL_ASCII' TEMPLATE template0`);
    const url = new URL(inject("postgres"));
    url.pathname = `/${name}`;
    store = openPostgres({ url: url.href });
    await expect(store.get("thing:one")).rejects.toThrow(/encoding of the database must be UTF8, not SQL_ASCII/);
    await store.close();
    await query(inject("postgres"), `DROP DATABASE ${name}`);
  });

  it.each([
    ["a user that does not exist", (url: URL) => (url.username = "nobody")],
    ["a database that does not exist", (url: URL) => (url.pathname = "/none")],
    ["an option that does not exist", (url: URL) => (url.search = "?options=-c%20none.of%3Dthese")],
    ["a port that cannot be", (url: URL) => (url.host = "[::1]:0")],
  ])("reports %s without the password", async (_, change) => {
    const url = new URL(inject("postgres"));
    url.password = "s3cret/p%w";
    change(url);
    store = openPostgres({ url: url.href, schema: fixture.schema, timeoutMs: 100 });
    const error = await store.get("thing:one").then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "unavailable" });
    expect(String(error instanceof Error ? error.stack : error)).not.toMatch(/s3cret/);
  });

  it("works where transactions are serializable by default", async () => {
    const url = new URL(inject("postgres"));
    url.search = "?options=-c%20default_transaction_isolation%3Dserializable";
    store = openPostgres({ url: url.href, schema: fixture.schema });
    await store.commit([{ ...ONE, expected: null }]);
    await store.commit([{ ...ONE, expected: 1 }]);
    expect((await store.get("thing:one"))?.version).toBe(2);
  });

  it("keeps rows with texts that PostgreSQL cannot store", async () => {
    store = fixture.open();
    const texts = ["\u0000", "a\u0000b", "\ud800", "x\udfffy", "a\\0000b", "\n", "", "🌊", "\\"];
    const rows = texts.map((text, n) => ({
      list: "things",
      put: { id: `${text}${n}`, text: `<${text}>`, marks: [text, text] },
    }));
    await store.commit([{ ...ONE, rows }]);
    for (const [n, text] of texts.entries()) {
      expect(await store.list("things", { limit: 9, marks: [[text]] })).toEqual({ ids: [`${text}${n}`], total: 1 });
      expect((await store.list("things", { limit: 9, search: `<${text}>` })).ids).toContain(`${text}${n}`);
    }
    expect(await store.list("things", { limit: 1, descending: false, after: "\u0000\ud800" })).toMatchObject({
      total: 9,
    });
    await store.commit([{ ...ONE, rows: rows.map(({ list, put }) => ({ list, delete: put.id })) }]);
    expect(await store.list("things", { limit: 9 })).toEqual({ ids: [], total: 0 });
    expect(await fixture.query("SELECT * FROM tally", "SELECT * FROM mark")).toEqual([]);
  });

  it("has marks of any length", async () => {
    store = fixture.open();
    // Random letters, because PostgreSQL compresses what repeats.
    const marks = ["a", "b"].map(
      (last) => `${Array.from({ length: 10_000 }, (_, n) => ((n * n * 7_919) % 99_991).toString(36)).join("")}${last}`,
    );
    await store.commit([
      { ...ONE, rows: marks.map((mark, n) => ({ list: "things", put: { id: `id${n}`, marks: [mark] } })) },
    ]);
    for (const [n, mark] of marks.entries()) {
      expect(await store.list("things", { limit: 9, marks: [[mark]] })).toEqual({ ids: [`id${n}`], total: 1 });
    }
  });

  it("rejects a commit that PostgreSQL refuses without those that were sent with it", async () => {
    store = fixture.open();
    const order = Array.from({ length: 10_000 }, (_, n) => ((n * n * 7_919) % 99_991).toString(36)).join("");
    const commits = [
      store.commit([ONE]),
      store.commit([{ key: "thing:two", document: {}, rows: [{ list: "things", put: { id: "two", order } }] }]),
      store.commit([{ key: "thing:three", document: {} }]),
    ];
    expect(await Promise.allSettled(commits)).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "unavailable" } },
      { status: "fulfilled" },
    ]);
    expect(await store.getMany(["thing:one", "thing:two", "thing:three"])).toMatchObject([{}, null, {}]);
  });

  it("rejects a page of documents if one of them is lost", async () => {
    store = fixture.open();
    await store.commit([{ ...ONE, rows: [{ list: "things", put: { id: "one" } }] }]);
    await fixture.query("DELETE FROM document");
    await expect(store.listDocuments("things", { limit: 9 }, (id) => `thing:${id}`)).rejects.toThrow(/"thing:one"/);
  });
});
