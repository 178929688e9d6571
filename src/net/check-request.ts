/** Decides which URLs and requests are allowed, before any name is resolved. */

import { StepwellError } from "../errors.ts";
import type { GuardedRequest } from "../ports/fetch.ts";
import type { Hop } from "./redirect.ts";
import { parseWebUrl } from "./web-url.ts";

/** A token (RFC 9110 §5.6.2). */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/;
/** Methods that open tunnels or echo the request (Fetch standard, "forbidden method"). */
const FORBIDDEN_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);
/** Headers that the connection sets. Dropped silently, as browsers do (Fetch standard, "forbidden request-header"). */
const CONNECTION_HEADERS = [
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The first request of a fetch. */
export function firstHop(text: string, request: GuardedRequest): Hop {
  const found = parseWebUrl(text);
  if (found === null) throw addressRefused(`${JSON.stringify(text.slice(0, 200))} is not a valid URL.`);
  const url = checkUrl(found);
  const method = (request.method ?? "GET").toUpperCase();
  if (!METHOD.test(method) || FORBIDDEN_METHODS.has(method)) {
    throw new StepwellError("invalid", `${JSON.stringify(method.slice(0, 32))} is not an allowed HTTP method.`);
  }
  const body = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  return { url, method, body, headers: headersOf(request, body) };
}

/** @throws StepwellError `address_refused` unless it is http or https without user name and password */
export function checkUrl(url: URL): URL {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw addressRefused(`${url.protocol} URLs are not allowed. Use http: or https:.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw addressRefused("A URL must not contain a user name or a password. Use the Authorization header.");
  }
  return url;
}

export function addressRefused(message: string): StepwellError {
  return new StepwellError("address_refused", message);
}

/** A URL for messages: without path and query, which may contain secrets. */
export function displayOrigin(url: URL): string {
  return `${url.protocol}//${url.host}`;
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function headersOf(request: GuardedRequest, body: Hop["body"]): Headers {
  const headers = readHeaders(request.headers ?? {});
  for (const name of CONNECTION_HEADERS) headers.delete(name);
  headers.set("accept-encoding", "gzip");
  if (!headers.has("accept")) headers.set("accept", "*/*");
  if (!headers.has("user-agent")) headers.set("user-agent", "stepwell");
  if (body !== undefined) {
    headers.set("content-length", String(body instanceof Uint8Array ? body.byteLength : body.size));
    if (typeof request.body === "string" && !headers.has("content-type")) {
      headers.set("content-type", "text/plain;charset=UTF-8");
    }
  }
  return headers;
}

function readHeaders(given: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(given);
  } catch (cause) {
    const message = "A header has an invalid name or value, such as a value with a line break.";
    throw new StepwellError("invalid", message, { cause });
  }
}
