/** Converts an unsuccessful HTTP response to the error of a step, and decides whether it is retried. */
import { essenceOf } from "../../encoding/text-types.ts";
import { cut } from "../../errors.ts";
import { type JsonValue, jsonProblem } from "../../json.ts";
import { retryAfterMs } from "../../net/retry-after.ts";
import { isTransientStatus } from "../../net/transient-status.ts";
import { FORBIDDEN_KEY } from "../../schema.ts";
import { StepError } from "../step-error.ts";
import { parseBody } from "./response-body.ts";

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
const MAX_BODY_CHARS = 64 * 1024;
/** Maximum length of all headers that the error keeps, in characters. */
const MAX_HEADER_CHARS = 16 * 1024;

/** @param now Milliseconds since 1970, from the clock. */
export function httpStatusError(response: ErrorResponse, now: number): StepError {
  const { url, status, excerpt } = response;
  const { host, pathname } = new URL(url);
  const quoted = excerpt.length > MAX_EXCERPT_CHARS ? `${excerpt.slice(0, MAX_EXCERPT_CHARS)}…` : excerpt;
  return new StepError(
    "http_status",
    `${host}${cut(pathname, MAX_PATH_CHARS)} responded with ${status}${quoted === "" ? "" : `: ${quoted}`}`,
    {
      retryable: isTransientStatus(status),
      retryAfterMs: retryAfterMs(response.retryAfter, now),
      details: { status, headers: keptHeaders(response.headers), body: keptBody(response) },
    },
  );
}

function keptHeaders(headers: ErrorResponse["headers"]): Record<string, string> {
  let left = MAX_HEADER_CHARS;
  const kept = Object.entries(headers).filter(([name, value]) => {
    if (name === "set-cookie" || name === FORBIDDEN_KEY) return false;
    left -= name.length + value.length;
    return left >= 0;
  });
  return Object.fromEntries(kept);
}

function keptBody({ body, headers }: ErrorResponse): JsonValue {
  if (body === null) return null;
  if (body.length > MAX_BODY_CHARS) return cut(body, MAX_BODY_CHARS);
  const value = parseBody(body, essenceOf(headers["content-type"] ?? ""));
  return jsonProblem(value) === null ? value : body;
}
