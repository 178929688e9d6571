/** Web search in steps with any provider: failures, and errors at deployment. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { brave, searxng, tavily } from "../../adapters/search/index.ts";
import { createStepwell, defineService, type WebSearch } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { closing, json, KEY, provider, runSearch, search, service } from "../support/engine/web-searching.ts";
import { openServer } from "../support/servers/http-server.ts";

describe.each([
  ["SearXNG", (url: string, timeoutMs?: number) => searxng({ url, ...limit(timeoutMs) }), { results: [] }],
  ["Brave", (url: string, timeoutMs?: number) => brave({ key: KEY, url, ...limit(timeoutMs) }), { type: "search" }],
  ["Tavily", (url: string, timeoutMs?: number) => tavily({ key: KEY, url, ...limit(timeoutMs) }), { results: [] }],
] as const)("%s", (_, at, nothing) => {
  it("is retried after the time that Retry-After gives", async () => {
    const server = await provider((_, count) =>
      count === 1 ? { status: 429, headers: { "retry-after": "7" } } : json(nothing),
    );
    const clock = quickClock();
    const run = await runSearch(at(server.url), { query: "workflows" }, clock);
    expect(run.output).toEqual({ results: [] });
    expect(run.steps[0]?.attempts).toBe(2);
    expect(clock.count(7_000)).toBeGreaterThan(0);
  });

  it("is requested three times when it responds with 503", async () => {
    const server = await provider(() => ({ status: 503, body: "down" }));
    expect((await runSearch(at(server.url))).error?.message).toMatch(/responded with 503/);
    expect(server.received).toHaveLength(3);
  });

  it("is requested once when it rejects the API key, which is not revealed", async () => {
    const server = await provider(() => json({ detail: { error: `Unauthorized: ${KEY}` } }, 401));
    const run = await runSearch(at(server.url));
    expect(run.error?.message).toMatch(/responded with 401: it rejected the configured API key/);
    expect(JSON.stringify(run)).not.toContain(KEY);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["a web page", "<html>Welcome</html>"],
    ["another JSON format", '{"results":"none","web":7}'],
    ["a JSON string", '"results"'],
    ["truncated JSON", '{"results":[{"url":"https://exa'],
    ["nothing", ""],
  ])("is retried when it responds with %s", async (_, body) => {
    const server = await provider(() => ({ body }));
    expect((await runSearch(at(server.url))).error?.message).toMatch(/returned a response in an unknown format/);
    expect(server.received).toHaveLength(3);
  });

  it("fails on a redirect, which would leak the API key", async () => {
    const elsewhere = await provider(() => json(nothing));
    const server = await provider(() => ({ status: 302, headers: { location: elsewhere.url } }));
    expect((await runSearch(at(server.url))).error?.message).toMatch(/responded with 302, a redirect/);
    expect(elsewhere.received).toHaveLength(0);
  });

  it("times out and is retried when it doesn't respond", async () => {
    const server = await provider(() => new Promise(() => {}));
    const run = await runSearch(at(server.url, 50));
    expect(run.error?.message).toMatch(/did not respond within 50 ms/);
    expect(run.steps[0]?.attempts).toBe(3);
  });

  it.each([
    ["stalls in the middle of the response", () => undefined, /did not respond within 100 ms/, 100],
    [
      "drops the connection",
      (answer: ServerResponse) => void answer.destroy(),
      /the connection to it was lost/,
      undefined,
    ],
    [
      "sends 5 MB",
      (answer: ServerResponse) => void answer.end(" ".repeat(5_000_000)),
      /in an unknown format/,
      undefined,
    ],
  ])("fails after three attempts when it %s", async (_, fail, message, timeoutMs) => {
    const server = createServer((_, answer) => {
      answer.writeHead(200, { "content-type": "application/json" });
      answer.write('{"results":[', () => fail(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    const run = await runSearch(at(`http://127.0.0.1:${port}`, timeoutMs));
    expect(run.error?.message).toMatch(message);
    expect(run.steps[0]?.attempts).toBe(3);
  });

  it("fails as unreachable when nothing listens at its URL", async () => {
    const server = await openServer(() => ({}));
    await server.close();
    expect((await runSearch(at(server.url))).error?.message).toMatch(/is unreachable/);
  });

  it("is not requested again after the run is canceled", async () => {
    let came: () => void = () => undefined;
    const requested = new Promise<void>((resolve) => {
      came = resolve;
    });
    const server = await provider(() => {
      came();
      return new Promise(() => {});
    });
    const opened = await service({ webSearch: at(server.url) });
    const { id } = await opened.start([search({ query: "x" })]);
    await requested;
    await opened.stepwell.runs.cancel(opened.app, id);
    expect((await opened.wait(id)).status).toBe("canceled");
    expect(server.received).toHaveLength(1);
  });
});

const limit = (timeoutMs: number | undefined) => (timeoutMs === undefined ? {} : { timeoutMs });

describe("deploying a web search", () => {
  it("is rejected without a provider, and services.list doesn't contain web_search", async () => {
    const opened = await service({});
    await expect(opened.deploy([search({ query: "x" })])).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/0/service/service", message: expect.stringMatching(/not configured.*webSearch/) }],
    });
    expect((await opened.stepwell.services.list()).map(({ name }) => name)).not.toContain("web_search");
  });

  it("reports invalid query, count, language and site", async () => {
    const opened = await service({ webSearch: { search: async () => [] } });
    expect((await opened.stepwell.services.list()).map(({ name }) => name)).toContain("web_search");
    const wrong = { query: " ", count: 21, language: "German", site: "https://example.com/a" };
    const error = await opened.deploy([search(wrong)]).catch((reason: unknown) => reason);
    expect((error as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).toEqual(
      ["query", "count", "language", "site"].map((name) => `/steps/0/service/input/${name}`),
    );
  });
});

describe("constructing a web search provider", () => {
  it.each([
    ["a key with a line break", () => brave({ key: `${KEY}\n` })],
    ["no key", () => tavily({ key: "" })],
  ])("throws for %s without revealing it", (_, construct) => {
    expect(construct).toThrow(TypeError);
    expect(construct).not.toThrow(new RegExp(KEY));
  });

  it("throws for an invalid URL, an invalid provider, and a service named web_search", () => {
    expect(() => searxng({ url: "search.example.com" })).toThrow(/URL of SearXNG/);
    expect(() => createStepwell({ webSearch: {} as WebSearch })).toThrow(/webSearch/);
    const actions = { a: { input: none, output: none, run: () => ({}) } };
    expect(() => createStepwell({ services: [defineService({ name: "web_search", actions })] })).toThrow(/built-in/);
  });
});

const none = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as const;
