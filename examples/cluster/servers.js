// Redis and PostgreSQL: those of the given URLs, or servers of its own in a temporary folder.
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import pg from "pg";

const run = promisify(execFile);
const MISSING = `is missing. Install both servers, or pass the URLs of running ones with --redis and --postgres:
  Debian, Ubuntu  apt-get install redis-server postgresql
  macOS           brew install redis postgresql@17
  Docker          docker run -d -p 6379:6379 redis --maxmemory-policy noeviction
                  docker run -d -p 5432:5432 -e POSTGRES_PASSWORD=postgres postgres`;

/** @param namespace Prefix of all keys in Redis, and schema in PostgreSQL. `close` deletes them. */
export async function openServers({ redis, postgres, namespace }) {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-cluster-"));
  const started = [];
  async function close() {
    for (const { server, signal } of started) {
      const ended = server.exitCode ?? server.signalCode ?? once(server, "exit");
      server.kill(signal);
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
  try {
    const urls = {
      redis: redis ?? (await startRedis(folder, started)),
      postgres: postgres ?? (await startPostgres(folder, started)),
    };
    return {
      urls,
      async close() {
        await deleteAll(urls, namespace).finally(close);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startRedis(folder, started) {
  const program = await find("redis-server");
  const port = await freePort();
  const settings = ["--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""];
  const server = spawnQuiet(program, ["--port", port, ...settings, "--maxmemory-policy", "noeviction"]);
  started.push({ server, signal: "SIGTERM" });
  const url = `redis://127.0.0.1:${port}`;
  await untilReady(server, () => withRedis(url, (redis) => redis.ping()));
  return url;
}

async function startPostgres(folder, started) {
  const [program, initdb] = [await find("postgres"), await find("initdb")];
  const user = await unprivilegedUser();
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, "postgres");
  await run(initdb, ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], {
    ...user,
    cwd: folder,
  });
  const port = await freePort();
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=100"];
  const server = spawnQuiet(program, ["-D", data, "-p", port, "-k", folder, ...settings], { ...user, cwd: folder });
  started.push({ server, signal: "SIGINT" });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(server, () => withPostgres(url, (client) => client.query("SELECT 1")));
  return url;
}

/** In a process group of its own, so that Ctrl+C in the terminal only reaches the program that ends it. */
function spawnQuiet(program, args, options = {}) {
  const server = spawn(program, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  server.output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (server.output += text));
  return server;
}

async function untilReady(server, check) {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} has ended:\n${server.output}`);
    const isReady = await check().then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await setTimeout(50);
  }
}

async function deleteAll({ redis, postgres }, namespace) {
  await withPostgres(postgres, (client) => client.query(`DROP SCHEMA IF EXISTS "${namespace}" CASCADE`));
  await withRedis(redis, async (client) => {
    for await (const keys of client.scanStream({ match: `*${namespace}*`, count: 1_000 })) {
      if (keys.length > 0) await client.unlink(keys);
    }
  });
}

async function withRedis(url, use) {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
  client.on("error", () => {}); // the call rejects, too
  return use(client).finally(() => client.disconnect());
}

async function withPostgres(url, use) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
}

/** On the PATH, or where Debian keeps the versions of PostgreSQL. The newest one first. */
async function find(name) {
  const root = "/usr/lib/postgresql";
  const versions = (await readdir(root).catch(() => [])).sort((one, other) => Number(other) - Number(one));
  const folders = [...process.env.PATH.split(delimiter), ...versions.map((version) => join(root, version, "bin"))];
  const path = folders.map((folder) => join(folder, name)).find((file) => spawnSync(file, ["--version"]).status === 0);
  if (path === undefined) throw new Error(`The program ${name} ${MISSING}`);
  return path;
}

/** PostgreSQL refuses to be run by root. */
async function unprivilegedUser() {
  if (process.getuid?.() !== 0) return {};
  const ids = (name) => Promise.all(["-u", "-g"].map(async (flag) => Number((await run("id", [flag, name])).stdout)));
  const [uid, gid] = await ids("postgres").catch(() => ids("nobody"));
  return { uid, gid };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return String(port);
}
