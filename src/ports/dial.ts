/** One HTTP exchange over a connection to an address that was permitted; what the guarded fetch stands on. */

export interface Exchange {
  /** http or https, without user information. */
  readonly url: URL;
  readonly method: string;
  /** Everything that is sent, except `host` and `connection`. */
  readonly headers: Headers;
  readonly body?: Uint8Array | undefined;
  /** Ends the exchange at any time, also while the body of the answer comes. */
  readonly signal: AbortSignal;
  /**
   * Of the addresses that the name stands for (or the address itself, where the host is one), those that may be reached.
   * @throws StepwellError `address_refused` when there is none; to be passed on as it is.
   */
  permitted(addresses: readonly string[]): readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /**
   * As it came over the wire, still compressed; empty where there is none. Errors when the connection breaks before the
   * announced end. Cancelling it closes the connection.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Resolves the name once, asks `permitted`, and connects to one of the addresses that came back, never to another: a
 * name that answers differently a moment later changes nothing. TLS sees the name of the URL, for SNI and for the
 * certificate. Follows no redirects, uses no proxy, keeps no cookies.
 *
 * Rejects with whatever the runtime gives when the exchange fails; the guarded fetch says it in its own words.
 */
export type Dial = (exchange: Exchange) => Promise<Answer>;
