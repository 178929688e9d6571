/** What is made of an answer that is no success: the failure of the step, and whether another try may go better. */
import { cut } from "../../errors.ts";
import { retryAfter as delay } from "../../net/retry-after.ts";
import { StepError } from "../step-error.ts";

export interface ErrorResponse {
  /** Of the answer, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly retryAfter: string | null;
  /** What it says; the start of it is told. */
  readonly text: string;
}

/** Characters of a refusal that are told. */
const MAX_EXCERPT_CHARS = 200;
const MAX_PATH_LENGTH = 1_000;
/** RFC 9110: those that may go better the next time. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export function httpStatusError({ url, status, retryAfter, text }: ErrorResponse): StepError {
  const { host, pathname } = new URL(url);
  const excerpt = text.length > MAX_EXCERPT_CHARS ? `${text.slice(0, MAX_EXCERPT_CHARS)}…` : text;
  return new StepError(
    "http_status",
    `${host}${cut(pathname, MAX_PATH_LENGTH)} answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`,
    {
      retryable: TRANSIENT_STATUSES.has(status),
      ...delay(retryAfter),
    },
  );
}
