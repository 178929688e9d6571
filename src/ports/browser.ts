/** Renders pages for `browser` steps. */

export interface Visit {
  /** http or https, without credentials. */
  readonly url: string;
  /** CSS selector. If omitted, the page is read once its network is idle. */
  readonly waitForSelector?: string;
  /** Filters the addresses that the page may connect to, for itself and all its requests. */
  readonly permitted: Permitted;
  /** Cancels the visit at any time, even while it is queued. */
  readonly signal: AbortSignal;
}

/**
 * Returns which of the addresses that a hostname resolves to may be connected to. If the host is an IP address, it is
 * the only one.
 * @throws StepwellError `address_refused` if none is permitted.
 */
export type Permitted = (target: AddressTarget, addresses: readonly string[]) => readonly string[];

/** The host and port that a page wants to connect to. */
export interface AddressTarget {
  /** As in a URL. */
  readonly hostname: string;
  /** From 1 to 65,535; the default of the scheme if the URL has none. */
  readonly port: number;
  /** Name in error messages. */
  readonly name: string;
}

/** The content of a page. */
export interface Visited {
  /** HTTP status of the page itself, after redirects. */
  readonly status: number;
  /** URL after all redirects, including those by scripts. */
  readonly url: string;
  /** Title of the document, or empty. */
  readonly title: string;
  /** The `Content-Type` header, or empty. */
  readonly contentType: string;
  /**
   * The HTML after scripts have run. For text and JSON, the response body. Elements with an open shadow tree contain
   * its content. A frame of the same site becomes `<div data-frame="URL">` with the content of its body. Closed shadow
   * trees, and frames that are sandboxed or belong to other sites, are omitted.
   */
  readonly content: string;
  /** The `Retry-After` header, or null. */
  readonly retryAfter: string | null;
  /** All response headers, by lowercase name. They become part of the step's error. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads web pages. */
export interface Browser {
  /**
   * Opens an untrusted page and returns its content. The visit has limits on time, memory and traffic. It is isolated
   * from all other pages, and starts without cookies or other stored data. Each hostname is resolved once per
   * connection, which uses only a permitted address. Visits beyond the maximum number of open pages are queued in
   * order.
   *
   * An unsuccessful response (status other than 200 to 299) is returned as is, without waiting for the selector.
   * Downloads, popups, dialogs and service workers are blocked.
   * @throws BrowserError, the signal's reason if it aborts, or what `permitted` threw for the page itself.
   */
  visit(visit: Visit): Promise<Visited>;
  /** Ends all visits with `canceled` and closes the browser. */
  close(): Promise<void>;
}

/**
 * - `not_installed`: no browser, or the package that controls it is missing; the message says what to install.
 * - `fetch_failed`: the page cannot be reached, or the connection was lost.
 * - `selector_not_found`: no element matched the selector in time. `invalid`: it is not a valid selector.
 * - `unsupported_content`: a download, or a type that is not text.
 * - `too_large`: the limit for memory, traffic or content was exceeded.
 * - `timeout`: the page did not load in time.
 * - `page_crashed`, `browser_died`: the page or the browser crashed.
 * - `canceled`: the browser is closed.
 */
export type BrowserErrorCode =
  | "not_installed"
  | "fetch_failed"
  | "selector_not_found"
  | "invalid"
  | "unsupported_content"
  | "too_large"
  | "timeout"
  | "page_crashed"
  | "browser_died"
  | "canceled";

/**
 * A page could not be read. The message addresses the author of the step and omits path and query, which may contain
 * secrets.
 */
export class BrowserError extends Error {
  /** Always `BrowserError`. */
  override readonly name = "BrowserError";
  /** Why the page could not be read. */
  readonly code: BrowserErrorCode;

  constructor(code: BrowserErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
