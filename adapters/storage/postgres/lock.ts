/**
 * The advisory lock on a connection of its own: exclusive for a process that uses the store alone, shared for those with the
 * option `cluster`. PostgreSQL releases it when the connection ends.
 */
import { StepwellError } from "../../../src/errors.ts";
import type { Database, ReservedConnection } from "./database.ts";
import type { Statement } from "./list-query.ts";

/** First half of the keys of advisory locks, so that they differ from those of other programs. */
const LOCK_SPACE = 1_937_008_723;

export interface Lock {
  /** @returns The connection with the lock, or null if others keep this process out. */
  acquire(onLost: () => void): Promise<ReservedConnection | null>;
  /** For the connection with the lock. */
  readonly release: Statement;
  /** The error that says who keeps this process out. */
  inUse(): Promise<StepwellError>;
}

export function createLock(database: Database, schema: string, isShared: boolean): Lock {
  /** The key also contains the number of the table, so that each schema has a lock of its own. */
  const key = `(${LOCK_SPACE}::bigint << 32) | '"${schema}".owner'::regclass::oid::bigint`;
  const locking = `SELECT pg_try_advisory_lock${isShared ? "_shared" : ""}(${key}) AS locked`;
  const holders = `SELECT a.pid, a.client_addr::text AS client, a.backend_start::text AS since, l.mode
    FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = ${LOCK_SPACE}
      AND l.objid::bigint = '"${schema}".owner'::regclass::oid::bigint AND l.database = a.datid`;

  return {
    async acquire(onLost) {
      const candidate = await database.reserve(onLost);
      try {
        const [row] = await candidate.query(locking);
        if (row?.["locked"] === true) return candidate;
      } catch (error) {
        candidate.close();
        throw error;
      }
      candidate.close();
      return null;
    },

    release: { text: "SELECT pg_advisory_unlock_all()", values: [] },

    async inUse() {
      const [row] = await database.read(holders, []);
      const { pid, client, since, mode } = row ?? {};
      const parts = [
        ...(pid == null ? [] : [`backend ${pid}`]),
        ...(client == null ? [] : [`connected from ${client}`]),
        ...(since == null ? [] : [`since ${since}`]),
      ].join(", ");
      const who = parts === "" ? "" : ` (${parts})`;
      return new StepwellError("unavailable", inUseMessage({ who, schema, isShared, byShared: mode === "ShareLock" }));
    },
  };
}

function inUseMessage(parts: { who: string; schema: string; isShared: boolean; byShared: boolean }): string {
  const { who, schema, isShared, byShared } = parts;
  const where = `the schema "${schema}" of this database`;
  if (isShared) {
    return `Another process${who} uses ${where} alone, without the option \`cluster\`. Close it first, or choose another schema.`;
  }
  const how = byShared ? " with the option `cluster`" : "";
  const or = byShared ? ", set the option `cluster` here, too," : ",";
  return `Another process${who} uses ${where}${how}. Close it first${or} or choose another schema.`;
}
