/** A server on the loopback interface that records the requests of steps with their idempotency keys. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Uint8Array;
  /** The Idempotency-Key. */
  readonly key: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

type Handle = (received: Received) => Reply | Promise<Reply>;

export async function openServer(handle: Handle) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = "", url: path = "", headers } = request;
    const key = String(headers["idempotency-key"]);
    const bytes = Buffer.concat(pieces);
    const one = { method, path, headers, body: bytes.toString(), bytes: Uint8Array.from(bytes), key };
    received.push(one);
    const { status = 200, headers: sent, body = "" } = await handle(one);
    response.sendDate = false; // so that equal responses are identical
    response.writeHead(status, sent).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** For the option `net`. */
    net: { allow: [`127.0.0.1:${port}`] },
    received,
    /** The requests for a path. */
    at: (path: string) => received.filter((one) => one.path === path),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Server = Awaited<ReturnType<typeof openServer>>;
