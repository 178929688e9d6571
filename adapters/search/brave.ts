/** Web search by Brave (https://api-dashboard.search.brave.com/api-reference/web/search/get). */
import { isRecord } from "../../src/json.ts";
import { type WebSearch, WebSearchError } from "../../src/ports/web-search.ts";
import { MINUTE_MS } from "../../src/time/units.ts";
import { type ErrorMeaning, quoteReason, type RefusedResponse } from "./errors.ts";
import { plainText } from "./plain-text.ts";
import { addressOf, checkKey, type ProviderOptions, requestJson, resultsOf } from "./request.ts";

/** Options of {@link brave}. */
export interface BraveOptions extends ProviderOptions {
  /** The API key (subscription token). */
  readonly key: string;
  /** Base URL of the API. @default "https://api.search.brave.com" */
  readonly url?: string;
}

const PROVIDER = "Brave Search";
/** Limits of the parameter `q`, including the site. */
const MAX_QUERY_CHARS = 400;
const MAX_QUERY_WORDS = 50;
/** Milliseconds. If no search is allowed for longer than this, the monthly quota is exhausted, not the rate limit. */
const MAX_QUOTA_WAIT_MS = MINUTE_MS;

/** Values of `search_lang`. The API rejects others with 422. */
const LANGUAGES = new Set(
  (
    "ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb " +
    "pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi"
  ).split(" "),
);
/** BCP 47 tags for which the API uses other codes, or which need a default variant. */
const LANGUAGE_CODES: Readonly<Record<string, string>> = {
  ja: "jp",
  no: "nb",
  pt: "pt-br",
  zh: "zh-hans",
  "zh-hk": "zh-hant",
  "zh-tw": "zh-hant",
};

/** Creates a Brave Search provider. @throws TypeError for an invalid key or URL */
export function brave(options: BraveOptions): WebSearch {
  const { key, url: base = "https://api.search.brave.com" } = options;
  checkKey(PROVIDER, key);
  const address = addressOf(PROVIDER, base, "res/v1/web/search");
  return {
    async search({ query, count, language, site }, signal) {
      const url = new URL(address);
      url.searchParams.set("q", queryOf(query, site));
      url.searchParams.set("count", String(count));
      url.searchParams.set("result_filter", "web");
      url.searchParams.set("text_decorations", "false");
      if (language !== undefined) url.searchParams.set("search_lang", languageOf(language));
      const init = { headers: { accept: "application/json", "x-subscription-token": key } };
      const meaning = (refused: RefusedResponse) => meaningOf(refused, key);
      const answer = await requestJson({ provider: PROVIDER, url, init, options, signal, meaning });
      // The API omits `web` if there are no results.
      const web = isRecord(answer) && answer["type"] === "search" ? (answer["web"] ?? { results: [] }) : null;
      const found = resultsOf(isRecord(web) ? web["results"] : null, "description", count, PROVIDER);
      // Even without decorations, texts contain HTML entities such as `&#x27;`.
      return found.map(({ title, url, snippet }) => ({ title: plainText(title), url, snippet: plainText(snippet) }));
    },
  };
}

/** @throws WebSearchError if the query exceeds the API's limits. */
function queryOf(query: string, site: string | undefined): string {
  const whole = site === undefined ? query : `site:${site} ${query}`;
  if (whole.length <= MAX_QUERY_CHARS && whole.split(/\s+/).length <= MAX_QUERY_WORDS) return whole;
  const most = `${MAX_QUERY_CHARS} characters and ${MAX_QUERY_WORDS} words`;
  throw new WebSearchError(`${PROVIDER} accepts queries of at most ${most}, including the site.`);
}

function languageOf(tag: string): string {
  const code = tag.toLowerCase();
  const [primary = code] = code.split("-");
  const known = [LANGUAGE_CODES[code], code, LANGUAGE_CODES[primary], primary].find(
    (one) => one !== undefined && LANGUAGES.has(one),
  );
  return known ?? code;
}

function meaningOf({ status, headers, body }: RefusedResponse, key: string): ErrorMeaning | undefined {
  const { code, detail } = errorOf(body);
  if (code === "SUBSCRIPTION_TOKEN_INVALID") return { what: "it rejected the configured API key." };
  if (code === "SUBSCRIPTION_NOT_FOUND") return { what: "the configured API key has no web search subscription." };
  if (status === 422) return { what: `it rejected the search: ${quoteReason(detail, key) ?? "no reason given"}.` };
  if (status !== 429) return undefined;
  const wait = quotaResetMs(headers);
  const isUsedUp = code === "QUOTA_LIMITED" || (wait !== undefined && wait > MAX_QUOTA_WAIT_MS);
  if (isUsedUp) return { what: "the plan's quota is exhausted.", retryable: false };
  return { what: "the rate limit is exceeded.", retryAfterMs: wait };
}

/** The API's schema and responses use `error`, but its documentation's examples use `errors`. */
function errorOf(body: unknown): Record<string, unknown> {
  const { error, errors } = isRecord(body) ? body : {};
  return [error, ...(Array.isArray(errors) ? errors : [])].find(isRecord) ?? {};
}

/** Parses the plan's limits in seconds: `X-RateLimit-Remaining: 0, 1200` and `X-RateLimit-Reset: 1, 1419704`. */
function quotaResetMs(headers: Headers): number | undefined {
  const numbers = (name: string) => (headers.get(name) ?? "").split(",").map((text) => Number.parseInt(text, 10));
  const left = numbers("x-ratelimit-remaining");
  const usedUp = numbers("x-ratelimit-reset").filter((seconds, at) => seconds >= 0 && left[at] === 0);
  return usedUp.length === 0 ? undefined : usedUp.reduce((longest, seconds) => Math.max(longest, seconds)) * 1_000;
}
