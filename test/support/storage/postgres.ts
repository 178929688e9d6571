/** Stores on the PostgreSQL server of the tests, each in a schema of its own. */
import pg from "pg";
import { inject } from "vitest";
import postgres, { type PostgresOptions } from "../../../adapters/storage/postgres/postgres.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { query } from "../servers/postgres.ts";
import { SILENT } from "./silent.ts";

/** Only what hangs fails by time. */
const PATIENCE_MS = 120_000;

let count = 0;
/** Separates test files that run at the same time. */
export const uniqueSchema = () => `t${process.pid}_${count++}`;

export function openPostgres(
  options: PostgresOptions,
  { clock = systemClock, logger = SILENT, isShared }: { clock?: Clock; logger?: Logger; isShared?: boolean } = {},
): Store {
  return postgres(options).createStore({ clock, logger, isShared });
}

export interface PostgresFixture {
  readonly url: string;
  readonly schema: string;
  open(options?: Omit<PostgresOptions, "url" | "schema">): Store;
  /** Opens a store that others may share. */
  openShared(options?: Omit<PostgresOptions, "url" | "schema">): Store;
  /** Rows of a statement in the schema. */
  query(...statements: string[]): Promise<readonly Record<string, unknown>[]>;
  /** Lets all flushes wait until `release`, which executes statements before. */
  holdFlushes(): Promise<HeldFlushes>;
  clean(): Promise<void>;
}

export interface HeldFlushes {
  /** Number of flushes that wait in the server. */
  waiting(): Promise<number>;
  release(...statements: string[]): Promise<void>;
}

const WAITING = `SELECT count(*)::integer AS n FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE '%"SCHEMA".store_flush%'`;

async function holdFlushes(url: string, schema: string): Promise<HeldFlushes> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SET search_path = "${schema}"`);
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM owner FOR UPDATE");
  await client.query("SELECT 1 FROM session FOR UPDATE");
  return {
    async waiting() {
      const [row] = await query(url, WAITING.replace("SCHEMA", schema));
      return Number(row?.["n"]);
    },
    async release(...statements) {
      for (const statement of [...statements, "COMMIT"]) await client.query(statement);
      await client.end();
    },
  };
}

/** @param url Of another server or database. */
export function postgresFixture(url = inject("postgres")): PostgresFixture {
  const schema = uniqueSchema();
  return {
    url,
    schema,
    open: (options = {}) => openPostgres({ timeoutMs: PATIENCE_MS, ...options, url, schema }),
    openShared: (options = {}) => openPostgres({ timeoutMs: PATIENCE_MS, ...options, url, schema }, { isShared: true }),
    query: (...statements) => query(url, `SET search_path = "${schema}"`, ...statements),
    holdFlushes: () => holdFlushes(url, schema),
    async clean() {
      await query(url, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    },
  };
}
