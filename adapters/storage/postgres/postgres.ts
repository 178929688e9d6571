/** A store on PostgreSQL 13 or later. Requires `pg` 8. */
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { openPool, type PostgresPool, withClient } from "./client.ts";
import { createReporter } from "./failures.ts";
import { createPostgresStore, KEPT_CONNECTIONS } from "./postgres-store.ts";
import { hasTables } from "./schema.ts";

export type { PostgresClient, PostgresPool, SqlRow } from "./client.ts";

/** Options of the PostgreSQL store. */
export interface PostgresOptions {
  /**
   * URL of the database: `postgres://user:password@host:5432/database`. With TLS: `?sslmode=verify-full`, and
   * `sslrootcert` for the certificate of an authority of your own. Required unless `pool` is set.
   */
  readonly url?: string | undefined;
  /**
   * An existing pool of `pg` 8, which may be shared. It stays open when the store is closed. The store keeps two of its
   * connections for itself, so it must have at least three.
   */
  readonly pool?: PostgresPool | undefined;
  /**
   * Schema of the tables, created on first use. Separates services that share a database. Lowercase letters, digits and
   * underscores, at most 48.
   * @default "stepwell"
   */
  readonly schema?: string | undefined;
  /**
   * Number of connections at most, from 3 to 1,000. Two are for commits and for the lock, and the others for
   * reads. Not together with `pool`.
   * @default 6
   */
  readonly maxConnections?: number | undefined;
  /**
   * Milliseconds after which a commit or a read that PostgreSQL doesn't answer is rejected with `unavailable`, from 100
   * to 600,000. Until then, failed connections are replaced.
   * @default 10_000
   */
  readonly timeoutMs?: number | undefined;
}

const NAMES = ["url", "pool", "schema", "maxConnections", "timeoutMs"];
const DEFAULT_CONNECTIONS = 6;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Stores everything but the bytes of files in PostgreSQL. Unless the option `cluster` is set, one process at a time can use a
 * schema: another one gets `unavailable` until the first one has closed it. With it, any number of processes can, but none
 * without it. It needs a direct connection, or a pooler in session mode.
 *
 * @throws TypeError if an option is invalid
 *
 * @example
 * ```ts
 * const entities = postgres({ url: "postgres://stepwell:secret@127.0.0.1:5432/stepwell" });
 * createStepwell({ storage: { entities, blobs: fsDriver({ base: ".stepwell/blobs" }) } });
 * ```
 */
export default function postgres(options: PostgresOptions): StoreAdapter {
  const { url, pool, schema = "stepwell", timeoutMs = DEFAULT_TIMEOUT_MS } = options ?? {};
  const maxConnections = connectionsOf(options ?? {});
  check(options ?? {}, { schema, timeoutMs, maxConnections });
  const open = async () =>
    pool === undefined ? openPool({ url: url ?? "", maxConnections, timeoutMs }) : { pool, end: null };
  return {
    name: "postgres",
    canBeShared: true,
    place: `the schema "${schema}"`,
    exists: () =>
      withClient(open, (client) => hasTables(client, schema)).catch((error: unknown) => {
        throw createReporter(url)(error);
      }),
    createStore: (ports) => createPostgresStore({ ...ports, url, schema, maxConnections, timeoutMs, openPool: open }),
  };
}

/** A pool of `pg` has ten unless it says something else. */
function connectionsOf({ pool, maxConnections = DEFAULT_CONNECTIONS }: PostgresOptions): number {
  return pool === undefined ? maxConnections : (pool.options?.max ?? 10);
}

const EITHER =
  'The postgres store needs either a url or a pool: postgres({ url: "postgres://user@127.0.0.1:5432/database" }).';

function check(
  options: PostgresOptions,
  { schema, timeoutMs, maxConnections }: { schema: string; timeoutMs: number; maxConnections: number },
): void {
  const { url, pool } = options;
  if (typeof options !== "object") throw new TypeError(EITHER);
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`The postgres store has no option "${unknown}". It has ${NAMES.join(", ")}.`);
  }
  if (pool !== undefined && typeof pool?.connect !== "function") {
    throw new TypeError(
      'The pool of the postgres store must be a Pool of the package "pg". For a pool of its own, set url, and maxConnections.',
    );
  }
  if ((url === undefined) === (pool === undefined)) {
    throw new TypeError(url === undefined ? EITHER : `${EITHER} Not both.`);
  }
  if (url !== undefined && !(typeof url === "string" && /^postgres(ql)?:\/\//.test(url))) {
    throw new TypeError("The url of the postgres store must start with postgres:// or postgresql://.");
  }
  if (pool !== undefined && options.maxConnections !== undefined) {
    throw new TypeError("The postgres store has no maxConnections together with a pool. Set `max` of the pool.");
  }
  // Names that begin with pg_ are PostgreSQL's own.
  if (typeof schema !== "string" || !/^(?!pg_)[a-z_][a-z0-9_]{0,47}$/.test(schema)) {
    throw new TypeError(
      `The schema of the postgres store must consist of at most 48 lowercase letters, digits and underscores, and not begin with a digit or pg_: ${JSON.stringify(schema)}.`,
    );
  }
  checkNumber("timeoutMs", timeoutMs, 100, 600_000);
  checkNumber(
    pool === undefined ? "maxConnections" : "options.max of the pool",
    maxConnections,
    KEPT_CONNECTIONS + 1,
    1_000,
  );
}

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new TypeError(`${name} of the postgres store must be an integer from ${least} to ${most}, not ${value}.`);
}
