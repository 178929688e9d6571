/** A service behind a real HTTP server at a mount path, and clients of it. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../../adapters/http/node.ts";
import { type ClientOptions, createClient } from "../../../src/client/index.ts";
import { createStepwell, type Options } from "../../../src/index.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
export const ADMIN_KEY = "admin-key-of-the-tests";

/** Looks at a request before the service does. Returns true if it has responded. */
export type Intercept = (...given: Parameters<RequestListener>) => boolean;

export async function openMounted(options: Partial<Options> = {}) {
  let intercept: Intercept = () => false;
  let handler: RequestListener = () => undefined;
  const server = createServer((request, response) => {
    if (!intercept(request, response)) handler(request, response);
  });
  await listen(server);
  const proxy = await openCuttingProxy(() => (server.address() as AddressInfo).port);
  const url = `http://127.0.0.1:${proxy.port}/deep/flows`;
  const stepwell = createStepwell({
    baseUrl: url,
    adminKey: ADMIN_KEY,
    secret: "a".repeat(40),
    logger: QUIET,
    ...options,
  });
  handler = toNodeHandler(stepwell);
  const app = (await stepwell.apps.create({ name: "Tests" })).id;
  const { key } = await stepwell.keys.create(app, { name: "Tests" });
  const client = (more: Partial<ClientOptions> = {}) => createClient({ url, key, ...more });
  return {
    stepwell,
    url,
    app,
    key,
    client,
    admin: createClient({ url, key: ADMIN_KEY }),
    /** Between the clients and the server. */
    proxy,
    /** For all requests from now on. */
    intercept(next: Intercept): void {
      intercept = next;
    },
    async close(): Promise<void> {
      await proxy.close();
      await closed(server);
      await stepwell.close();
    },
  };
}

export type Mounted = Awaited<ReturnType<typeof openMounted>>;

/** A server that is no Stepwell. */
export async function openFake(listener: RequestListener) {
  const server = createServer(listener);
  await listen(server);
  return { url: urlOf(server), close: () => closed(server) };
}

async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

function urlOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function closed(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
