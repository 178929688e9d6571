/** Follows redirects (Fetch standard §4.4, HTTP-redirect fetch). */

import type { StreamedBody } from "../ports/dial.ts";

/** A request in a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | StreamedBody | undefined;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers that describe the body, and are dropped with it. */
const BODY_HEADERS = ["content-encoding", "content-language", "content-length", "content-location", "content-type"];
/** Headers that are sent to another origin. Any other could be a credential of the first server. */
const CROSS_ORIGIN_HEADERS = new Set([
  ...BODY_HEADERS,
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "pragma",
  "range",
  "user-agent",
]);

/** The target of a redirect: null for an invalid location, undefined if the response is not a redirect. */
export function redirectTarget(from: URL, status: number, location: string | null): URL | null | undefined {
  if (!REDIRECT_STATUSES.has(status) || location === null) return undefined;
  return URL.canParse(location, from) ? new URL(location, from) : null;
}

/** The request that follows a redirect. */
export function redirectHop(hop: Hop, status: number, url: URL): Hop {
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) {
    for (const name of hop.headers.keys()) if (!CROSS_ORIGIN_HEADERS.has(name)) headers.delete(name);
  }
  const becomesGet =
    (status === 303 && hop.method !== "GET" && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  if (!becomesGet) return { ...hop, url, headers };
  for (const name of BODY_HEADERS) headers.delete(name);
  return { url, headers, method: "GET", body: undefined };
}
