/** Loads pages for `browser` steps, with the host's browser or the guarded fetch. */
import { type Browser, BrowserError, type Permitted, type Visited } from "../../ports/browser.ts";
import { ExtractError, type Extractor } from "../../ports/extractor.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import { StepError } from "../step-error.ts";
import { fetchPage } from "./fetch-page.ts";

export interface PageRequest {
  readonly url: string;
  readonly waitForSelector: string | undefined;
  readonly signal: AbortSignal;
}

export interface WebPages {
  /** Whether scripts of pages are executed, so that a step can wait for a selector. */
  readonly areRendered: boolean;
  /** @throws StepError if the page cannot be loaded, and StepwellError `address_refused`. */
  open(request: PageRequest): Promise<Visited>;
  /** Extracts the main text as Markdown, without navigation and advertisements. @throws StepError */
  readable(page: Pick<Visited, "content" | "url">, signal: AbortSignal): Promise<string>;
}

/** Browser errors that are retried. */
const TRANSIENT_CODES = new Set(["fetch_failed", "timeout", "browser_died"]);

export function createWebPages(parts: {
  browser: Browser | undefined;
  fetch: GuardedFetch;
  permitted: Permitted;
  extractor(): Promise<Extractor>;
}): WebPages {
  const { browser, fetch, permitted, extractor } = parts;

  async function render(browser: Browser, { url, waitForSelector, signal }: PageRequest): Promise<Visited> {
    try {
      return await browser.visit({ url, permitted, signal, ...(waitForSelector !== undefined && { waitForSelector }) });
    } catch (error) {
      if (!(error instanceof BrowserError)) throw error;
      const { code, message } = error;
      throw new StepError(code, message, { retryable: TRANSIENT_CODES.has(code), cause: error });
    }
  }

  return {
    areRendered: browser !== undefined,
    async open(request) {
      if (browser !== undefined) return render(browser, request);
      if (request.waitForSelector === undefined) return fetchPage(fetch, request.url, request.signal);
      throw new StepError("not_installed", WITHOUT_BROWSER);
    },
    async readable({ content, url }, signal) {
      const bytes = new TextEncoder().encode(content);
      const document = { name: new URL(url).host, mime_type: "text/html; charset=utf-8", bytes, url };
      try {
        const request = { text: true, images: false, article: true };
        return (await (await extractor()).extract(document, request, { signal })).text ?? "";
      } catch (error) {
        if (!(error instanceof ExtractError)) throw error;
        throw new StepError(error.code === "damaged" ? "unreadable" : error.code, error.message, { cause: error });
      }
    },
  };
}

export const WITHOUT_BROWSER =
  "wait_for_selector needs a browser, and none is configured: pass " +
  "createStepwell({ browser: createPlaywrightBrowser() }).";
