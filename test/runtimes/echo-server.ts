/** A server on loopback for workflows to call: responds with what it received. */
import { once } from "node:events";
import { createServer } from "node:http";
import { textOf } from "./target.ts";

export async function openEchoServer(): Promise<{ readonly host: string; close(): void }> {
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ method: request.method, got: await textOf(request) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server without a port");
  return { host: `127.0.0.1:${address.port}`, close: () => void server.close() };
}
