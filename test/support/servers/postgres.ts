/** A real PostgreSQL server on a free loopback port, with its data in a temporary folder. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { installBaseBackup, installPostgres } from "./install.ts";
import type { TestServer } from "./redis.ts";

const run = promisify(execFile);

export interface PostgresServer extends TestServer {
  readonly port: number;
  /** Ends the server as if it had crashed, without a checkpoint. What was committed stays. */
  crash(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

/** Nothing flushes to the disk: the tests end servers, not machines. */
const SETTINGS = ["fsync=off", "max_connections=200", "shared_buffers=32MB", "listen_addresses=127.0.0.1"];

/** @param settings Of the server, such as `log_min_messages=panic`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const bin = installPostgres();
  const server = await createServer(async (data, options) => {
    const init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    await run(join(bin, "initdb"), init, options);
  }, settings);
  // As administrators do. Without it, searches would have no index.
  await query(server.url, "CREATE EXTENSION pg_trgm");
  return server;
}

export interface Standby extends PostgresServer {
  /** Makes it the server that writes. */
  promote(): Promise<void>;
}

/** A copy of a server that follows it, and without which the server commits nothing from now on. */
export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const copy = installBaseBackup();
  const standby = await createServer(
    async (data, options) => {
      await run(copy, ["-d", primary.url, "-D", data, "-R", "-X", "stream", "--no-sync"], options);
    },
    ["hot_standby=on"],
  );
  await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
  await until(async () => {
    const [found] = await query(
      primary.url,
      "SELECT count(*)::int AS n FROM pg_stat_replication WHERE sync_state = 'sync'",
    );
    return found?.["n"] === 1;
  });
  return {
    ...standby,
    async promote() {
      await query(standby.url, "SELECT pg_promote()");
    },
  };
}

interface RunOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
}

/** @param fill Writes its data to a folder. */
async function createServer(
  fill: (data: string, options: RunOptions) => Promise<void>,
  settings: readonly string[],
): Promise<PostgresServer> {
  const bin = installPostgres();
  const user = await unprivileged();
  const folder = await mkdtemp(join(tmpdir(), "stepwell-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(folder, user.uid, user.gid);
    // The other user reaches its folder through that of the tests.
    const { mode } = await stat(tmpdir());
    if ((mode & 0o011) !== 0o011) await chmod(tmpdir(), (mode & 0o7777) | 0o011);
  }
  const data = join(folder, "data");
  const options = { ...user, cwd: folder };
  await fill(data, options);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const args = ["-D", data, "-p", String(port), "-k", folder];
  for (const setting of [...SETTINGS, ...settings]) args.push("-c", setting);
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(join(bin, "postgres"), args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    server.stderr?.on("data", (text) => (output += text));
    await until(async () => {
      if (server.exitCode !== null) throw new Error(`postgres does not start:\n${output}`);
      return accepts(url);
    });
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  await start();
  return {
    url,
    port,
    start,
    crash: () => stop("SIGQUIT"),
    async close() {
      await stop("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Executes statements on a connection of their own, and returns the rows of the last one. */
export async function query(url: string, ...statements: string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function accepts(url: string): Promise<boolean> {
  try {
    await query(url, "SELECT 1");
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to be run by root. */
async function unprivileged(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const ids = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, name]))).catch(() => null);
    if (ids === null) continue;
    const [uid, gid] = ids.map(({ stdout }) => Number(stdout));
    return { uid: uid ?? 0, gid: gid ?? 0 };
  }
  throw new Error("PostgreSQL needs a user other than root: there is neither postgres nor nobody.");
}
