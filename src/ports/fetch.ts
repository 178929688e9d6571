/** Fetches user-supplied URLs. */
import type { StreamedBody } from "./dial.ts";

/** A request of {@link GuardedFetch}. */
export interface GuardedRequest {
  /** HTTP method. Default: GET. */
  readonly method?: string;
  /**
   * Headers by name. Those that the connection sets, such as `Host` and `Content-Length`, are ignored. Default: none.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body; a string is sent as UTF-8. Default: none. */
  readonly body?: string | Uint8Array | StreamedBody | undefined;
  /** Cancels the request and the body of the response. Default: never. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum milliseconds until the head of the final response, including all redirects. For a streamed body, the time
   * starts again with each piece that the server accepts. Default: 30,000.
   */
  readonly timeoutMs?: number;
  /** Maximum milliseconds of waiting for each KiB of the body, or for its end. Default: 30,000. */
  readonly idleTimeoutMs?: number;
  /** Maximum size of the response body in bytes, after decompression. Default: 10 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of redirects. Default: 5. */
  readonly maxRedirects?: number;
}

/**
 * Fetches a user-supplied URL, http and https only. Every address that the hostname resolves to is checked, and the
 * connection uses a checked one. Each redirect is checked again. Size, time and redirects are limited; the body is
 * limited while it streams.
 *
 * Follows redirects like browsers: 303, and 301 or 302 after a POST, continue as GET without a body. Only headers that
 * describe the body or the desired response (such as `Accept`, `Range` and `User-Agent`) are sent to another origin.
 * `Authorization`, `Cookie` and custom headers such as `X-Api-Key` are not. The response's `url` is the final URL,
 * whatever its status. Its body is decompressed and must be read or cancelled. When `signal` aborts, the call and the
 * body reject with its reason.
 *
 * @throws StepwellError `address_refused` if the address is not permitted.
 * @throws StepwellError `fetch_failed` if the request fails, including while streaming the body.
 * @throws StepwellError `too_large` if the body is too large, including while streaming it.
 * @throws StepwellError `invalid` for an invalid HTTP method or header.
 */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<Response>;
