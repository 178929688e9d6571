/**
 * Ports at which the servers of a worker listen, one after the other. What a browser has loaded and compiled of the console
 * belongs to its origin: at a port of its own, each file would have it loaded and compiled again.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { freePort } from "../../support/free-port.ts";

/** A page with nothing on it, where a tab waits for its next test. */
export const BLANK_PATH = "/blank-page-of-the-tests";
/** The rules of accessibility, as a module. */
export const AXE_PATH = "/axe-of-the-tests.js";

export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface WorkerPort {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Simulates a dead process: connections are dropped and new ones refused. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Ends what is still being answered. The next server may have the port. */
  giveBack(): void;
}

interface Listening {
  readonly port: number;
  /** Undefined while it is down. */
  server: Server | undefined;
  listener: RequestListener;
  readonly open: Set<ServerResponse>;
}

const idle: Listening[] = [];

export async function takePort(listener: RequestListener): Promise<WorkerPort> {
  const taken = idle.pop() ?? (await listenAnywhere());
  taken.listener = listener;
  return {
    origin: `http://127.0.0.1:${taken.port}`,
    async down() {
      const { server } = taken;
      if (server === undefined) return;
      taken.server = undefined;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    async up() {
      taken.server ??= await listen(taken, taken.port);
    },
    giveBack() {
      taken.listener = unused;
      // Connections without a request stay: who sends the next one by them would meet one that was just closed.
      for (const response of taken.open) response.destroy();
      if (taken.server !== undefined) idle.push(taken);
    },
  };
}

const unused: RequestListener = (_, response) => response.writeHead(503).end();

async function listenAnywhere(): Promise<Listening> {
  const place = { listener: unused, open: new Set<ServerResponse>() };
  const port = await freePort();
  const server = await listen(place, port);
  // The same object: it reads the listener of the moment.
  return Object.assign(place, { port, server });
}

async function listen(place: Pick<Listening, "listener" | "open">, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === BLANK_PATH) {
      response.setHeader("content-type", "text/html").end("<title>blank</title>");
      return;
    }
    if (request.url === AXE_PATH) {
      response.setHeader("cache-control", "max-age=31536000, immutable");
      response.setHeader("content-type", "text/javascript").end(AXE);
      return;
    }
    place.open.add(response);
    response.once("close", () => place.open.delete(response));
    place.listener(request, response);
  });
  // A client that sends the next request as an idle connection is closed would fail.
  server.keepAliveTimeout = 0;
  server.listen(port, "127.0.0.1").unref();
  await once(server, "listening");
  return server;
}
