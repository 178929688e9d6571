/** Converts the body of a Node.js request to a web stream, even if a body parser has already read it. */
import type { IncomingMessage } from "node:http";

/** A request after middleware such as Express or Connect. */
export type ParsedRequest = IncomingMessage & {
  readonly body?: unknown;
  /** The original bytes, which serverless platforms keep next to the parsed body. */
  rawBody?: unknown;
};

export interface Body {
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Whether it was serialized again from a parsed body. It then differs from the original bytes that a signature
   * covers.
   */
  readonly isRebuilt: boolean;
}

/**
 * Streams bytes with backpressure. Cancelling leaves the connection open, because the response still has to be sent.
 * @throws Error if middleware has consumed the body without keeping it.
 */
export function bodyOf(request: ParsedRequest): Body {
  if (!request.readableDidRead) return { body: streamOf(request), isRebuilt: false };
  const original = originalBytes(request);
  const bytes = original ?? rebuiltBytes(request);
  request.rawBody = bytes; // srvx uses this for `text()` and `json()`, because the stream has ended
  return { body: once(bytes), isRebuilt: original === null };
}

function streamOf(request: IncomingMessage): ReadableStream<Uint8Array> {
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

function originalBytes({ body, rawBody }: ParsedRequest): Buffer | null {
  if (rawBody instanceof Uint8Array) return bufferOf(rawBody);
  if (body instanceof Uint8Array) return bufferOf(body);
  return typeof body === "string" ? Buffer.from(body) : null;
}

/** Serializes a parsed body again. */
function rebuiltBytes({ body, headers }: ParsedRequest): Buffer {
  const type = headers["content-type"] ?? "";
  if (body !== undefined && /^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return Buffer.from(JSON.stringify(body));
  if (typeof body === "object" && body !== null && /^application\/x-www-form-urlencoded\b/i.test(type)) {
    return Buffer.from(form(body));
  }
  throw new Error(
    `A middleware consumed the ${type || "untyped"} body of this request. ` +
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
