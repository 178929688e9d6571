/** Web search in steps: each provider by the wire format that it documents, and the ways in which it can fail. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { brave, searxng, tavily } from "../../adapters/search/index.ts";
import {
  createStepwell,
  defineService,
  type JsonObject,
  type Options,
  type Step,
  type WebSearch,
} from "../../src/index.ts";
import { quickClock } from "./quick-clock.ts";
import { openServer, type Received, type Reply } from "./server.ts";
import { openService } from "./service.ts";

type QuickClock = ReturnType<typeof quickClock>;

const KEY = "tvly-a-key-that-nobody-may-see";
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function provider(answer: (received: Received, count: number) => Reply | Promise<Reply>) {
  let count = 0;
  const server = await openServer((received) => answer(received, ++count));
  closing.push(() => server.close());
  return server;
}

/** Tries have three seconds here, and the waits between them are as much shorter. */
async function service(options: Options, clock = quickClock(20)) {
  const opened = await openService({ clock, ...options });
  closing.push(() => opened.stepwell.close());
  return opened;
}

const search = (input: JsonObject): Step => ({
  type: "service",
  key: "found",
  service: { service: "web_search", action: "search", input },
});

async function searched(webSearch: WebSearch, input: JsonObject = { query: "workflows" }, clock?: QuickClock) {
  return (await service({ webSearch }, clock)).run([search(input)]);
}

describe("SearXNG", () => {
  it("is asked at its address, wherever it is mounted, and gives pages", async () => {
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
    const run = await searched(searxng({ url: `${server.url}/searx/` }), input);
    expect(run.error).toBeNull();
    expect(run.output).toEqual({
      results: [
        { title: "A", url: "https://example.com/a", snippet: "About A" },
        { title: "B", url: "https://example.com/b", snippet: "" },
      ],
    });
    const [asked] = server.received;
    const url = new URL(asked?.path ?? "", server.url);
    expect([asked?.method, url.pathname]).toEqual(["GET", "/searx/search"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "site:example.com workflows",
      format: "json",
      language: "de",
    });
  });

  it("says what to do where its instance gives no JSON", async () => {
    const server = await provider(() => ({ status: 403, body: "<h1>Forbidden</h1>" }));
    const { error } = await searched(searxng({ url: server.url }));
    expect(error?.message).toMatch(/SearXNG answered 403.*search\.formats/);
    expect(server.received).toHaveLength(1);
  });
});

describe("Brave", () => {
  it("is asked with the token in its header", async () => {
    const server = await provider(() =>
      json({
        type: "search",
        query: { original: "workflows" },
        web: {
          type: "search",
          results: [
            {
              type: "search_result",
              title: "A",
              url: "https://example.com/a",
              description: "About A",
              age: "2 days ago",
            },
            { type: "search_result", title: "Mail", url: "mailto:a@example.com", description: "no page" },
          ],
        },
      }),
    );
    const input = { query: "workflows", language: "pt-BR", site: "example.com" };
    const run = await searched(brave({ key: KEY, url: server.url }), input);
    expect(run.output).toEqual({ results: [{ title: "A", url: "https://example.com/a", snippet: "About A" }] });
    const [asked] = server.received;
    const url = new URL(asked?.path ?? "", server.url);
    expect([asked?.method, url.pathname]).toEqual(["GET", "/res/v1/web/search"]);
    expect(asked?.headers["x-subscription-token"]).toBe(KEY);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "site:example.com workflows",
      count: "10",
      search_lang: "pt-br",
      result_filter: "web",
      text_decorations: "false",
    });
  });

  it("gives nothing where nothing was found", async () => {
    const server = await provider(() => json({ type: "search", query: { original: "workflows" } }));
    expect((await searched(brave({ key: KEY, url: server.url }))).output).toEqual({ results: [] });
  });
});

describe("Tavily", () => {
  it("is asked with the key as a bearer", async () => {
    const server = await provider(() =>
      json({
        query: "workflows",
        answer: null,
        images: [],
        results: [{ title: "A", url: "https://example.com/a", content: "About A", score: 0.9, raw_content: null }],
        response_time: "1.2",
      }),
    );
    const run = await searched(tavily({ key: KEY, url: server.url }), {
      query: "workflows",
      count: 3,
      site: "example.com",
    });
    expect(run.output).toEqual({ results: [{ title: "A", url: "https://example.com/a", snippet: "About A" }] });
    const [asked] = server.received;
    expect([asked?.method, asked?.path, asked?.headers.authorization]).toEqual(["POST", "/search", `Bearer ${KEY}`]);
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      query: "workflows",
      max_results: 3,
      include_domains: ["example.com"],
    });
  });

  it("says when its limit is reached, and does not ask again", async () => {
    const server = await provider(() => json({ detail: { error: "This request exceeds your plan" } }, 432));
    expect((await searched(tavily({ key: KEY, url: server.url }))).error?.message).toMatch(
      /Tavily answered 432.*limit/,
    );
    expect(server.received).toHaveLength(1);
  });
});

