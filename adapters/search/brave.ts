/** Web search by Brave (https://api-dashboard.search.brave.com/app/documentation/web-search). */
import { isRecord } from "../../src/json.ts";
import type { WebSearch } from "../../src/ports/web-search.ts";
import { addressOf, ask, checkKey, type ProviderOptions, resultsOf } from "./exchange.ts";

export interface BraveOptions extends ProviderOptions {
  /** The subscription token. */
  readonly key: string;
  /** @default "https://api.search.brave.com" */
  readonly url?: string;
}

const PROVIDER = "Brave Search";
const REFUSED = "it does not accept the search, or the key that the host gave.";

/** @throws TypeError for a key that cannot be one, or what is no address */
export function brave(options: BraveOptions): WebSearch {
  const { key, url: base = "https://api.search.brave.com" } = options;
  checkKey(PROVIDER, key);
  const address = addressOf(PROVIDER, base, "res/v1/web/search");
  return {
    async search({ query, count, language, site }, signal) {
      const url = new URL(address);
      url.searchParams.set("q", site === undefined ? query : `site:${site} ${query}`);
      url.searchParams.set("count", String(count));
      url.searchParams.set("result_filter", "web");
      url.searchParams.set("text_decorations", "false"); // else snippets are HTML
      if (language !== undefined) url.searchParams.set("search_lang", language.toLowerCase());
      const init = { headers: { accept: "application/json", "x-subscription-token": key } };
      const answer = await ask({ provider: PROVIDER, url, init, options, signal, statuses: { 422: REFUSED } });
      // Where nothing was found there is no `web`.
      const web = isRecord(answer) && answer["type"] === "search" ? (answer["web"] ?? { results: [] }) : null;
      return resultsOf(isRecord(web) ? web["results"] : null, "description", count, PROVIDER);
    },
  };
}
