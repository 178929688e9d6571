/** A stand-in for an accounting system: an HTTP server on loopback for bookings and approvals. */
import { createServer } from "node:http";

export async function startAccounting() {
  let number = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const { total } = JSON.parse(text);
    const kind = request.url === "/approvals" ? "approval" : "booking";
    const answer = { [kind]: `${kind.toUpperCase()}-${++number}`, total };
    response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  return { port: await listen(server), close: () => server.close() };
}

/** @returns A free port that the system chose. */
export function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}
