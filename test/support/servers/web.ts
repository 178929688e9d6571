/** A loopback server with web pages that records requests. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** HTML or a request handler by path. */
export type Site = Record<string, string | RequestListener>;

export async function openWeb(site: Site, host = "127.0.0.1", at = 0) {
  const requestedPaths: string[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://web");
    requestedPaths.push(pathname);
    const page = site[pathname];
    if (typeof page === "function") page(request, response);
    else if (page === undefined)
      response.writeHead(404, { "content-type": "text/html" }).end("<title>Not here</title>");
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(at, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    site,
    port,
    url: `http://${host}:${port}`,
    /** For the option `net`. */
    net: { allow: [`${host}:${port}`] },
    requestedPaths,
    connections: () => connections,
    /** The number of open connections. */
    open: () => sockets.size,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Web = Awaited<ReturnType<typeof openWeb>>;
