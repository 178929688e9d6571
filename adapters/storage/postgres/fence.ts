/**
 * The one owner of the store. An advisory lock on a connection of its own keeps a second process out while the first one lives.
 * The fence is a generation, a number in the table `owner` that each owner increments: a flush locks the row and compares
 * the generation in its transaction. So a flush is either before a takeover, whose transaction waits for it, or it sees
 * the new generation and stores nothing (ARCHITECTURE.md#fencing).
 *
 * The row also contains the number and the answer of the last flush, written with it. So a flush whose answer was lost is
 * sent again, and executed once.
 */
import { StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Database, ReservedConnection } from "./database.ts";
import { FENCED, OVERTAKEN, sqlState, WRONG_ISOLATION } from "./failures.ts";

/** First half of the keys of advisory locks, so that they differ from those of other programs. */
const LOCK_SPACE = 1_937_008_723;
/** How long the owner relies on its last look at the generation, as on Redis. */
const VERIFY_INTERVAL_MS = 1_000;
const RELOCK_INTERVAL_MS = 1_000;

/** Tables and functions of the fence, created in the schema of the store. */
export const FENCE_SQL = `
CREATE TABLE IF NOT EXISTS owner (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  generation bigint NOT NULL,
  flush bigint NOT NULL,
  answer text NOT NULL
) WITH (fillfactor = 10);
INSERT INTO owner (generation, flush, answer) VALUES (0, 0, '[]') ON CONFLICT DO NOTHING;

-- Begins a flush: locks the owner until the end of the transaction. Returns the answer if the flush was executed before.
CREATE OR REPLACE FUNCTION enter_flush(p_generation bigint, p_number bigint) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  current owner%ROWTYPE;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'The transaction must be READ COMMITTED.' USING ERRCODE = '${WRONG_ISOLATION}';
  END IF;
  SELECT * INTO current FROM owner FOR NO KEY UPDATE;
  IF current.generation IS DISTINCT FROM p_generation THEN
    RAISE EXCEPTION 'Another process has taken over.' USING ERRCODE = '${FENCED}';
  END IF;
  IF current.flush = p_number THEN
    RETURN current.answer;
  END IF;
  IF current.flush > p_number THEN
    RAISE EXCEPTION 'A later flush was executed before this one.' USING ERRCODE = '${OVERTAKEN}';
  END IF;
  RETURN NULL;
END $body$;

CREATE OR REPLACE FUNCTION leave_flush(p_number bigint, p_answer text) RETURNS void LANGUAGE sql AS $body$
  UPDATE owner SET flush = p_number, answer = p_answer;
$body$;
`;

export interface Fence {
  /** Keeps other processes out. @throws StepwellError `unavailable` if one uses the store. */
  lock(): Promise<void>;
  /** Takes the store over. */
  take(): Promise<void>;
  /** Number of this opening, which each flush names. */
  readonly generation: string;
  /** @throws StepwellError `unavailable` if another process is known to have taken over. */
  check(): void;
  /** Like `check`, but asks the database if it was not asked lately. */
  verify(): Promise<void>;
  /** Reports a refused flush, if that is what the error means. */
  onError(error: unknown): void;
  /** Lets the next process take over. */
  release(): Promise<void>;
}

export function createFence(parts: { database: Database; schema: string; clock: Clock; logger: Logger }): Fence {
  const { database, schema, clock, logger } = parts;
  const elapsed = () => clock.elapsed?.() ?? clock.now();
  /** The lock's key also contains the number of the table, so that each schema has a lock of its own. */
  const lockKey = `(${LOCK_SPACE}::bigint << 32) | '"${schema}".owner'::regclass::oid::bigint`;
  let connection: ReservedConnection | null = null;
  let generation = "0";
  let verifiedAt = 0;
  let lost: StepwellError | null = null;
  let isReleased = false;
  let cancelRelock: () => void = () => undefined;

  function onReplaced(): StepwellError {
    if (lost !== null) return lost;
    lost = new StepwellError(
      "unavailable",
      `Another process has taken over the schema "${schema}". This one must not use it anymore. Restart it.`,
    );
    cancelRelock();
    connection?.close();
    connection = null;
    if (!isReleased) logger.error(lost.message);
    return lost;
  }

  function check(): void {
    if (lost !== null) throw lost;
  }

  /** @returns The connection with the lock, or null if another session has it. */
  async function tryLock(): Promise<ReservedConnection | null> {
    const candidate = await database.reserve(onLockLost);
    try {
      const [row] = await candidate.query(`SELECT pg_try_advisory_lock(${lockKey}) AS locked`);
      if (row?.["locked"] === true) return candidate;
    } catch (error) {
      candidate.close();
      throw error;
    }
    candidate.close();
    return null;
  }

  /** The generation still protects the store: if another process has the lock now, its flushes fence this one. */
  function onLockLost(): void {
    connection = null;
    if (lost !== null || isReleased || generation === "0") return;
    cancelRelock();
    cancelRelock = clock.after(RELOCK_INTERVAL_MS, () => void relock());
  }

  async function relock(): Promise<void> {
    try {
      connection = await tryLock();
      if (isReleased) connection?.close();
      else await look();
    } catch {
      // The database does not respond, or another process has taken over.
    }
    if (connection === null) onLockLost();
  }

  async function look(): Promise<void> {
    const [row] = await database.read(`SELECT generation::text AS generation FROM "${schema}".owner`, []);
    if (String(row?.["generation"]) !== generation) throw onReplaced();
    verifiedAt = elapsed();
  }

  async function inUse(): Promise<StepwellError> {
    const [row] = await database.read(
      `SELECT a.pid, a.client_addr::text AS client, a.backend_start::text AS since
       FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = ${LOCK_SPACE}
         AND l.objid::bigint = '"${schema}".owner'::regclass::oid::bigint AND l.database = a.datid`,
      [],
    );
    const { pid, client, since } = row ?? {};
    const who = [
      ...(pid == null ? [] : [`backend ${pid}`]),
      ...(client == null ? [] : [`connected from ${client}`]),
      ...(since == null ? [] : [`since ${since}`]),
    ].join(", ");
    const message = `Another process${who === "" ? "" : ` (${who})`} uses the schema "${schema}" of this database. Close it first, or choose another schema.`;
    return new StepwellError("unavailable", message);
  }

  return {
    async lock() {
      check();
      connection ??= await database.retry(tryLock);
      if (connection === null) throw await inUse();
    },

    async take() {
      if (connection === null) throw new StepwellError("unavailable", "The connection to PostgreSQL is lost.");
      const [row] = await connection.query(
        `UPDATE "${schema}".owner SET generation = generation + 1, flush = 0, answer = '[]' RETURNING generation::text AS generation`,
      );
      generation = String(row?.["generation"]);
      verifiedAt = elapsed();
    },

    get generation() {
      return generation;
    },

    check,

    async verify() {
      check();
      if (elapsed() - verifiedAt >= VERIFY_INTERVAL_MS) await look();
    },

    onError(error) {
      if (sqlState(error) === FENCED) throw onReplaced();
    },

    async release() {
      isReleased = true;
      cancelRelock();
      const held = connection;
      connection = null;
      // Unlocked before the connection is closed, because the server notices that only later.
      if (held !== null && !held.isLost) await held.query("SELECT pg_advisory_unlock_all()").catch(() => undefined);
      held?.close();
    },
  };
}
