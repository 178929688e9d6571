/** HTTP servers on loopback: one for Stepwell, one that stands for your receiver of webhooks. */
import { once } from "node:events";
import { createServer } from "node:http";
import { isSigned } from "./standard-webhooks.js";

/** @returns The server and its port, which the system chose. */
export async function listen() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: server.address().port };
}

/** Keeps events that are signed with the secret, and refuses all others with 401. */
export async function startReceiver() {
  const { server, port } = await listen();
  const receiver = { url: `http://127.0.0.1:${port}/events`, port, secret: "", events: [], refused: 0, server };
  server.on("request", async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const isGenuine = isSigned(receiver.secret, request.headers, body);
    if (isGenuine) receiver.events.push(JSON.parse(body));
    else receiver.refused++;
    response.writeHead(isGenuine ? 204 : 401).end();
  });
  return receiver;
}
