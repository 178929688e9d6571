/** Web search, for the steps that use it. */

/** A search. */
export interface WebQuery {
  /** 1 to 400 characters. */
  readonly query: string;
  /** Maximum number of results, 1 to 20. */
  readonly count: number;
  /**
   * Preferred language of the results (BCP 47): `en`, `pt-br`, `zh-hant`. A provider uses the closest that it supports.
   */
  readonly language?: string;
  /** Host that results must belong to: `example.com`. */
  readonly site?: string;
}

/** A page that a search found. */
export interface WebResult {
  /** Title of the page, as plain text. */
  readonly title: string;
  /** http or https. */
  readonly url: string;
  /** Plain text, or empty. */
  readonly snippet: string;
}

/** Searches the web. */
export interface WebSearch {
  /**
   * Returns results, best first, and at most as many as requested.
   * @throws WebSearchError if the search fails, or the signal's reason if it aborts.
   */
  search(query: WebQuery, signal: AbortSignal): Promise<readonly WebResult[]>;
}

/** Details of a {@link WebSearchError}. */
export interface WebSearchErrorDetails {
  /** Whether the error is transient. */
  readonly retryable?: boolean;
  /** Milliseconds to wait before a retry, if the provider specified it. */
  readonly retryAfterMs?: number | undefined;
}

/** A search failed. The message contains no key. */
export class WebSearchError extends Error {
  /** Always `WebSearchError`. */
  override readonly name = "WebSearchError";
  /** Whether the error is transient. */
  readonly retryable: boolean;
  /** Milliseconds to wait before a retry; undefined for the default backoff. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryable = false, retryAfterMs }: WebSearchErrorDetails = {}) {
    super(message);
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}
