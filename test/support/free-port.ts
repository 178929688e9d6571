/**
 * Ports for servers that start at a port that was chosen before, such as those that end for a moment and come back. Systems
 * give ports from 32,768 on to whatever connects: one of these may have another user by then.
 */
import { once } from "node:events";
import { createServer } from "node:net";

const FIRST = 20_000;
const COUNT = 12_000;

/** Workers begin at different ones. */
let next = (process.pid * 37) % COUNT;

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
