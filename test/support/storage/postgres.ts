/** Stores on the PostgreSQL server of the tests, each in a schema of its own. */
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
  { clock = systemClock, logger = SILENT }: { clock?: Clock; logger?: Logger } = {},
): Store {
  return postgres(options).createStore({ clock, logger });
}

export interface PostgresFixture {
  readonly url: string;
  readonly schema: string;
  open(options?: Omit<PostgresOptions, "url" | "schema">): Store;
  /** Rows of a statement in the schema. */
  query(...statements: string[]): Promise<readonly Record<string, unknown>[]>;
  clean(): Promise<void>;
}

/** @param url Of another server or database. */
export function postgresFixture(url = inject("postgres")): PostgresFixture {
  const schema = uniqueSchema();
  return {
    url,
    schema,
    open: (options = {}) => openPostgres({ timeoutMs: PATIENCE_MS, ...options, url, schema }),
    query: (...statements) => query(url, `SET search_path = "${schema}"`, ...statements),
    async clean() {
      await query(url, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    },
  };
}
