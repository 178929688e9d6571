/** Mounts stepwell in plain node:http, Express 4 and 5, Connect, and whatever else speaks (req, res, next). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { FastResponse, NodeRequest, sendNodeResponse } from "srvx/node";
import { bodyOf, type ParsedRequest } from "./body.ts";
import { drainAfter } from "./drain.ts";

/** What is mounted: anything with a web-standard `fetch`. */
export interface Mounted {
  fetch(request: Request, host?: object): Promise<Response>;
}

export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** What a Response was made of, where that is a text and its head. */
const TEXT = Symbol("text");

/**
 * A Response that no stream is made of, and whose text goes out with its head in one call: three times the requests per
 * second.
 */
class TextResponse extends FastResponse {
  readonly [TEXT]:
    | { readonly text: string; readonly status: number; readonly headers: Record<string, string> }
    | undefined;

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init);
    const { status = 200, headers = {} } = init ?? {};
    const isPlain = typeof body === "string" && !(headers instanceof Headers) && !Array.isArray(headers);
    this[TEXT] = isPlain ? { text: body, status, headers } : undefined;
  }
}
const HOST = { Response: TextResponse };

/**
 * A handler for Node servers.
 *
 * Works under any mount path (Express takes it off `req.url`), with or without a body parser before it, and streams both
 * ways with backpressure. When the client goes, `request.signal` aborts.
 *
 * @example
 * ```ts
 * createServer(toNodeHandler(stepwell)).listen(3000);
 * express().use("/automation", toNodeHandler(stepwell));
 * ```
 */
export function toNodeHandler(stepwell: Mounted): NodeHandler {
  return (incoming, outgoing, next) => {
    answer(stepwell, incoming, outgoing).catch((error: unknown) => {
      if (next !== undefined) next(error);
      else if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    });
  };
}

async function answer(stepwell: Mounted, incoming: ParsedRequest, outgoing: ServerResponse): Promise<void> {
  const request = new NodeRequest({ req: incoming, res: outgoing });
  if (incoming.method !== "GET" && incoming.method !== "HEAD") {
    drainAfter(outgoing, incoming);
    const body = hasBody(incoming) ? bodyOf(incoming) : null;
    Object.defineProperty(request, "body", { value: body }); // srvx's own closes the connection when it is cancelled
  }
  const response = await stepwell.fetch(request, HOST);
  const plain = response instanceof TextResponse ? response[TEXT] : undefined;
  if (plain === undefined || outgoing.headersSent) return sendNodeResponse(outgoing, response);
  const { text, status, headers } = plain;
  headers["content-length"] = String(Buffer.byteLength(text));
  outgoing.writeHead(status, headers);
  outgoing.end(text);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
