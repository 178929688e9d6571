/** A receiver of webhooks on a loopback port, which behaves as a test says. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StepwellEvent } from "../../../src/index.ts";

/** What a receiver does with a request that it has read. */
export type Behavior = (response: ServerResponse, event: StepwellEvent) => void;

export const answers =
  (status: number, headers: Record<string, string> = {}): Behavior =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Never answers. */
export const hangs: Behavior = () => undefined;

export const resets: Behavior = ({ req: { socket } }) => void socket.resetAndDestroy();

/** Sends these bytes instead of a response, and nothing more. */
export const writes =
  (text: string): Behavior =>
  ({ req: { socket } }) =>
    void socket.write(text);

/** A body without end, as fast as it is read. */
export const floods: Behavior = (response) => {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  const piece = Buffer.alloc(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
};

/** @param port The port of an earlier receiver. @default a free one */
export async function openReceiver(first: Behavior, port = 0) {
  let behave = first;
  const received: StepwellEvent[] = [];
  /** Responses whose connection was closed before they ended. */
  let cut = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    const event = JSON.parse(text);
    received.push(event);
    response.on("close", () => {
      if (!response.writableFinished) cut++;
    });
    behave(response, event);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;

  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/events`,
    received,
    cut: () => cut,
    behave(next: Behavior): void {
      behave = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
