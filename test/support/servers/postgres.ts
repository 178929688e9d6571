/** A real PostgreSQL server on a free loopback port, with its data in a temporary folder. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { until } from "../until.ts";
import { installPostgres } from "./install.ts";
import { freePort, type TestServer } from "./redis.ts";

const run = promisify(execFile);

export interface PostgresServer extends TestServer {
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
  const user = await unprivileged();
  const folder = await mkdtemp(join(tmpdir(), "stepwell-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(folder, user.uid, user.gid);
    // The other user reaches its folder through that of the tests.
    const { mode } = await stat(tmpdir());
    if ((mode & 0o011) !== 0o011) await chmod(tmpdir(), (mode & 0o7777) | 0o011);
  }
  const data = join(folder, "data");
  const init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await run(join(bin, "initdb"), init, { ...user, cwd: folder });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const args = ["-D", data, "-p", String(port), "-k", folder];
  for (const setting of [...SETTINGS, ...settings]) args.push("-c", setting);
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(join(bin, "postgres"), args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
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
  // As administrators do. Without it, searches would have no index.
  await query(url, "CREATE EXTENSION pg_trgm");
  return {
    url,
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
