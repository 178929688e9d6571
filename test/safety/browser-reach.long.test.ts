/** Addresses that pages cannot reach, in Chromium and its headless shell. */
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Run, Step, StepOf } from "../../src/index.ts";
import { OUTBOUND_REQUESTS, pageRunning } from "../support/browser/outbound-requests.ts";
import { shareBrowser, shareChromium } from "../support/browser/shared-browser.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const site: Site = {};
let web: Web;
const INSIDE: Site = { "/": "<title>inside</title>secret", "/worker.js": "postMessage(1)" };
/** A server at a forbidden address. */
let inside: Web;
/** A service with the default limits. */
let shared: Service;
const services: Service[] = [];

beforeAll(async () => {
  web = await openWeb(site);
  inside = await openWeb(INSIDE);
  shared = await openService({ net: web.net, browser: shareChromium({ settleMs: 400 }), clock: quickClock(4) });
});
afterEach(async () => {
  await Promise.all(services.splice(0).map(({ stepwell }) => stepwell.close()));
});
afterAll(async () => {
  await shared.stepwell.close();
  await Promise.all([web.close(), inside.close()]);
});

async function open(options: Parameters<typeof openService>[0]): Promise<Service> {
  const service = await openService(options);
  services.push(service);
  return service;
}

async function visit(html: Site[string], more: Partial<Page> = {}): Promise<Run> {
  site["/page"] = html;
  return shared.run([input("in"), page(more)]);
}

type Page = Omit<StepOf<"browser">, "type">;
const page = (more: Partial<Page> = {}): Step => ({ key: "page", type: "browser", url: `${web.url}/page`, ...more });

const BROWSERS: [name: string, share: typeof shareBrowser][] = [
  ["Chromium", shareChromium],
  ["its headless shell", shareBrowser],
];

describe.each(BROWSERS)("a page in %s cannot connect to a forbidden address by", (_, share) => {
  /** Kinds of requests that an HTTP server over TCP never sees, that are always blocked, or that the browser may not use. */
  const UNSEEN = new Set(["WebTransport", "windows"]);
  const names = Object.keys(OUTBOUND_REQUESTS);

  /** A page that sends every kind of request, each to a separate server. */
  async function openTargets() {
    const targets = new Map(await Promise.all(names.map(async (name) => [name, await openWeb(INSIDE)] as const)));
    const pieces = [...targets].map(([name, { port }]) => OUTBOUND_REQUESTS[name]?.(`127.0.0.1:${port}`, port));
    site["/targets"] = `<title>page</title><body>${pieces.join("")}`;
    return {
      /** The kinds of requests whose server got a connection. */
      reached: () => names.filter((name) => targets.get(name)?.connections() !== 0),
      close: () => Promise.all([...targets.values()].map((target) => target.close())),
    };
  }
  const visitBy = (service: Service) => service.run([input("in"), page({ url: `${web.url}/targets` })]);
  const browser = () => share({ settleMs: 1_000 });

  let refused: Awaited<ReturnType<typeof openTargets>>;
  let run: Run;
  beforeAll(async () => {
    refused = await openTargets();
    const service = await openService({ net: web.net, browser: browser() });
    run = await visitBy(service);
    await service.stepwell.close();
  });
  afterAll(() => refused.close());

  it.each(names)("%s", (name) => {
    expect(run.output).toMatchObject({ status: 200, url: `${web.url}/targets`, title: "page" });
    expect(refused.reached()).not.toContain(name);
  });

  // Without this, the tests above could not fail.
  it("any of these requests, all of which work for a permitted address", async () => {
    const targets = await openTargets();
    const service = await open({ net: { allow: ["127.0.0.1", "localhost", "a.localhost"] }, browser: browser() });
    // A busy browser may close a page before it has tried all requests.
    const reached = async () => {
      await visitBy(service);
      return targets.reached();
    };
    const seen = names.filter((name) => !UNSEEN.has(name));
    await expect.poll(reached).toEqual(expect.arrayContaining(seen));
    await targets.close();
  });
});

