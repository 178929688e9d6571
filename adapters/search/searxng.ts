/** Web search by a SearXNG instance (https://docs.searxng.org/dev/search_api.html). */
import { isRecord } from "../../src/json.ts";
import { type WebSearch, WebSearchError } from "../../src/ports/web-search.ts";
import { type ErrorMeaning, quoteReason, type RefusedResponse } from "./errors.ts";
import { addressOf, type ProviderOptions, requestJson, resultsOf } from "./request.ts";

export interface SearxngOptions extends ProviderOptions {
  /** Of the instance, which must have `json` among `search.formats` in its settings. */
  readonly url: string;
}

const PROVIDER = "SearXNG";
const FORBIDDEN = "its settings.yml does not list json in search.formats, or its limiter blocked the request.";
/** It has regions and no scripts. */
const REGIONS: Readonly<Record<string, string>> = { "zh-hans": "zh-CN", "zh-hant": "zh-TW" };

/**
 * It has no number of results: those beyond `count` are left out. Where nothing was found and engines of the instance gave
 * no answer, the search has failed: nobody knows whether there is nothing.
 * @throws TypeError for what is no address
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

/** `de`, `de-AT`, `fil`. */
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

/** `[["brave", "too many requests"]]` */
function noEngine(silent: readonly unknown[]): WebSearchError {
  const names = silent.map((one) => (Array.isArray(one) ? one.map(String).join(": ") : String(one))).join(", ");
  const message = `${PROVIDER} found nothing, and these engines did not respond: ${quoteReason(names) ?? "unnamed"}.`;
  return new WebSearchError(message, { retryable: true });
}
