/** Limits for the pages of a browser. */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";

/** Limits of the pages of a browser. */
export interface BrowserLimits {
  /** Timeout of a page in milliseconds, from when it leaves the queue. Default: 30,000. */
  readonly timeoutMs: number;
  /**
   * Maximum milliseconds to wait, after the HTML has loaded, until frames have loaded and the network is idle for half a
   * second. Afterwards Stepwell reads the page in its current state. Only for pages without a selector to wait for.
   * Default: 5,000.
   */
  readonly settleMs: number;
  /**
   * Maximum memory of a page process of the browser, in bytes. A process that exceeds it is killed. JavaScript may use
   * half of it. On systems without `/proc`, only JavaScript is limited. Default: 512 MiB.
   */
  readonly memoryBytes: number;
  /** Maximum bytes sent and received over the connections of one page. Default: 50 MiB. */
  readonly trafficBytes: number;
  /** Maximum length of the returned HTML in characters. Default: 10,485,760. */
  readonly contentCharacters: number;
  /** Maximum open pages. Further ones are queued. Default: 4. */
  readonly concurrentPages: number;
  /** Number of pages after which Stepwell restarts the browser, to limit leaks. Default: 100. */
  readonly pagesPerBrowser: number;
  /** Milliseconds without a page after which the browser closes. The next page launches a new one. Default: 60,000. */
  readonly idleMs: number;
}

const DEFAULT_LIMITS: BrowserLimits = {
  timeoutMs: 30_000,
  settleMs: 5_000,
  memoryBytes: 512 * MEBIBYTE,
  trafficBytes: 50 * MEBIBYTE,
  contentCharacters: 10 * MEBIBYTE,
  concurrentPages: 4,
  pagesPerBrowser: 100,
  idleMs: 60_000,
};

/** Other options of `createPlaywrightBrowser`, for the error message. */
const OTHER_OPTIONS = ["executablePath", "sandbox", "resolve"];

/** @throws TypeError if a limit is unknown or not a positive number. */
export function limitsOf(options: Partial<BrowserLimits>): BrowserLimits {
  const limits = { ...DEFAULT_LIMITS, ...options };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw new TypeError(
        `${name} is not a browser option. Available: ${[...OTHER_OPTIONS, ...Object.keys(DEFAULT_LIMITS)].join(", ")}.`,
      );
    }
    if (!(typeof limit === "number" && limit > 0))
      throw new TypeError(`${name} must be a positive number, not ${limit}.`);
  }
  return limits;
}
