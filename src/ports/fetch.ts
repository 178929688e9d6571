/** Fetching of addresses that users supply. */

export interface GuardedRequest {
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the head of the last answer has come, all redirects together. Default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds of waiting within which a KiB of the body, or its end, must come. Default 30,000. */
  readonly idleTimeoutMs?: number;
  /** Bytes of the answer's body, counted after decompression. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
}

/**
 * Fetches an address that a user supplied: http and https only; every address that the name resolves to is
 * checked and the connection pinned to the checked one; each redirect is checked again; size, time and redirects are
 * limited, the body while it streams.
 *
 * Redirects are followed as browsers do: 303, and 301 or 302 to a POST, go on as GET without the body; to another
 * origin go only the headers that describe the body or the answer that is wanted (`Accept`, `Range`, `User-Agent` and the
 * like), never `Authorization`, `Cookie` or a header of one's own such as `X-Api-Key`. The answer's `url` is the last address, whatever its status; its body is no longer compressed
 * and must be read or cancelled. When `signal` aborts, it rejects with the signal's reason, and so does the body.
 *
 * @throws StepwellError `address_refused` for what may not be reached, `fetch_failed` when it cannot be (also from the
 * body's stream), `too_large` (also from the body's stream), `invalid` for a method or header that HTTP does not have.
 */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<Response>;