it.each(BROWSERS)("a status without a readable page is returned as such by %s", async (_, share) => {
  const browser = share({ settleMs: 300 });
  const { signal } = new AbortController();
  const read = (page: Site[string]) => {
    site["/page"] = page;
    return browser.visit({ url: `${web.url}/page`, permitted: (_, addresses) => addresses, signal });
  };
  const answer =
    (status: number, headers: Record<string, string>, body = ""): Site[string] =>
    (_, response) =>
      void response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
  const locked = (scheme: string) => answer(401, { "www-authenticate": scheme }, "<p>x");

  for (const scheme of ['Basic realm="x"', 'Digest realm="x", nonce="y"', "NTLM"]) {
    expect(await read(locked(scheme))).toMatchObject({ status: 401, content: "" });
  }
  expect(await read(locked("Bearer"))).toMatchObject({ status: 401, content: expect.stringContaining("<p>x</p>") });
  site["/locked"] = locked("Basic");
  const statusPage = { status: 401, content: "", url: `${web.url}/locked` };
  expect(await read(pageRunning("location.href = '/locked'"))).toMatchObject(statusPage);
  expect(await read(answer(503, { "retry-after": "7" }))).toMatchObject({ status: 503, retryAfter: "7" });
  await browser.close();
});

describe("a page cannot be led to a forbidden address by", () => {
  const there = () => `http://127.0.0.1:${inside.port}`;

  it.each<[string, () => Site[string]]>([
    ["a redirect", () => (_, response) => void response.writeHead(302, { location: `${there()}/` }).end()],
    [
      "two redirects",
      () => (request, response) => {
        const next = request.url === "/page" ? "/page?2" : `${there()}/`;
        response.writeHead(307, { location: next }).end();
      },
    ],
    [
      "a redirect to a file",
      () => (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    ],
  ])("%s", async (_, page) => {
    const before = inside.connections();
    const { error } = await visit(page());
    expect(error?.code).toMatch(/address_refused|fetch_failed/);
    expect(JSON.stringify(error)).not.toMatch(/secret|root:/);
    expect(inside.connections()).toBe(before);
  });

  it.each<[string, () => string]>([
    ["meta refresh", () => `<meta http-equiv=refresh content="0;url=${there()}/">`],
    ["location", () => pageRunning(`location.href = "${there()}/"`)],
    ["location, later", () => pageRunning(`setTimeout(() => { location.href = "${there()}/" }, 300)`)],
  ])("%s", async (_, page) => {
    const before = inside.connections();
    expect((await visit(page())).error).toMatchObject({ code: "address_refused", step: "page" });
    expect(inside.connections()).toBe(before);
  });

  it("its own URL, which fails without a retry", async () => {
    const failed = await visit("", { url: `${there()}/?token=abc` });
    expect(failed.error).toMatchObject({ code: "address_refused" });
    expect(failed.error?.message).not.toContain("abc");
    expect(step(failed, "page").attempts).toBe(1);
  });

  it("a host name that resolves differently the second time", async () => {
    const outside = await openWeb({}, "127.0.0.2", inside.port);
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return [resolved.length === 1 ? "127.0.0.2" : "127.0.0.1"];
    };
    const url = `http://rebinding.test:${inside.port}/page`;
    const before = inside.connections();
    const service = await open({ net: outside.net, browser: shareChromium({ settleMs: 500 }, resolve) });
    outside.site["/page"] = (_, response) => {
      response.writeHead(200, { "content-type": "text/html", connection: "close" });
      response.end(pageRunning("fetch('/').catch(() => { document.title = 'refused' })"));
    };
    const { output } = await service.run([input("in"), page({ url })]);
    expect(output).toMatchObject({ status: 200, url, title: "refused" });
    expect(resolved.filter((name) => name === "rebinding.test").length).toBeGreaterThan(1);
    expect(inside.connections()).toBe(before);
    await outside.close();
  });
});

describe("a page can connect", () => {
  it("to its own server, including with WebSockets", async () => {
    let greeted = "";
    const socket = createServer((line) => {
      line.on("error", () => undefined);
      line.on("data", (piece) => {
        greeted += piece.toString("latin1");
        line.end("HTTP/1.1 400 no\r\n\r\n");
      });
    });
    await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
    const bound = socket.address();
    const port = typeof bound === "object" ? bound?.port : undefined;
    site["/page"] = pageRunning(`new WebSocket("ws://127.0.0.1:${port}/chat")`);
    const net = { allow: [...web.net.allow, `127.0.0.1:${port}`] };
    const service = await open({ net, browser: shareBrowser() });
    await service.run([input("in"), page()]);
    expect(greeted).toMatch(/^GET \/chat HTTP\/1\.1[\s\S]*upgrade: websocket/i);
    socket.close();
  });
});
