/** The response that a step gives to the request which started its run. */
import * as v from "valibot";
import { jsonValue, map, strictObject } from "../schema.ts";

const MAX_HEADERS_CHARS = 16 * 1024;

/** A token of RFC 9110 section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
/** Visible ASCII, spaces and tabs (RFC 9110 section 5.5). */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** Headers that the server sets, or that would act on the whole origin of the host. */
const RESERVED = new Set([
  ...[
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
  ],
  ...[
    "set-cookie",
    "clear-site-data",
    "content-security-policy",
    "strict-transport-security",
    "x-content-type-options",
  ],
]);

const Headers = v.pipe(
  map(
    v.pipe(v.string(), v.regex(HEADER_VALUE, "Must consist of visible ASCII characters.")),
    v.pipe(
      v.string(),
      v.regex(HEADER_NAME, "Must be the name of a header."),
      v.check((name) => !RESERVED.has(name.toLowerCase()), "Must not be a header that the server sets."),
    ),
  ),
  v.check(
    (headers) =>
      Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= MAX_HEADERS_CHARS,
    "Must have at most 16 KiB in total.",
  ),
);

export const HookResponse = strictObject({
  /** HTTP status, from 200 to 599. @default 200 */
  status: v.optional(
    v.pipe(
      v.number(),
      v.integer("Must be a whole number."),
      v.minValue(200, "Must be at least 200."),
      v.maxValue(599, "Must be at most 599."),
    ),
    200,
  ),
  /** Headers by name, up to 16 KiB in total. Headers that the server sets and cookies are not allowed. @default {} */
  headers: v.optional(Headers, {}),
  /** Body: a string is sent unchanged, `null` as no body, any other value as JSON. @default null */
  body: v.optional(jsonValue, null),
});
/** A response that a step gives. */
export interface HookResponse extends v.InferOutput<typeof HookResponse> {}

/** The built-in action that gives a response. */
export const RESPOND = { service: "webhooks", action: "respond" } as const;

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Workflows are not the host: `sandbox` keeps scripts in a page that one sends from acting as the host's own, as for
 * files.
 */
export function toResponse({ status, headers: given, body }: HookResponse): Response {
  const headers = new globalThis.Headers(given);
  headers.set("content-security-policy", "sandbox");
  if (body === null || WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const isText = typeof body === "string";
  if (!headers.has("content-type")) {
    headers.set("content-type", isText ? "text/plain; charset=utf-8" : "application/json");
  }
  return new Response(isText ? body : JSON.stringify(body), { status, headers });
}
