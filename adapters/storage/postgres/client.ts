/** What the store uses of the package "pg", declared here so that its types are not needed. */
import { Socket } from "node:net";
import { StepwellError } from "../../../src/errors.ts";
import { packageProblem } from "../../package-problem.ts";

/** A row of a result, by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The result of a statement. */
export interface SqlResult {
  /** Its rows. */
  readonly rows: readonly SqlRow[];
}

/** A connection of a pool of `pg` 8. */
export interface PostgresClient {
  /** Executes a statement. */
  query(text: string, values?: unknown[]): Promise<SqlResult>;
  /** Gives the connection back, or closes it with `true`. */
  release(destroy?: boolean): void;
  /** Adds a listener for the loss of the connection. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Removes it. */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** A pool of connections of `pg` 8. */
export interface PostgresPool {
  /** Returns a connection that is free, or opens one. */
  connect(): Promise<PostgresClient>;
  /** Adds a listener for the loss of a connection that is free. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Adds a listener for new connections. */
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
  /** Removes a listener. */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /** Removes a listener. */
  removeListener(event: "connect", listener: (client: PostgresClient) => void): unknown;
  /** Settings of the pool. */
  readonly options?: {
    /** The most connections that it opens. */
    readonly max?: number | undefined;
  };
}

export interface OpenedPool {
  readonly pool: PostgresPool;
  /** Closes it. Null for a pool of the host. */
  readonly end: (() => Promise<void>) | null;
  /**
   * Lets the process end, whatever its connections still wait for.
   * @param isLate Cuts them off.
   */
  letGo?(isLate: boolean): void;
}

export interface PoolSettings {
  readonly url: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
}

export async function openPool({ url, maxConnections, timeoutMs }: PoolSettings): Promise<OpenedPool> {
  const { Pool } = await loadClient();
  const sockets = new Set<Socket>();
  let isCutOff = false;
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    application_name: "stepwell",
    // The pool knows no way to end a connection that is still being made.
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      if (isCutOff) socket.destroy();
      return socket.once("close", () => sockets.delete(socket));
    },
  });
  return {
    pool,
    end: () => pool.end(),
    letGo(isLate) {
      isCutOff ||= isLate;
      for (const socket of sockets) {
        if (isLate) socket.destroy();
        else socket.unref();
      }
    },
  };
}

/** Does something with one connection before the store is opened. */
export async function withClient<T>(
  open: () => Promise<OpenedPool>,
  act: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const { pool, end } = await open();
  // Without a listener, the loss of a free connection would end the process.
  const onLoss = () => undefined;
  pool.on("error", onLoss);
  try {
    const client = await pool.connect();
    try {
      return await act(client);
    } finally {
      client.release();
    }
  } finally {
    await end?.();
    pool.removeListener("error", onLoss);
  }
}

/** In `try`, so that bundlers accept that the package is missing. */
async function loadClient(): Promise<Pick<typeof import("pg"), "Pool">> {
  try {
    // By its default export: a CommonJS package, whose names Node.js does not always find.
    return (await import("pg")).default;
  } catch (cause) {
    throw new StepwellError("unavailable", `${packageProblem("The postgres store", "pg", cause)}.`, { cause });
  }
}
