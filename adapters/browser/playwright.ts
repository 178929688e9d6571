/** Renders pages in Chromium, driven by Playwright. */
import process from "node:process";
import type { Browser } from "../../src/ports/browser.ts";
import { createBrowserPool } from "./browser-process.ts";
import { type BrowserLimits, limitsOf } from "./limits.ts";
import { renderPages } from "./render-pages.ts";
import { type Resolve, systemResolver } from "./socks-proxy.ts";

export type { BrowserLimits };

export interface PlaywrightOptions extends Partial<BrowserLimits> {
  /** The program of Chromium or of a browser built on it. Left out, one is looked for on the PATH and in the usual places. */
  readonly executablePath?: string;
  /**
   * Whether pages run in the sandbox of the browser, which takes their processes most of what the system allows others.
   * @default true, but for root, whom Chromium lets run none
   */
  readonly sandbox?: boolean;
  /** All addresses that a name stands for. Left out, the resolver of the operating system. */
  readonly resolve?: Resolve;
}

/**
 * Makes what `browser` steps render their pages with; takes the package `playwright-core`. One browser is started with
 * the first page and shared by all; each page has a context and a guarded way out of its own.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ browser: createPlaywrightBrowser() });
 * ```
 * @throws TypeError for a limit that is no positive number
 */
export function createPlaywrightBrowser(options: PlaywrightOptions = {}): Browser {
  const { executablePath, sandbox = process.getuid?.() !== 0, resolve = systemResolver, ...given } = options;
  const limits = limitsOf(given);
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
