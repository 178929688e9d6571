/** Renders pages in Chromium, controlled by Playwright. */
import process from "node:process";
import type { Browser } from "../../src/ports/browser.ts";
import { createBrowserPool } from "./browser-process.ts";
import { type BrowserLimits, limitsOf } from "./limits.ts";
import { renderPages } from "./render-pages.ts";
import { type Resolve, systemResolver } from "./socks-proxy.ts";

export type { BrowserLimits };

/** Options of the browser. */
export interface PlaywrightOptions extends Partial<BrowserLimits> {
  /** Path of Chromium or a browser based on it. @default searched for on the PATH and in the usual locations */
  readonly executablePath?: string;
  /**
   * Whether pages run in the browser's sandbox, which restricts what their processes may do.
   * @default true, except for root, for which Chromium doesn't support it
   */
  readonly sandbox?: boolean;
  /** Returns all IP addresses of a hostname. @default the resolver of the operating system */
  readonly resolve?: Resolve;
}

/**
 * Creates a browser for `browser` steps. Requires the package `playwright-core`. All pages share one browser process,
 * which starts with the first page. Each page has a separate context and a guarded proxy.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ browser: createPlaywrightBrowser() });
 * ```
 * @throws TypeError for an unknown option, or a limit that is not a positive number
 */
export function createPlaywrightBrowser(options: PlaywrightOptions = {}): Browser {
  const { executablePath, sandbox = process.getuid?.() !== 0, resolve = systemResolver, ...limitOptions } = options;
  const limits = limitsOf(limitOptions);
  const instances = createBrowserPool({ executablePath, sandbox }, limits);
  const browser = renderPages(instances, limits, resolve);

  return {
    visit: browser.visit,
    async close() {
      await browser.close();
      await instances.close();
    },
  };
}
