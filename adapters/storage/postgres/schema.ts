/** Creates the tables on first use, and verifies that this program and the server fit. */
import { createHash } from "node:crypto";
import { StepwellError } from "../../../src/errors.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { PostgresClient, SqlRow } from "./client.ts";
import type { ReservedConnection } from "./database.ts";
import { sqlState } from "./failures.ts";
import { FORMAT, functionSettings, PROGRAM, SEARCH_INDEX } from "./tables.ts";

const LEAST_VERSION = 130_000;
/** The digest tells whether another release has created the functions. */
const PROGRAM_DIGEST = createHash("sha256").update(PROGRAM).digest("hex").slice(0, 16);
/** SQLSTATEs. */
const INSUFFICIENT_PRIVILEGE = "42501";

const unusable = (message: string) => new StepwellError("unavailable", message);

/** The tables of an open schema. */
export interface Schema {
  /** Whether searches have an index. */
  readonly hasTrigrams: boolean;
  /**
   * Replaces the functions of another release. Call this while holding the lock. Processes that share the store may do so while others
   * use it: functions of one format do the same.
   */
  upgrade(connection: ReservedConnection): Promise<void>;
}

/**
 * Creates the tables unless they exist.
 * @throws StepwellError `unavailable` that says what to do if the database cannot be used
 */
export async function openSchema(parts: {
  connection: ReservedConnection;
  schema: string;
  logger: Logger;
}): Promise<Schema> {
  const { connection, schema, logger } = parts;
  const server = await one(
    connection,
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding, current_user AS role, current_database() AS database`,
  );
  checkServer(server);
  const program = await readProgram(connection, schema);
  const createAll = (connection: ReservedConnection, exists: boolean) =>
    create(connection, schema, exists).catch((error) => {
      throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? noRights(schema, server, exists) : error;
    });
  if (program === null) await createAll(connection, false);
  const { found } = await one(connection, `SELECT to_regclass('"${schema}".entry_text') IS NOT NULL AS found`);
  const hasTrigrams = found === true;
  if (!hasTrigrams) {
    logger.warn(
      "PostgreSQL has no index for searches, so a search reads the whole list. To create one, install pg_trgm: " +
        `CREATE EXTENSION pg_trgm; CREATE INDEX CONCURRENTLY entry_text ON "${schema}".entry USING gin (text gin_trgm_ops) WHERE text IS NOT NULL;`,
    );
  }
  return {
    hasTrigrams,
    async upgrade(connection) {
      if (program !== null && program !== PROGRAM_DIGEST) await createAll(connection, true);
    },
  };
}

/** Whether a schema has the tables of a store, even empty ones. Creates nothing. */
export async function hasTables(client: PostgresClient, schema: string): Promise<boolean> {
  const tables = ["meta", "owner", "document", "entry"].map((name) => `to_regclass('"${schema}".${name}') IS NOT NULL`);
  const { rows } = await client.query(`SELECT ${tables.join(" AND ")} AS found`);
  return rows[0]?.["found"] === true;
}

function checkServer({ number, version, encoding }: SqlRow): void {
  if (Number(number) < LEAST_VERSION) throw unusable(`Stepwell needs PostgreSQL 13 or later. This is ${version}.`);
  if (encoding !== "UTF8") {
    throw unusable(`The encoding of the database must be UTF8, not ${encoding}: CREATE DATABASE … ENCODING 'UTF8'.`);
  }
}

/** @returns The digest of the program that has created the tables, or null if there are none. */
async function readProgram(connection: ReservedConnection, schema: string): Promise<string | null> {
  const { exists } = await one(connection, `SELECT to_regclass('"${schema}".meta') IS NOT NULL AS exists`);
  if (exists !== true) return null;
  const [meta] = await connection.query(`SELECT format, program FROM "${schema}".meta`);
  if (meta === undefined) return null;
  const format = Number(meta["format"]);
  if (format > FORMAT) {
    const message = `A later Stepwell has created the tables of the schema "${schema}" (format ${format}; this one knows ${FORMAT}).`;
    throw unusable(`${message} Use at least that version.`);
  }
  return String(meta["program"]);
}

/**
 * Only one process creates at a time. The lock is taken before the transaction begins, which then sees what others have
 * created. Names of schemas have at most 63 bytes, and collisions only wait.
 */
async function create(connection: ReservedConnection, schema: string, exists: boolean): Promise<void> {
  const lock = `(hashtext('stepwell'), hashtext('${schema}'))`;
  await connection.query(`SELECT pg_advisory_lock${lock}`);
  try {
    await createLocked(connection, schema, exists);
  } finally {
    if (!connection.isLost) await connection.query(`SELECT pg_advisory_unlock${lock}`);
  }
}

async function createLocked(connection: ReservedConnection, schema: string, exists: boolean): Promise<void> {
  await createTrigrams(connection);
  const [extension] = await connection.query(
    "SELECT n.nspname AS place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'",
  );
  const place = extension === undefined ? "" : `, "${String(extension["place"]).replaceAll('"', '""')}"`;
  // Not all roles that own a schema may create one.
  const { found } = await one(connection, `SELECT to_regnamespace('"${schema}"') IS NOT NULL AS found`);
  await transaction(connection, [
    ...(found === true ? [] : [`CREATE SCHEMA IF NOT EXISTS "${schema}"`]),
    `SET LOCAL search_path = "${schema}"${place}`,
    PROGRAM,
    functionSettings(schema),
    // Later, it would keep a large table locked for minutes.
    ...(extension === undefined || exists ? [] : [SEARCH_INDEX]),
    `INSERT INTO meta (format, program) VALUES (${FORMAT}, '${PROGRAM_DIGEST}')
     ON CONFLICT (one) DO UPDATE SET format = excluded.format, program = excluded.program
     WHERE meta.format <= excluded.format`,
  ]);
}

/** If the role may not create it, searches work without. */
async function createTrigrams(connection: ReservedConnection): Promise<void> {
  try {
    await connection.query("CREATE EXTENSION IF NOT EXISTS pg_trgm");
  } catch (error) {
    if (sqlState(error) === undefined || connection.isLost) throw error;
  }
}

async function transaction(connection: ReservedConnection, statements: readonly string[]): Promise<void> {
  await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED");
  try {
    for (const statement of statements) await connection.query(statement);
    await connection.query("COMMIT");
  } catch (error) {
    if (!connection.isLost) await connection.query("ROLLBACK");
    throw error;
  }
}

function noRights(schema: string, { role, database }: SqlRow, exists: boolean): StepwellError {
  const quoted = `"${String(role).replaceAll('"', '""')}"`;
  const what = exists ? `may not change the tables in the schema "${schema}"` : `may not create the schema "${schema}"`;
  const sql = exists
    ? `ALTER SCHEMA "${schema}" OWNER TO ${quoted}; and give it the tables and functions in it`
    : `CREATE SCHEMA IF NOT EXISTS "${schema}"; ALTER SCHEMA "${schema}" OWNER TO ${quoted};`;
  return unusable(`The role ${quoted} ${what} in the database "${database}". As an administrator, run: ${sql}`);
}

async function one(connection: ReservedConnection, text: string): Promise<SqlRow> {
  const [row] = await connection.query(text);
  return row ?? {};
}
