/** The built-in service `web_search`, available if the option `webSearch` is set. */
import * as v from "valibot";
import { omitUndefined } from "../../json.ts";
import { type WebSearch, WebSearchError } from "../../ports/web-search.ts";
import { list } from "../../schema.ts";
import { defineService, RetryableError } from "../define-service.ts";

const MAX_RESULTS = 20;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

export type WebSearchService = ReturnType<typeof webSearch>;

export function webSearch(provider: WebSearch) {
  return defineService({
    name: "web_search",
    title: "Web search",
    actions: {
      search: {
        title: "Search the web",
        description: "Returns web pages, best match first, with their titles, URLs and snippets.",
        input: v.strictObject({
          query: v.pipe(v.string(), v.trim(), v.minLength(1, "Must not be empty."), v.maxLength(400)),
          count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_RESULTS)), 10),
          language: v.optional(
            v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[a-z]{2,4})?$/i, "Must be a language tag such as en or pt-br.")),
          ),
          site: v.optional(
            v.pipe(v.string(), v.maxLength(253), v.regex(HOST, "Must be a host name such as example.com.")),
          ),
        }),
        output: v.object({
          results: list(v.object({ title: v.string(), url: v.string(), snippet: v.string() })),
        }),
        async run({ query, count, language, site }, { signal }) {
          const wanted = omitUndefined({ query, count, language, site });
          try {
            return { results: [...(await provider.search(wanted, signal))].slice(0, count) };
          } catch (error) {
            if (!(error instanceof WebSearchError) || !error.retryable) throw error;
            const { message, retryAfterMs } = error;
            throw new RetryableError(message, { retryAfterMs });
          }
        },
      },
    },
  });
}
