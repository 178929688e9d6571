/** Web search by Tavily (https://docs.tavily.com/documentation/api-reference/endpoint/search). */
import { isRecord } from "../../src/json.ts";
import type { WebSearch } from "../../src/ports/web-search.ts";
import { type ErrorMeaning, quoteReason, type RefusedResponse } from "./errors.ts";
import { addressOf, checkKey, type ProviderOptions, requestJson, resultsOf } from "./request.ts";

/** Options of {@link tavily}. */
export interface TavilyOptions extends ProviderOptions {
  /** The API key, `tvly-…`. */
  readonly key: string;
  /** Base URL of the API. @default "https://api.tavily.com" */
  readonly url?: string;
}

const PROVIDER = "Tavily";

/**
 * Creates a Tavily provider. Tavily doesn't support languages, so `language` has no effect.
 * @throws TypeError for an invalid key or URL
 */
export function tavily(options: TavilyOptions): WebSearch {
  const { key, url: base = "https://api.tavily.com" } = options;
  checkKey(PROVIDER, key);
  const url = addressOf(PROVIDER, base, "search");
  return {
    async search({ query, count, site }, signal) {
      const body = { query, max_results: count, include_domains: site === undefined ? undefined : [site] };
      const headers = {
        accept: "application/json",
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
      };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const meaning = (refused: RefusedResponse) => meaningOf(refused, key);
      const answer = await requestJson({ provider: PROVIDER, url, init, options, signal, meaning });
      return resultsOf(isRecord(answer) ? answer["results"] : null, "content", count, PROVIDER);
    },
  };
}

function meaningOf({ status, body }: RefusedResponse, key: string): ErrorMeaning | undefined {
  if (status === 432) return { what: "the usage limit of the API key or its plan is reached." };
  if (status === 433) return { what: "the pay-as-you-go limit is reached." };
  if (status !== 400 && status !== 422) return undefined;
  // `{ "detail": { "error": "…" } }`
  const detail = isRecord(body) && isRecord(body["detail"]) ? quoteReason(body["detail"]["error"], key) : undefined;
  return detail === undefined ? undefined : { what: `it rejected the search: ${detail}.` };
}
