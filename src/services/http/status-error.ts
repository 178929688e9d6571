/** Converts an unsuccessful HTTP response to an error, and decides whether the request is sent again. */
import { essenceOf } from "../../encoding/text-types.ts";
import { cut } from "../../errors.ts";
import { type JsonValue, jsonProblem } from "../../json.ts";
import { retryAfterMs } from "../../net/retry-after.ts";
import { isTransientStatus } from "../../net/transient-status.ts";
import { ActionError } from "../action-error.ts";
import { MAX_BODY_CHARS } from "../error-details.ts";
import { parseBody } from "./parse-body.ts";

export interface ErrorResponse {
  /** The URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly retryAfter: string | null;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or null if it is not text. */
  readonly body: string | null;
  /** What the message quotes the start of. */
  readonly excerpt: string;
}

/** Maximum number of characters that the message quotes. */
const MAX_EXCERPT_CHARS = 200;
const MAX_PATH_CHARS = 1_000;

/** @param now Milliseconds since 1970, from the clock. */
export function httpStatusError(response: ErrorResponse, now: number): ActionError {
  const { url, status, excerpt } = response;
  const { host, pathname } = new URL(url);
  const quoted = excerpt.length > MAX_EXCERPT_CHARS ? `${excerpt.slice(0, MAX_EXCERPT_CHARS)}…` : excerpt;
  return new ActionError(
    "http_status",
    `${host}${cut(pathname, MAX_PATH_CHARS)} responded with ${status}${quoted === "" ? "" : `: ${quoted}`}`,
    {
      retryable: isTransientStatus(status),
      retryAfterMs: retryAfterMs(response.retryAfter, now),
      details: { status, headers: response.headers, body: parsedBody(response) },
    },
  );
}

function parsedBody({ body, headers }: ErrorResponse): JsonValue {
  if (body === null) return null;
  if (body.length > MAX_BODY_CHARS) return body;
  const value = parseBody(body, essenceOf(headers["content-type"] ?? ""));
  return jsonProblem(value) === null ? value : body;
}
