/** A real Redis server on a free loopback port, without persistence. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { installRedis } from "./install.ts";

export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface RedisServer extends TestServer {
  readonly port: number;
  readonly pid: number;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/**
 * @param settings More settings, such as `["--appendonly", "yes"]`.
 * @param givenPort Port of a server that ended. Default: a free one.
 */
export async function startRedis(settings: readonly string[] = [], givenPort?: number): Promise<RedisServer> {
  installRedis();
  const port = givenPort ?? (await freePort());
  const basics = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", [...basics, ...settings], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
  await until(async () => {
    if (server.exitCode !== null)
      throw new Error(`redis-server does not start:
${output}`);
    return answers(port);
  });
  async function end(signal: NodeJS.Signals): Promise<void> {
    server.kill(signal);
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: server.pid ?? 0,
    close: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
