/** Converts failed responses of search providers to errors that don't contain the key. */
import { retryAfterMs } from "../../src/net/retry-after.ts";
import { isTransientStatus } from "../../src/net/transient-status.ts";
import { WebSearchError } from "../../src/ports/web-search.ts";

export interface RefusedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or null if the body is not JSON. */
  readonly body: unknown;
}

/** The provider-specific meaning of a response. */
export interface ErrorMeaning {
  readonly what: string;
  /** @default depends on the status */
  readonly retryable?: boolean;
  /** Milliseconds to wait before a retry. @default from `Retry-After` */
  readonly retryAfterMs?: number | undefined;
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: "it rejected the search.",
  401: "it rejected the configured API key.",
  403: "it rejected the configured API key.",
  422: "it rejected the search.",
  429: "the rate limit is exceeded.",
};

export function refusedError(
  provider: string,
  refused: RefusedResponse,
  own: ErrorMeaning | undefined,
): WebSearchError {
  const { status, headers } = refused;
  const isRedirect = status >= 300 && status < 400;
  const usual = isRedirect ? "a redirect. Configure the URL that it redirects to." : MEANINGS[status];
  const what = own?.what ?? usual;
  return new WebSearchError(
    `${provider} responded with ${status}${what === undefined ? "." : `${isRedirect ? ", " : ": "}${what}`}`,
    {
      retryable: own?.retryable ?? isTransientStatus(status),
      retryAfterMs: own?.retryAfterMs ?? retryAfterMs(headers.get("retry-after"), Date.now()),
    },
  );
}

/** Quotes the provider's reason: one line, shortened, without the key. */
export function quoteReason(text: unknown, key = ""): string | undefined {
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const line = text.replace(/\s+/g, " ").trim();
  return JSON.stringify((key === "" ? line : line.replaceAll(key, "…")).slice(0, 200));
}
