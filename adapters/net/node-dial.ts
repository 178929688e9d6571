/** Connects through node:http and node:https, which support a custom resolver on Node.js, Bun and Deno. */
import type { LookupAddress, LookupOptions } from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import { omitUndefined } from "../../src/json.ts";
import type { Answer, Dial, Exchange, StreamedBody } from "../../src/ports/dial.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";

export interface DialOptions {
  /** Returns all IP addresses of a hostname. @default the resolver of the operating system */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Certificate authorities (PEM) to trust instead of the runtime's own. */
  readonly ca?: string;
}

type LookupCallback = (error: Error | null, found: string | LookupAddress[], family?: number) => void;

export function createDial(options: DialOptions = {}): Dial {
  return async (exchange) => {
    const { url, method, headers, body, signal } = exchange;
    // Loaded on demand: TLS alone takes longer to load than the rest of the library.
    const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
    const addresses = await resolvePinned(exchange, options.resolve ?? systemResolver);
    const message = await new Promise<IncomingMessage>((answered, rejected) => {
      const sent = request(
        url,
        {
          method,
          headers: Object.fromEntries(headers),
          signal,
          agent: false, // a pool would reuse connections that a different check permitted
          lookup: (_: string, lookupOptions: LookupOptions, callback: LookupCallback) => {
            const [first] = addresses;
            if (lookupOptions.all === true || first === undefined) callback(null, [...addresses]);
            else callback(null, first.address, first.family);
          },
          ...omitUndefined({ ca: options.ca }),
        },
        answered,
      );
      sent.on("error", rejected); // also handles errors after the response, which would otherwise crash the process
      sent.on("upgrade", (_, socket) => {
        socket.destroy();
        rejected(new Error("it responded with 101 (Switching Protocols) without an upgrade request"));
      });
      // Has no effect after a response.
      sent.on("close", () => rejected(new Error("the connection closed without a response")));
      if (body === undefined || body instanceof Uint8Array) sent.end(body);
      else void sendStreamed(body, sent);
    });
    return answerOf(message);
  };
}

/** Sends a body as fast as the server accepts it. An error destroys the request, which then rejects with it. */
async function sendStreamed(body: StreamedBody, sent: ClientRequest): Promise<void> {
  try {
    const { pipeline } = await import("node:stream/promises");
    await pipeline(exactly(body), sent);
  } catch (error) {
    sent.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

/** A server waits forever for bytes that were announced and do not come. */
async function* exactly({ size, open }: StreamedBody): AsyncGenerator<Uint8Array, void> {
  let left = size;
  for await (const bytes of open()) {
    left -= bytes.byteLength;
    if (left < 0) break;
    yield bytes;
  }
  if (left !== 0) throw new Error("the body does not have its announced size");
}

/** Resolves the hostname once, so that the checked addresses are the ones that are connected to. */
async function resolvePinned(
  exchange: Exchange,
  resolve: (hostname: string) => Promise<readonly string[]>,
): Promise<readonly LookupAddress[]> {
  const { isIP } = await import("node:net");
  const host = exchange.url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await unlessAborted(resolve(host), exchange.signal) : [host];
  return exchange.permitted(found).map((address) => ({ address, family: isIP(address) }));
}

async function systemResolver(hostname: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function answerOf(message: IncomingMessage): Answer {
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? "", message.rawHeaders[index + 1] ?? "");
  }
  const pieces: AsyncIterator<Uint8Array<ArrayBuffer>> = message[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
  return { status: message.statusCode ?? 0, headers, body };
}
