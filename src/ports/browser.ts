/** What renders the pages of `browser` steps. */

export interface Visit {
  /** http or https, without user information. */
  readonly url: string;
  /** CSS. Left out, the page is taken once it is quiet. */
  readonly waitForSelector?: string;
  /** What may be reached: everything that the page asks for, not only the page, goes to no other address. */
  readonly permitted: Permitted;
  /** Ends the visit at any moment, also while it waits for its turn. */
  readonly signal: AbortSignal;
}

/**
 * Of the addresses that a name stands for (or the address itself, where the host is one), those that may be reached.
 * @throws StepwellError `address_refused` when there is none.
 */
export type Permitted = (target: AddressTarget, addresses: readonly string[]) => readonly string[];

export interface AddressTarget {
  /** As in a URL. */
  readonly hostname: string;
  readonly port: number;
  /** How it is called in messages. */
  readonly name: string;
}

export interface Visited {
  readonly status: number;
  /** Where the page stands after all redirects, those of its scripts too. */
  readonly url: string;
  readonly title: string;
  /** Media type as it was sent; empty where there was none. */
  readonly contentType: string;
  /**
   * HTML as it is after the scripts have run; of text and JSON what was sent. Elements with an open shadow tree have in them
   * what is shown there, and `<div data-frame="URL">` with its body stands for a frame of the same site. Closed shadow trees,
   * and frames of other sites and in sandboxes, are out of reach.
   */
  readonly content: string;
  /** The header of that name. */
  readonly retryAfter: string | null;
}

export interface Browser {
  /**
   * Opens a page that nobody trusts, and gives what stands there: within limits of time, memory and traffic, apart from
   * all other pages, without cookies or anything else from before. Names are resolved once for a connection, which goes to
   * a permitted address or is not made. Pages beyond what can be open at once wait for their turn, in order.
   *
   * An answer that is no success (status 200 to 299) is given as it is, without waiting for the selector. Downloads,
   * windows, dialogs and service workers of the page come to nothing.
   * @throws BrowserError; the signal's reason once that is aborted; what `permitted` threw about the page itself
   */
  visit(visit: Visit): Promise<Visited>;
  /** Ends all visits as `canceled`, and leaves nothing running. */
  close(): Promise<void>;
}

/**
 * - `not_installed`: there is no browser, or no package to drive it; the message says what to install.
 * - `fetch_failed`: the page cannot be reached, or its answer broke off.
 * - `selector_not_found`: the page does not have what was waited for; `invalid`: no page can, it is no selector.
 * - `unsupported_content`: a download, or a type that is not text.
 * - `too_large`: memory, traffic or content over its limit.
 * - `timeout`: the page itself did not come in time.
 * - `page_crashed`, `browser_died`: what it says.
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

/** Why a page was not read, in words for the author of the step; without path and query, which may hold secrets. */
export class BrowserError extends Error {
  override readonly name = "BrowserError";
  readonly code: BrowserErrorCode;

  constructor(code: BrowserErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
