/** Web search by a SearXNG instance (https://docs.searxng.org/dev/search_api.html). */
import { isRecord } from "../../src/json.ts";
import type { WebSearch } from "../../src/ports/web-search.ts";
import { addressOf, ask, type ProviderOptions, resultsOf } from "./exchange.ts";

export interface SearxngOptions extends ProviderOptions {
  /** Of the instance, which must have `json` among `search.formats` in its settings. */
  readonly url: string;
}

const PROVIDER = "SearXNG";
const FORBIDDEN = "JSON is not among search.formats in its settings.yml, or its limiter keeps us out.";

/**
 * It has no number of results: those beyond `count` are left out.
 * @throws TypeError for what is no address
 */
export function searxng(options: SearxngOptions): WebSearch {
  const address = addressOf(PROVIDER, options.url, "search");
  return {
    async search({ query, count, language, site }, signal) {
      const url = new URL(address);
      url.searchParams.set("q", site === undefined ? query : `site:${site} ${query}`);
      url.searchParams.set("format", "json");
      if (language !== undefined) url.searchParams.set("language", language);
      const init = { headers: { accept: "application/json" } };
      const answer = await ask({ provider: PROVIDER, url, init, options, signal, statuses: { 403: FORBIDDEN } });
      return resultsOf(isRecord(answer) ? answer["results"] : null, "content", count, PROVIDER);
    },
  };
}