describe.each([
  ["SearXNG", (url: string, timeout?: number) => searxng({ url, ...limit(timeout) }), { results: [] }],
  ["Brave", (url: string, timeout?: number) => brave({ key: KEY, url, ...limit(timeout) }), { type: "search" }],
  ["Tavily", (url: string, timeout?: number) => tavily({ key: KEY, url, ...limit(timeout) }), { results: [] }],
] as const)("%s", (_, at, nothing) => {
  it("is asked again after as long as it says", async () => {
    const server = await provider((_, count) =>
      count === 1 ? { status: 429, headers: { "retry-after": "7" } } : json(nothing),
    );
    const clock = quickClock(20);
    const run = await searched(at(server.url), { query: "workflows" }, clock);
    expect(run.output).toEqual({ results: [] });
    expect(run.steps[0]?.attempts).toBe(2);
    expect(clock.waits).toContain(7_000);
  });

  it("that has an off day is asked three times", async () => {
    const server = await provider(() => ({ status: 503, body: "down" }));
    expect((await searched(at(server.url))).error?.message).toMatch(/answered 503/);
    expect(server.received).toHaveLength(3);
  });

  it("that refuses the key is asked once, and the key is not told", async () => {
    const server = await provider(() => json({ detail: { error: `Unauthorized: ${KEY}` } }, 401));
    const run = await searched(at(server.url));
    expect(run.error?.message).toMatch(/answered 401: it does not accept the key/);
    expect(JSON.stringify(run)).not.toContain(KEY);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["a page", "<html>Welcome</html>"],
    ["another format", '{"results":"none","web":7}'],
    ["a text", '"results"'],
    ["half of it", '{"results":[{"url":"https://exa'],
    ["nothing", ""],
  ])("that answers %s has failed, and is asked again", async (_, body) => {
    const server = await provider(() => ({ body }));
    expect((await searched(at(server.url))).error?.message).toMatch(/gave an answer that is none of its format/);
    expect(server.received).toHaveLength(3);
  });

  it("is not followed elsewhere, where the key would come along", async () => {
    const elsewhere = await provider(() => json(nothing));
    const server = await provider(() => ({ status: 302, headers: { location: elsewhere.url } }));
    expect((await searched(at(server.url))).error?.message).toMatch(/answered 302, a redirect/);
    expect(elsewhere.received).toHaveLength(0);
  });

  it("that is slow is given up", async () => {
    const server = await provider(() => new Promise(() => {}));
    expect((await searched(at(server.url, 50))).error?.message).toMatch(/gave no answer within 50 ms/);
    expect(server.received).toHaveLength(3);
  });

  it.each([
    ["stops in the middle of the answer is given up", () => undefined, /gave no answer within 300 ms/],
    ["breaks off is told so", (answer: ServerResponse) => void answer.destroy(), /the line to it broke/],
    [
      "has no end of it is told so",
      (answer: ServerResponse) => void answer.end(" ".repeat(5_000_000)),
      /none of its format/,
    ],
  ])("that %s", async (_, goOn, message) => {
    let asked = 0;
    const server = createServer((_, answer) => {
      asked++;
      answer.writeHead(200, { "content-type": "application/json" });
      answer.write('{"results":[', () => goOn(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    expect((await searched(at(`http://127.0.0.1:${port}`, 300))).error?.message).toMatch(message);
    expect(asked).toBe(3);
  });

  it("that is not there is told so", async () => {
    const server = await openServer(() => ({}));
    await server.close();
    expect((await searched(at(server.url))).error?.message).toMatch(/cannot be reached/);
  });

  it("ends with a run that is canceled", async () => {
    let came: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      came = resolve;
    });
    const server = await provider(() => {
      came();
      return new Promise(() => {});
    });
    const opened = await service({ webSearch: at(server.url) });
    const { id } = await opened.start([search({ query: "x" })]);
    await asked;
    await opened.stepwell.runs.cancel(opened.app, id);
    expect((await opened.wait(id)).status).toBe("canceled");
    expect(server.received).toHaveLength(1);
  });
});

const limit = (timeout: number | undefined) => (timeout === undefined ? {} : { timeout });

describe("a deployment", () => {
  it("says that there is no provider, and the list of services does not name it", async () => {
    const opened = await service({});
    await expect(opened.deploy([search({ query: "x" })])).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/0/service/service", message: expect.stringMatching(/no provider.*webSearch/) }],
    });
    expect((await opened.stepwell.services.list()).map(({ name }) => name)).not.toContain("web_search");
  });

  it("checks what is searched for", async () => {
    const opened = await service({ webSearch: { search: async () => [] } });
    expect((await opened.stepwell.services.list()).map(({ name }) => name)).toContain("web_search");
    const wrong = { query: " ", count: 21, language: "German", site: "https://example.com/a" };
    const error = await opened.deploy([search(wrong)]).catch((reason: unknown) => reason);
    expect((error as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).toEqual(
      ["query", "count", "language", "site"].map((name) => `/steps/0/service/input/${name}`),
    );
  });
});

describe("at construction", () => {
  it.each([
    ["a key with a line break", () => brave({ key: `${KEY}\n` })],
    ["no key", () => tavily({ key: "" })],
  ])("refuses %s without telling it", (_, construct) => {
    expect(construct).toThrow(TypeError);
    expect(construct).not.toThrow(new RegExp(KEY));
  });

  it("refuses what is no address, no provider, or a service in its place", () => {
    expect(() => searxng({ url: "search.example.com" })).toThrow(/address of SearXNG/);
    expect(() => createStepwell({ webSearch: {} as WebSearch })).toThrow(/webSearch/);
    const actions = { a: { input: none, output: none, run: () => ({}) } };
    expect(() => createStepwell({ services: [defineService({ name: "web_search", actions })] })).toThrow(/built-in/);
  });
});

const none = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as const;
