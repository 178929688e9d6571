/** What web search steps ask: an index of the web that the host has access to. */

export interface WebQuery {
  /** 1 to 400 characters. */
  readonly query: string;
  /** Results at the most, 1 to 20. */
  readonly count: number;
  /** The language that results should be in (BCP 47): `en`, `pt-br`, `zh-hant`. A provider takes the nearest that it has. */
  readonly language?: string;
  /** The host that results must come from: `example.com`. */
  readonly site?: string;
}

export interface WebResult {
  readonly title: string;
  /** http or https. */
  readonly url: string;
  /** Plain text; empty where there is none. */
  readonly snippet: string;
}

export interface WebSearch {
  /**
   * Best first; no more than were asked for.
   * @throws WebSearchError when there is no answer; the reason of the signal when it aborts
   */
  search(query: WebQuery, signal: AbortSignal): Promise<readonly WebResult[]>;
}

export interface WebSearchErrorDetails {
  /** Whether another try may go better. */
  readonly retryable?: boolean;
  /** Milliseconds to wait before it, where the provider said so. */
  readonly retryAfterMs?: number | undefined;
}

/** Why a search gave no answer, in words that hold no key. */
export class WebSearchError extends Error {
  override readonly name = "WebSearchError";
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryable = false, retryAfterMs }: WebSearchErrorDetails = {}) {
    super(message);
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}
