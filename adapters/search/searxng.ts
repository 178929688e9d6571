/** Web search by a SearXNG instance (https://docs.searxng.org/dev/search_api.html). */
import { isRecord } from "../../src/json.ts";
import { type WebSearch, WebSearchError } from "../../src/ports/web-search.ts";
import { type ErrorMeaning, quoteReason, type RefusedResponse } from "./errors.ts";
import { addressOf, type ProviderOptions, requestJson, resultsOf } from "./request.ts";

/** Options of {@link searxng}. */
export interface SearxngOptions extends ProviderOptions {
  /** Base URL of the instance, whose settings must list `json` in `search.formats`. */
  readonly url: string;
}

const PROVIDER = "SearXNG";
const FORBIDDEN = "its settings.yml does not list json in search.formats, or its limiter blocked the request.";
/** SearXNG distinguishes regions, not scripts. */
const REGIONS: Readonly<Record<string, string>> = { "zh-hans": "zh-CN", "zh-hant": "zh-TW" };

/**
 * Creates a SearXNG provider. It drops results beyond `count`, because SearXNG has no parameter for it. A search fails
 * if it has no results and some engines did not respond.
 * @throws TypeError for an invalid URL
 */
export function searxng(options: SearxngOptions): WebSearch {
  const address = addressOf(PROVIDER, options.url, "search");
  return {
    async search({ query, count, language, site }, signal) {
      const url = new URL(address);
      url.searchParams.set("q", site === undefined ? query : `site:${site} ${query}`);
      url.searchParams.set("format", "json");
      if (language !== undefined) url.searchParams.set("language", languageOf(language));
      const init = { headers: { accept: "application/json" } };
      const answer = await requestJson({ provider: PROVIDER, url, init, options, signal, meaning: meaningOf });
      const { results = null, unresponsive_engines: silent } = isRecord(answer) ? answer : {};
      const found = resultsOf(results, "content", count, PROVIDER);
      if (found.length === 0 && Array.isArray(silent) && silent.length > 0) throw noEngine(silent);
      return found;
    },
  };
}

/** Returns a SearXNG language such as `de`, `de-AT` or `fil`. */
function languageOf(tag: string): string {
  const code = tag.toLowerCase();
  const [primary = code, region = ""] = code.split("-");
  return REGIONS[code] ?? (region.length === 2 ? `${primary}-${region.toUpperCase()}` : primary);
}

function meaningOf({ status, body }: RefusedResponse): ErrorMeaning | undefined {
  if (status === 403) return { what: FORBIDDEN };
  const detail = status === 400 && isRecord(body) ? quoteReason(body["error"]) : undefined;
  return detail === undefined ? undefined : { what: `it rejected the search: ${detail}.` };
}

/** @param silent Engines that did not respond, such as `[["brave", "too many requests"]]`. */
function noEngine(silent: readonly unknown[]): WebSearchError {
  const names = silent.map((one) => (Array.isArray(one) ? one.map(String).join(": ") : String(one))).join(", ");
  const message = `${PROVIDER} returned no results, and these engines did not respond: ${quoteReason(names) ?? "unnamed"}.`;
  return new WebSearchError(message, { retryable: true });
}
