/** Converts an unsuccessful HTTP response to the error of a step, and decides whether it is retried. */
import { cut } from "../../errors.ts";
import { retryAfterMs } from "../../net/retry-after.ts";
import { isTransientStatus } from "../../net/transient-status.ts";
import { StepError } from "../step-error.ts";

export interface ErrorResponse {
  /** The URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly retryAfter: string | null;
  /** Body of the response. Errors quote the start of it. */
  readonly text: string;
}

/** Maximum number of characters that errors quote. */
const MAX_EXCERPT_CHARS = 200;
const MAX_PATH_CHARS = 1_000;

/** @param now Milliseconds since 1970, from the clock. */
export function httpStatusError({ url, status, retryAfter, text }: ErrorResponse, now: number): StepError {
  const { host, pathname } = new URL(url);
  const excerpt = text.length > MAX_EXCERPT_CHARS ? `${text.slice(0, MAX_EXCERPT_CHARS)}…` : text;
  return new StepError(
    "http_status",
    `${host}${cut(pathname, MAX_PATH_CHARS)} responded with ${status}${excerpt === "" ? "" : `: ${excerpt}`}`,
    { retryable: isTransientStatus(status), retryAfterMs: retryAfterMs(retryAfter, now) },
  );
}
