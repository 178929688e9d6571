/** One HTTP exchange over a connection to a permitted address. The guarded fetch is based on it. */

/** A request body that is read while it is sent. */
export interface StreamedBody {
  /** Exact number of bytes. */
  readonly size: number;
  /** Returns the bytes from the first one on. Called again for each redirect that keeps the body. */
  open(): AsyncIterable<Uint8Array>;
}

export interface Exchange {
  /** http or https, without credentials. */
  readonly url: URL;
  readonly method: string;
  /** All headers except `host` and `connection`. */
  readonly headers: Headers;
  /** A streamed one is read only as fast as the server accepts it. */
  readonly body?: Uint8Array | StreamedBody | undefined;
  /** Cancels the exchange at any time, even while the response body is read. */
  readonly signal: AbortSignal;
  /**
   * Returns which of the addresses that the hostname resolves to may be connected to. If the host is an IP address, it
   * is the only one.
   * @throws StepwellError `address_refused` if none is permitted; must be passed on unchanged.
   */
  permitted(addresses: readonly string[]): readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /**
   * The raw body, still compressed; empty if there is none. Fails if the connection breaks before the announced end.
   * Cancelling it closes the connection.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Resolves the hostname once, calls `permitted`, and connects only to one of the returned addresses. A later change of
 * the DNS answer therefore has no effect. TLS uses the hostname of the URL for SNI and certificate verification.
 * Doesn't follow redirects, use a proxy or keep cookies.
 *
 * Rejects with the runtime's error if the exchange fails. The guarded fetch converts it.
 */
export type Dial = (exchange: Exchange) => Promise<Answer>;
