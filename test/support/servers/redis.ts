/** A real Redis server on a free loopback port, without persistence. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { until } from "../until.ts";
import { installRedis } from "./install.ts";

export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRedis(): Promise<TestServer> {
  installRedis();
  const port = await freePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", settings, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
  await until(async () => {
    if (server.exitCode !== null)
      throw new Error(`redis-server does not start:
${output}`);
    return answers(port);
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("No free port on loopback.");
  return address.port;
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
