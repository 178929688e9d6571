/**
 * The fence of the store, for one owner or for processes that share it (session.ts).
 *
 * One owner: an advisory lock on a connection of its own keeps a second process out while the first one lives.
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
import { FENCED, sqlState } from "./failures.ts";
import { CHECK_ISOLATION, RETURN_KNOWN_ANSWER } from "./flush-sql.ts";
import { createLock } from "./lock.ts";
import { createOpening } from "./opening.ts";

/** How long a process relies on its last look at the fence, as on Redis. */
const VERIFY_INTERVAL_MS = 1_000;
const RELOCK_INTERVAL_MS = 1_000;
/** A session is used at least this often, so that it is not one of those that are gone. */
const RENEWAL_INTERVAL_MS = 3_600_000;

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
BEGIN${CHECK_ISOLATION}
  SELECT * INTO current FROM owner FOR NO KEY UPDATE;
  IF current.generation IS DISTINCT FROM p_generation THEN
    RAISE EXCEPTION 'Another process has taken over.' USING ERRCODE = '${FENCED}';
  END IF;${RETURN_KNOWN_ANSWER}
END $body$;

CREATE OR REPLACE FUNCTION leave_flush(p_number bigint, p_answer text) RETURNS void LANGUAGE sql AS $body$
  UPDATE owner SET flush = p_number, answer = p_answer;
$body$;
`;

export interface Fence {
  /** Keeps other processes out, or those that don't share the store. @throws StepwellError `unavailable` if one uses it. */
  lock(): Promise<void>;
  /** Takes the store over, or begins a session. */
  take(): Promise<void>;
  /** The generation or the session, which each flush names. */
  readonly name: string;
  /** Whether another process is known to have taken over. */
  readonly isLost: boolean;
  /** @throws StepwellError `unavailable` if another process is known to have taken over. */
  check(): void;
  /** Like `check`, but asks the database if it was not asked lately. */
  verify(): Promise<void>;
  /** Reports a refused flush, if that is what the error means. */
  onError(error: unknown): void;
  /** Lets the next process take over. */
  release(): Promise<void>;
}

export function createFence(parts: {
  database: Database;
  schema: string;
  isShared: boolean;
  clock: Clock;
  logger: Logger;
}): Fence {
  const { database, schema, isShared, clock, logger } = parts;
  const elapsed = () => clock.elapsed?.() ?? clock.now();
  const lock = createLock(database, schema, isShared);
  const opening = createOpening(schema, isShared);
  let connection: ReservedConnection | null = null;
  let name: string | null = null;
  let verifiedAt = 0;
  let lost: StepwellError | null = null;
  let isReleased = false;
  let cancelRelock: () => void = () => undefined;
  let cancelRenewal: () => void = () => undefined;

  function onReplaced(): StepwellError {
    if (lost !== null) return lost;
    lost = new StepwellError(
      "unavailable",
      `Another process has taken over the schema "${schema}". This one must not use it anymore. Restart it.`,
    );
    cancelRelock();
    cancelRenewal();
    connection?.close();
    connection = null;
    if (!isReleased) logger.error(lost.message);
    return lost;
  }

  function check(): void {
    if (lost !== null) throw lost;
  }

  /** The fence still protects the store: if another process has the lock now, it fences the flushes of this one. */
  function onLockLost(): void {
    connection = null;
    if (lost !== null || isReleased || name === null) return;
    cancelRelock();
    cancelRelock = clock.after(RELOCK_INTERVAL_MS, () => void relock());
  }

  async function relock(): Promise<void> {
    try {
      connection = await lock.acquire(onLockLost);
      if (isReleased) connection?.close();
      else await look();
    } catch {
      // The database does not respond, or another process has taken over.
    }
    if (connection === null) onLockLost();
  }

  async function look(): Promise<void> {
    const { text, values } = opening.look(name ?? "");
    const [row] = await database.read(text, values);
    if (row?.["name"] !== name) throw onReplaced();
    verifiedAt = elapsed();
  }

  function renewLater(): void {
    const { renew } = opening;
    if (renew === null || isReleased) return;
    cancelRenewal = clock.after(RENEWAL_INTERVAL_MS, () => {
      const { text, values } = renew(name ?? "");
      // Without an answer, it is renewed the next time.
      void database.read(text, values).then(renewLater, renewLater);
    });
  }

  return {
    async lock() {
      check();
      connection ??= await database.retry(() => lock.acquire(onLockLost));
      if (connection === null) throw await lock.inUse();
    },

    async take() {
      if (connection === null) throw new StepwellError("unavailable", "The connection to PostgreSQL is lost.");
      const { text, values } = opening.take();
      const [row] = await connection.query(text, values);
      name = String(row?.["name"]);
      verifiedAt = elapsed();
      cancelRenewal();
      renewLater();
    },

    get name() {
      return name ?? "";
    },

    get isLost() {
      return lost !== null;
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
      cancelRenewal();
      const held = connection;
      connection = null;
      // Before the connection is closed, because the server notices that only later.
      if (held !== null && !held.isLost) {
        for (const { text, values } of [...opening.leave(name ?? ""), lock.release]) {
          await held.query(text, values).catch(() => undefined);
        }
      }
      held?.close();
    },
  };
}
