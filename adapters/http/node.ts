/** Mounts Stepwell in node:http, Express 4 and 5, Connect, and other servers that call (req, res, next). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { FastResponse, NodeRequest, sendNodeResponse } from "srvx/node";
import { bodyOf, type ParsedRequest } from "./body.ts";
import { drainAfter } from "./drain-body.ts";

/** A service to mount: any object with a web-standard `fetch`. */
export interface Mounted {
  /** Handles a request. */
  fetch: Fetch;
}

type Fetch = (request: Request, host?: object) => Promise<Response>;

/** A handler for servers that call `(req, res, next)`. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Key of the text and head of a response, if it was created from a string and nobody has read its headers. */
const TEXT = Symbol("text");

/** A Response without a stream, whose text is sent together with the head. This triples the requests per second. */
class TextResponse extends FastResponse {
  [TEXT]: { readonly text: string; readonly status: number; readonly headers: Record<string, string> } | undefined;

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init);
    const { status = 200, headers = {} } = init ?? {};
    const isPlain = typeof body === "string" && !(headers instanceof Headers) && !Array.isArray(headers);
    this[TEXT] = isPlain ? { text: body, status, headers } : undefined;
  }

  /** Code that reads the headers may also change them. A host adds cookies, for example. */
  override get headers(): Headers {
    this[TEXT] = undefined;
    return super.headers;
  }
}
const HOST = { Response: TextResponse };
const HOST_WITH_REBUILT_BODY = { ...HOST, isBodyRebuilt: true };

/**
 * Creates a handler for Node.js servers.
 *
 * Works under any mount path (Express removes it from `req.url`), and with or without a body parser before it. Streams
 * requests and responses with backpressure. `request.signal` aborts when the client disconnects. Signed webhooks need
 * the original bytes of the body: mount the handler before the body parser, or let the parser keep them as
 * `request.rawBody`.
 *
 * @throws TypeError if the argument is neither a service nor a fetch function.
 * @example
 * ```ts
 * createServer(toNodeHandler(stepwell)).listen(3000);
 * express().use("/automation", toNodeHandler(stepwell));
 * ```
 */
export function toNodeHandler(stepwell: Mounted | Fetch): NodeHandler {
  const fetch = fetchOf(stepwell);
  return (incoming, outgoing, next) => {
    answer(fetch, incoming, outgoing).catch((error: unknown) => {
      if (next !== undefined) return next(error);
      console.error(error); // not sent to the client, because the message may be internal
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error");
    });
  };
}

function fetchOf(service: Mounted | Fetch): Fetch {
  if (typeof service === "function") return service;
  if (typeof service?.fetch === "function") return (request, host) => service.fetch(request, host);
  throw new TypeError("toNodeHandler needs a service from createStepwell or a fetch function.");
}

async function answer(fetch: Fetch, incoming: ParsedRequest, outgoing: ServerResponse): Promise<void> {
  const request = new NodeRequest({ req: incoming, res: outgoing });
  let host: object = HOST;
  if (incoming.method !== "GET" && incoming.method !== "HEAD") {
    drainAfter(outgoing, incoming);
    const { body, isRebuilt } = hasBody(incoming) ? bodyOf(incoming) : { body: null, isRebuilt: false };
    Object.defineProperty(request, "body", { value: body }); // srvx's body closes the connection when cancelled
    if (isRebuilt) host = HOST_WITH_REBUILT_BODY;
  }
  const response = await fetch(request, host);
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
