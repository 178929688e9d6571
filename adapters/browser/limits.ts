/** How much the pages of a browser may take. */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";

export interface BrowserLimits {
  /** Milliseconds for one page, from its turn to its end. Default: 30,000. */
  readonly timeoutMs: number;
  /**
   * Milliseconds that a page without a selector to wait for may go on after its HTML has come, until its connections are
   * quiet for half a second; then it is taken as it is. Default: 5,000.
   */
  readonly settleMs: number;
  /**
   * Bytes of memory of one of the browser's processes for pages: the one that goes over it is ended. JavaScript may have half
   * of it. On systems without `/proc` only JavaScript is limited. Default: 512 MiB.
   */
  readonly memoryBytes: number;
  /** Bytes that go over the connections of one page, to it and from it. Default: 50 MiB. */
  readonly trafficBytes: number;
  /** Characters of the HTML that is given. Default: 10 Mi. */
  readonly contentCharacters: number;
  /** Pages that are open at once; more wait for their turn. Default: 4. */
  readonly concurrentPages: number;
  /** Pages after which the browser is replaced by a new one, so that nothing piles up in it. Default: 100. */
  readonly pagesPerBrowser: number;
  /** Milliseconds without a page after which the browser is closed; the next page starts it anew. Default: 60,000. */
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

/** What else a browser is made with. */
const OTHERS = ["executablePath", "sandbox", "resolve"];

/** @throws TypeError for a limit that is no positive number, or that there is not */
export function limitsOf(given: Partial<BrowserLimits>): BrowserLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, most] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw new TypeError(
        `${name} is not a browser option. Available: ${[...OTHERS, ...Object.keys(DEFAULT_LIMITS)].join(", ")}.`,
      );
    }
    if (!(typeof most === "number" && most > 0)) throw new TypeError(`${name} must be a positive number, not ${most}.`);
  }
  return limits;
}
