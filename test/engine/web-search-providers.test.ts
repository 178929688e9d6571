/** Providers of web search against their documented wire formats and errors. */
import { describe, expect, it } from "vitest";
import { brave, searxng, tavily } from "../../adapters/search/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { json, KEY, provider, runSearch } from "../support/engine/web-searching.ts";
import type { Reply } from "../support/servers/http-server.ts";
import { until } from "../support/until.ts";

describe("SearXNG", () => {
  it("is requested below its URL with the search parameters, and returns results", async () => {
    const server = await provider(() =>
      json({
        query: "site:example.com workflows",
        number_of_results: 0,
        results: [
          {
            url: "https://example.com/a",
            title: "A",
            content: "About A",
            engine: "duckduckgo",
            score: 1,
            category: "general",
          },
          { url: "https://example.com/b", title: "B" },
          { url: "https://example.com/c", title: "C", content: "About C" },
        ],
        answers: [],
        suggestions: [],
        unresponsive_engines: [],
      }),
    );
    const input = { query: "workflows", count: 2, language: "de", site: "example.com" };
    const run = await runSearch(searxng({ url: `${server.url}/searx/` }), input);
    expect(run.error).toBeNull();
    expect(run.output).toEqual({
      results: [
        { title: "A", url: "https://example.com/a", snippet: "About A" },
        { title: "B", url: "https://example.com/b", snippet: "" },
      ],
    });
    const [request] = server.received;
    const url = new URL(request?.path ?? "", server.url);
    expect([request?.method, url.pathname]).toEqual(["GET", "/searx/search"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "site:example.com workflows",
      format: "json",
      language: "de",
    });
  });

  it.each([
    ["DE", "de"],
    ["pt-br", "pt-BR"],
    ["zh-hant", "zh-TW"],
    ["sr-latn", "sr"],
  ])("maps the language %s to %s", async (language, code) => {
    const server = await provider(() => json({ query: "x", results: [], unresponsive_engines: [] }));
    await runSearch(searxng({ url: server.url }), { query: "x", language });
    expect(new URL(server.received[0]?.path ?? "", server.url).searchParams.get("language")).toBe(code);
  });

  it("fails and is retried when it finds nothing and some of its engines did not respond", async () => {
    const silent = {
      unresponsive_engines: [
        ["brave", "too many requests"],
        ["duckduckgo", "CAPTCHA"],
      ],
    };
    const server = await provider((_, count) => json({ query: "x", results: [], ...(count < 3 ? silent : {}) }));
    const run = await runSearch(searxng({ url: server.url }));
    expect([run.output, run.steps[0]?.attempts]).toEqual([{ results: [] }, 3]);
    const ever = await provider(() => json({ query: "x", results: [], ...silent }));
    expect((await runSearch(searxng({ url: ever.url }))).error?.message).toMatch(
      /returned no results.*"brave: too many requests, duckduckgo: CAPTCHA"/,
    );
  });

  it("reports the reason of a rejected search without a retry", async () => {
    const server = await provider(() => json({ error: 'Invalid value "tlhx" for parameter language' }, 400));
    const { error } = await runSearch(searxng({ url: server.url }));
    expect(error?.message).toMatch(/responded with 400: it rejected the search: "Invalid value/);
    expect(server.received).toHaveLength(1);
  });

  it("says how to enable JSON when the instance responds with 403", async () => {
    const server = await provider(() => ({ status: 403, body: "<h1>Forbidden</h1>" }));
    const { error } = await runSearch(searxng({ url: server.url }));
    expect(error?.message).toMatch(/SearXNG responded with 403.*search\.formats/);
    expect(server.received).toHaveLength(1);
  });
});

describe("Brave", () => {
  const refused = (status: number, error: Record<string, unknown>, headers = {}): Reply => ({
    ...json({ type: "ErrorResponse", error: { id: "ade84851-a6f3", status, ...error }, time: 1_773_685_964 }, status),
    headers: { "content-type": "application/json", ...headers },
  });

  it("is requested with the token header, and returns results as plain text", async () => {
    const server = await provider(() =>
      json({
        type: "search",
        query: { original: "workflows", is_navigational: false, country: "us", more_results_available: true },
        mixed: { type: "mixed", main: [{ type: "web", index: 0, all: false }], top: [], side: [] },
        web: {
          type: "search",
          family_friendly: true,
          results: [
            {
              type: "search_result",
              subtype: "generic",
              title: "A &amp; B",
              url: "https://example.com/a?x=1&y=2",
              is_source_local: false,
              is_source_both: false,
              description: "What <strong>workflows</strong> aren&#x27;t:  &lt;b&gt; and more…",
              page_age: "2026-01-15T10:00:00",
              profile: { name: "Example", url: "https://example.com", long_name: "example.com" },
              language: "en",
              family_friendly: true,
              meta_url: { scheme: "https", netloc: "example.com", hostname: "example.com", path: "› a" },
              age: "January 15, 2026",
            },
            { type: "search_result", title: "Mail", url: "mailto:a@example.com", description: "no page" },
          ],
        },
      }),
    );
    const input = { query: "workflows", language: "pt-BR", site: "example.com" };
    const run = await runSearch(brave({ key: KEY, url: server.url }), input);
    const snippet = "What workflows aren't: <b> and more…";
    expect(run.output).toEqual({ results: [{ title: "A & B", url: "https://example.com/a?x=1&y=2", snippet }] });
    const [request] = server.received;
    const url = new URL(request?.path ?? "", server.url);
    expect([request?.method, url.pathname]).toEqual(["GET", "/res/v1/web/search"]);
    expect(request?.headers["x-subscription-token"]).toBe(KEY);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "site:example.com workflows",
      count: "10",
      search_lang: "pt-br",
      result_filter: "web",
      text_decorations: "false",
    });
  });

  it.each([
    ["ja", "jp"],
    ["de-AT", "de"],
    ["zh", "zh-hans"],
    ["zh-TW", "zh-hant"],
    ["pt", "pt-br"],
    ["en-GB", "en-gb"],
    ["no", "nb"],
    ["tlh", "tlh"],
  ])("maps the language %s to %s", async (language, code) => {
    const server = await provider(() => json({ type: "search", query: { original: "x" } }));
    await runSearch(brave({ key: KEY, url: server.url }), { query: "x", language });
    expect(new URL(server.received[0]?.path ?? "", server.url).searchParams.get("search_lang")).toBe(code);
  });

  it.each([{}, { web: null }, { web: { type: "search", results: [] } }])(
    "returns no results for the response %j",
    async (found) => {
      const server = await provider(() => json({ type: "search", query: { original: "workflows" }, ...found }));
      expect((await runSearch(brave({ key: KEY, url: server.url }))).output).toEqual({ results: [] });
    },
  );

  it.each([
    ["characters", { query: "x".repeat(390), site: "example.com" }],
    ["words", { query: "x ".repeat(51) }],
  ])("is not requested with more %s than it accepts", async (_, input) => {
    const server = await provider(() => json({ type: "search" }));
    const { error } = await runSearch(brave({ key: KEY, url: server.url }), input);
    expect(error?.message).toMatch(/at most 400 characters and 50 words/);
    expect(server.received).toHaveLength(0);
  });

  it("reports a rejected API key, which it answers with 422", async () => {
    const detail = "The provided subscription token is invalid.";
    const error = { code: "SUBSCRIPTION_TOKEN_INVALID", detail, meta: { component: "authentication" } };
    const server = await provider(() => refused(422, error));
    expect((await runSearch(brave({ key: KEY, url: server.url }))).error?.message).toMatch(
      /responded with 422: it rejected the configured API key/,
    );
    expect(server.received).toHaveLength(1);
  });

  it("reports the reason of a rejected search without a retry", async () => {
    const detail = "Unable to validate request parameter(s)";
    const server = await provider(() => refused(422, { code: "VALIDATION", detail, meta: { errors: [] } }));
    const { error } = await runSearch(brave({ key: KEY, url: server.url }), { query: "x", language: "tlh" });
    expect(error?.message).toMatch(/responded with 422: it rejected the search: "Unable to validate/);
    expect(server.received).toHaveLength(1);
  });

  const limited = { code: "RATE_LIMITED", detail: "Request rate limit exceeded for plan", meta: { plan: "Free" } };

  it("is retried after the rate limit per second resets", async () => {
    const headers = {
      "x-ratelimit-limit": "1, 15000",
      "x-ratelimit-policy": "1;w=1, 15000;w=2592000",
      "x-ratelimit-remaining": "0, 1000",
      "x-ratelimit-reset": "2, 1419704",
    };
    const clock = quickClock(20);
    const requested: number[] = [];
    const server = await provider((_, count) => {
      requested.push(clock.now());
      return count === 1 ? refused(429, limited, headers) : json({ type: "search", query: { original: "x" } });
    });
    const run = await runSearch(brave({ key: KEY, url: server.url }), { query: "x" }, clock);
    expect([run.status, run.steps[0]?.attempts]).toEqual(["succeeded", 2]);
    expect(Math.max(...clock.waits)).toBeLessThan(1_419_704_000);
    const [first = 0, second = 0] = requested;
    expect(second - first).toBeGreaterThanOrEqual(2_000);
  });

  it.each([
    ["its headers", limited, { "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704" }],
    ["its code", { code: "QUOTA_LIMITED", detail: "Request quota limit exceeded for plan." }, {}],
  ])("is not retried when the monthly quota is used up, by %s", async (_, error, headers) => {
    const server = await provider(() => refused(429, error, headers));
    const run = await runSearch(brave({ key: KEY, url: server.url }));
    expect(run.error?.message).toMatch(/responded with 429: the plan's quota is exhausted/);
    expect(server.received).toHaveLength(1);
  });

  it("reports an API key without a subscription, including in the documented error format", async () => {
    const errors = [{ code: "SUBSCRIPTION_NOT_FOUND", detail: "No subscription found.", status: 404 }];
    const server = await provider(() => json({ type: "ErrorResponse", errors, time: 1_663_072_993 }, 404));
    const { error } = await runSearch(brave({ key: KEY, url: server.url }));
    expect(error?.message).toMatch(/responded with 404: the configured API key has no web search subscription/);
    expect(server.received).toHaveLength(1);
  });
});

describe("Tavily", () => {
  it("is requested with the API key as a bearer token, and returns results", async () => {
    const server = await provider(() =>
      json({
        query: "workflows",
        follow_up_questions: null,
        answer: null,
        images: [],
        results: [
          {
            url: "https://example.com/a",
            title: "A",
            content: "About <A> & B",
            score: 0.9,
            raw_content: null,
            favicon: "https://example.com/favicon.ico",
          },
        ],
        response_time: 1.2,
        request_id: "123e4567-e89b-12d3-a456-426614174111",
      }),
    );
    const run = await runSearch(tavily({ key: KEY, url: server.url }), {
      query: "workflows",
      count: 3,
      site: "example.com",
    });
    expect(run.output).toEqual({ results: [{ title: "A", url: "https://example.com/a", snippet: "About <A> & B" }] });
    const [request] = server.received;
    expect([request?.method, request?.path, request?.headers.authorization]).toEqual([
      "POST",
      "/search",
      `Bearer ${KEY}`,
    ]);
    expect(JSON.parse(request?.body ?? "")).toEqual({
      query: "workflows",
      max_results: 3,
      include_domains: ["example.com"],
    });
  });

  it.each([
    [432, "This request exceeds your plan's set usage limit.", /responded with 432: the usage limit of the API key/],
    [433, "This request exceeds the pay-as-you-go limit.", /responded with 433: the pay-as-you-go limit/],
    [
      400,
      `Query is too long, ${KEY}. Max query length is 400 characters.`,
      /responded with 400: .*"Query is too long, …\./,
    ],
    [401, "Unauthorized: missing or invalid API key.", /responded with 401: it rejected the configured API key/],
  ])("reports the meaning of %i without a retry", async (status, error, message) => {
    const server = await provider(() => json({ detail: { error } }, status));
    const run = await runSearch(tavily({ key: KEY, url: server.url }));
    expect(run.error?.message).toMatch(message);
    expect(JSON.stringify(run)).not.toContain(KEY);
    expect(server.received).toHaveLength(1);
  });

  it("is retried after a minute when Retry-After says so", async () => {
    const error = "Your request has been blocked due to excessive requests. Please reduce the rate of requests.";
    const server = await provider((_, count) =>
      count === 1
        ? { ...json({ detail: { error } }, 429), headers: { "retry-after": "60" } }
        : json({ query: "x", results: [], response_time: 0.1 }),
    );
    const clock = quickClock();
    const searching = runSearch(tavily({ key: KEY, url: server.url }), { query: "x" }, clock);
    // The time limit of a search, and the pause after it.
    await until(() => clock.count(60_000) >= 2);
    clock.fire(60_000);
    expect((await searching).output).toEqual({ results: [] });
  });
});
