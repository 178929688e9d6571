/** The body of a Node request as a web stream, also when a body parser has read it before. */
import type { IncomingMessage } from "node:http";

/** A request after Express, Connect or the like. */
export type ParsedRequest = IncomingMessage & {
  readonly body?: unknown;
  /** The bytes as they came, which serverless platforms keep beside what they parsed. */
  rawBody?: unknown;
};

export interface Body {
  readonly body: ReadableStream<Uint8Array>;
  /** Made anew of what a parser left: other bytes than those that came, which a signature would be of. */
  readonly isRebuilt: boolean;
}

/**
 * Bytes as they come, as fast as they are taken. Cancelling leaves the connection open: the answer still has to go out.
 * @throws Error when something read the body before and left nothing that could be handed on.
 */
export function bodyOf(request: ParsedRequest): Body {
  if (!request.readableDidRead) return { body: streamed(request), isRebuilt: false };
  const kept = keptBytes(request);
  const bytes = kept ?? rebuiltBytes(request);
  request.rawBody = bytes; // from here srvx gives `text()` and `json()`, which would find the stream at its end
  return { body: once(bytes), isRebuilt: kept === null };
}

function streamed(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function once(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

function keptBytes({ body, rawBody }: ParsedRequest): Buffer | null {
  if (rawBody instanceof Uint8Array) return bufferOf(rawBody);
  if (body instanceof Uint8Array) return bufferOf(body);
  return typeof body === "string" ? Buffer.from(body) : null;
}

/** What a parser made of the body, as the bytes that it may have been. */
function rebuiltBytes({ body, headers }: ParsedRequest): Buffer {
  const type = headers["content-type"] ?? "";
  if (body !== undefined && /^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return Buffer.from(JSON.stringify(body));
  if (typeof body === "object" && body !== null && /^application\/x-www-form-urlencoded\b/i.test(type)) {
    return Buffer.from(form(body));
  }
  throw new Error(
    `A middleware consumed the ${type || "untyped"} body of this request without keeping it. ` +
      "Mount stepwell before that middleware, or limit the middleware to other paths.",
  );
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function form(fields: object): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}
