/** A response before it becomes a `Response`, and the headers of every response. */

export interface ResponseParts {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array> | null;
}

/** The class of responses of a host that has a faster one than the runtime's. */
export type ResponseClass = new (body: ResponseParts["body"], init: ResponseHead) => Response;

/** Creates a response in the fastest way of the runtime. */
export type CreateResponse = (body: ResponseParts["body"], init: ResponseHead) => Response;

export interface ResponseHead {
  readonly status: number;
  readonly headers: Record<string, string>;
}

export function fromResponse(response: Response): ResponseParts {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body };
}

/** The response to HEAD: the same headers without the body. */
export function withoutBody({ status, headers, body }: ResponseParts): ResponseParts {
  if (typeof body === "string") {
    return { status, headers: { ...headers, "content-length": String(byteLength(body)) }, body: null };
  }
  body?.cancel().catch(() => {}); // errors of the unread source don't matter
  return { status, headers, body: null };
}

/** Request ids that are safe in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The request id of the client, if it is valid, so that the logs of both sides match. */
export function requestIdOf(request: Request): string | null {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : null;
}

export function toResponse(
  answer: ResponseParts,
  requestId: string,
  cors: Readonly<Record<string, string>> | null,
  create: CreateResponse,
): Response {
  const headers: Record<string, string> = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...answer.headers,
  };
  if (cors !== null) {
    const vary = headers["vary"];
    Object.assign(headers, cors);
    if (vary !== undefined && cors["vary"] !== undefined) headers["vary"] = `${vary}, Origin`;
  }
  return create(answer.body, { status: answer.status, headers });
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
