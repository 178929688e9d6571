/** The servers that peers need, private to one bench: on free ports of this machine, in folders that go with them. */
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Redis with its append-only file, flushed every second: what BullMQ's guide asks for. Null without redis-server.
 * @param settings More settings, which replace these.
 */
export async function startRedis(settings = []) {
  const folder = mkdtempSync(join(tmpdir(), "bench-redis-"));
  const port = await freePort();
  const args = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""];
  const server = await startServer("redis-server", [...args, ...settings].map(String), { folder, port });
  return server && { port, close: server.close };
}

/** PostgreSQL as it is configured by default, so with every commit flushed. Null where it is not installed. */
export async function startPostgres() {
  const bin = postgresFolder();
  const folder = mkdtempSync(join(tmpdir(), "bench-postgres-"));
  const user = unprivileged();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  try {
    const args = ["-D", data, "-U", "postgres", "--auth", "trust", "-E", "UTF8", "--no-instructions"];
    execFileSync(join(bin, "initdb"), args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    console.log(`!! no PostgreSQL (apt-get install postgresql): ${String(error.message).split("\n")[0]}`);
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
  const port = await freePort();
  const args = ["-D", data, "-p", port, "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"];
  const server = await startServer(join(bin, "postgres"), args.map(String), { folder, port, user });
  return server && { url: `postgresql://postgres@127.0.0.1:${port}`, close: server.close };
}

/** Debian keeps the server's programs off the path. */
function postgresFolder() {
  const root = "/usr/lib/postgresql";
  const [newest] = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  return newest === undefined ? "" : join(root, newest, "bin");
}

/** PostgreSQL refuses to be run by root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag, name) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u", "postgres"), gid: id("-g", "postgres") };
  } catch {
    return { uid: id("-u", "nobody"), gid: id("-g", "nobody") };
  }
}

async function startServer(command, args, { folder, port, user = {} }) {
  const server = spawn(command, args, { ...user, cwd: folder, stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve).once("error", resolve));
  const stop = () => server.kill("SIGKILL");
  process.once("exit", stop);
  const close = async () => {
    server.kill("SIGINT");
    await ended;
    process.off("exit", stop);
    rmSync(folder, { recursive: true, force: true });
  };
  const listening = await Promise.race([ended.then(() => false), reachable(port)]);
  if (listening) return { close };
  console.log(`!! ${command} did not start`);
  await close();
  return null;
}

async function reachable(port) {
  for (let tries = 0; tries < 200; tries++) {
    const answered = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.unref();
      setTimeout(() => socket.destroy(), 100).unref();
    });
    if (answered) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
