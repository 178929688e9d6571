/** Connections to the database: each statement within a time limit, and again on another one after a failure. */
import type { Clock } from "../../../src/ports/clock.ts";
import { keepRunning } from "../../../src/time/keep-running.ts";
import type { OpenedPool, PostgresClient, PostgresPool, SqlRow } from "./client.ts";
import { isConnectionFailure, sqlState, TOO_MANY_CONNECTIONS } from "./failures.ts";

const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 500;
/** The server gives up before the store does, which then knows that nothing was stored. */
const SERVER_SHARE = 0.8;
/** For closing the idle connections of the store's own pool. */
const CLOSING_MS = 1_000;

/** A connection that is used by one part of the store alone. */
export interface ReservedConnection {
  /**
   * @param until A moment of `deadline`. Default: the time limit from now.
   * @throws what the statement or the connection throws. It is closed if it is not known to work.
   */
  query(text: string, values?: readonly unknown[], until?: number): Promise<readonly SqlRow[]>;
  readonly isLost: boolean;
  /** Closes it. */
  close(): void;
}

export interface Database {
  readonly timeoutMs: number;
  /** Runs a statement that only reads, again after a failure of its connection. */
  read(text: string, values: readonly unknown[]): Promise<readonly SqlRow[]>;
  /** @param onLost Called once when it breaks by itself. */
  reserve(onLost?: () => void, until?: number): Promise<ReservedConnection>;
  /**
   * Repeats what fails because of a connection, until the time limit has passed.
   * @param until A moment of `deadline`. Default: the time limit from now.
   */
  retry<T>(attempt: () => Promise<T>, until?: number): Promise<T>;
  /** The moment at which the time limit of what begins now has passed. */
  deadline(): number;
  hasPassed(deadline: number): boolean;
  pause(attempt: number): Promise<void>;
  close(timeUp: Promise<void> | undefined): Promise<void>;
  /** Ends the connections of the store's own pool, also those that are being made, so that the process can end. */
  cutOff(): void;
}

export function createDatabase(parts: {
  /** Opens the pool; called again if it fails. */
  openPool: () => Promise<OpenedPool>;
  clock: Clock;
  timeoutMs: number;
}): Database {
  const { clock, timeoutMs } = parts;
  const elapsed = () => clock.elapsed?.() ?? clock.now();
  let opening: Promise<OpenedPool> | null = null;
  let isClosed = false;
  /** Idle connections that break are replaced by the pool. */
  const ignore = () => undefined;
  /** A server may end a connection before the pool gives it out. Without a listener, that would end the process. */
  const watch = (client: PostgresClient) => void client.on("error", ignore);

  async function pool(): Promise<PostgresPool> {
    opening ??= parts.openPool().then(
      (opened) => {
        opened.pool.on("error", ignore);
        opened.pool.on("connect", watch);
        return opened;
      },
      (error) => {
        opening = null;
        throw error;
      },
    );
    return (await opening).pool;
  }

  const deadline = () => elapsed() + timeoutMs;
  const hasPassed = (moment: number) => elapsed() >= moment;

  /** @param onTimeUp Called if the work takes too long. Its result is ignored then. */
  function within<T>(work: Promise<T>, until: number, onTimeUp: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(Math.max(0, until - elapsed()), () => {
        onTimeUp();
        reject(new Error(`The database did not respond within ${timeoutMs} ms.`));
      });
      work.then(resolve, reject).finally(cancel);
    });
  }

  /** A connection that comes too late goes back to the pool. */
  async function connect(until: number): Promise<PostgresClient> {
    const connecting = (await pool()).connect();
    return within(connecting, until, () => {
      connecting.then((client) => client.release(true), ignore);
    });
  }

  async function reserve(onLost: () => void = ignore, until = deadline()): Promise<ReservedConnection> {
    const client = await connect(until);
    let isLost = false;

    function close(): void {
      if (isLost) return;
      isLost = true;
      // The listener stays: a connection that is being closed may still fail, which would end the process.
      client.release(true);
    }

    client.on("error", () => {
      if (isLost) return;
      close();
      onLost();
    });
    const connection: ReservedConnection = {
      get isLost() {
        return isLost;
      },
      async query(text, values = [], until = deadline()) {
        if (isLost) throw new Error("The connection to the database is lost.");
        try {
          const { rows } = await within(client.query(text, [...values]), until, close);
          return rows;
        } catch (error) {
          if (isConnectionFailure(error)) close();
          throw error;
        }
      },
      close,
    };
    try {
      await connection.query(SESSION_SETTINGS, [String(Math.ceil(timeoutMs * SERVER_SHARE))], until);
    } catch (error) {
      close();
      throw error;
    }
    return connection;
  }

  async function readOnce(text: string, values: readonly unknown[], until: number): Promise<readonly SqlRow[]> {
    const client = await connect(until);
    client.on("error", ignore);
    let isReleased = false;
    const release = (destroy: boolean) => {
      if (isReleased) return;
      isReleased = true;
      if (!destroy) client.removeListener("error", ignore);
      client.release(destroy);
    };
    try {
      const { rows } = await within(client.query(text, [...values]), until, () => release(true));
      release(false);
      return rows;
    } catch (error) {
      release(isConnectionFailure(error));
      throw error;
    }
  }

  /** Keeps the process alive: somebody waits for what is repeated then, and there may be no connection that does. */
  const pause = (attempt: number) =>
    new Promise<void>((resolve) => {
      const release = keepRunning();
      clock.after(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LAST_PAUSE_MS), () => {
        release();
        resolve();
      });
    });

  async function retry<T>(attempt: () => Promise<T>, until = deadline()): Promise<T> {
    let refused: unknown = null;
    for (let count = 0; ; count++) {
      try {
        return await attempt();
      } catch (error) {
        if (sqlState(error) === TOO_MANY_CONNECTIONS) refused = error;
        // The last attempt has hardly any time, so what it says is not the reason.
        if (hasPassed(until) && isConnectionFailure(error)) throw refused ?? error;
        if (!isConnectionFailure(error) || isClosed) throw error;
        await pause(count);
      }
    }
  }

  return {
    timeoutMs,
    reserve,
    deadline,
    hasPassed,
    pause,
    retry,
    read(text, values) {
      const until = deadline();
      return retry(() => readOnce(text, values, until), until);
    },

    cutOff() {
      isClosed = true;
      void opening?.then(
        ({ letGo }) => letGo?.(true),
        () => undefined,
      );
    },

    async close(timeUp) {
      isClosed = true;
      const opened = await opening?.catch(() => null);
      if (opened == null) return;
      if (opened.end === null) {
        opened.pool.removeListener("error", ignore);
        opened.pool.removeListener("connect", watch);
        return;
      }
      const patience = new Promise<boolean>((resolve) => {
        clock.after(CLOSING_MS, () => resolve(true));
      });
      const late = timeUp?.then(() => true) ?? patience;
      opened.letGo?.(await Promise.race([opened.end().then(() => false), patience, late]));
    },
  };
}

/**
 * Settings of the connections that the store keeps for itself. A server must notice soon that the machine of an owner
 * is gone, and must not close a connection because it is idle. Names that an older server doesn't know are left out.
 */
const SESSION_SETTINGS = `
SELECT set_config(s.name, v.setting, false)
FROM (VALUES
  ('default_transaction_isolation', 'read committed'),
  ('statement_timeout', $1),
  ('idle_session_timeout', '0'),
  ('tcp_keepalives_idle', '10'),
  ('tcp_keepalives_interval', '5'),
  ('tcp_keepalives_count', '3')
) AS v(name, setting) JOIN pg_settings s USING (name)`;
