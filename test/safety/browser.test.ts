/** Pages that mean harm: what they reach, what they take, what they leave behind. With Chromium. */
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import type { Run, Step, StepOf } from "../../src/index.ts";
import type { Browser } from "../../src/ports/browser.ts";
import { shareBrowser, shareChromium } from "../support/browser/shared-browser.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const executablePath = inject("headlessShell");
const site: Site = {};
let web: Web;
const INSIDE: Site = { "/": "<title>inside</title>secret", "/worker.js": "postMessage(1)" };
/** Stands where no page may go. */
let inside: Web;
let service: Service | undefined;
/** Have neither time nor memory limited more than usual. */
let shared: Service;
let whole: Service;
/** Ways that a server of HTTP over TCP never sees, that are shut for all, or that the browser takes or leaves. */
const UNSEEN = new Set(["WebTransport", "windows"]);

beforeAll(async () => {
  web = await openWeb(site);
  inside = await openWeb(INSIDE);
  const open = (browser: Browser) => openService({ net: web.net, browser, clock: quickClock(4) });
  shared = await open(shareBrowser({ settle: 400 }));
  whole = await open(shareChromium({ settle: 400 }));
});
afterAll(async () => {
  await Promise.all([shared.stepwell.close(), whole.stepwell.close()]);
  await Promise.all([web.close(), inside.close()]);
});
afterEach(async () => {
  await service?.stepwell.close();
  service = undefined;
});

async function visit(html: Site[string], more: Partial<Page> = {}, by = shared): Promise<Run> {
  site["/page"] = html;
  return by.run([input("in"), page(more)]);
}

/** With limits of its own. */
async function visitWith(browser: Browser, html: Site[string], more: Partial<Page> = {}): Promise<Run> {
  site["/page"] = html;
  service = await openService({ net: web.net, browser, clock: quickClock(4) });
  return service.run([input("in"), page(more)]);
}

const page = (more: Partial<Page> = {}): Step => ({ key: "page", type: "browser", url: `${web.url}/page`, ...more });
type Page = Omit<StepOf<"browser">, "type">;

/** A page that does this, and says when it is through. */
const doing = (script: string, html = "") => `<title>page</title><body>${html}<script>${script}</script>`;

describe("what a page may not reach gets no connection:", () => {
  const there = () => `http://127.0.0.1:${inside.port}`;
  const other = () => `//127.0.0.1:${inside.port}`;

  const WAYS: [string, () => string][] = [
    [
      "images",
      () => `<img src="${there()}/"><img srcset="${there()}/ 2x"><picture><source srcset="${there()}/"></picture>`,
    ],
    [
      "styles and fonts",
      () =>
        `<link rel=stylesheet href="${there()}/"><style>@import "${there()}/"; body { background: url(${there()}/) }</style>`,
    ],
    [
      "scripts and modules",
      () => `<script src="${there()}/"></script><script type=module>import "${there()}/"</script>`,
    ],
    [
      "frames",
      () => `<iframe src="${there()}/"></iframe><object data="${there()}/"></object><embed src="${there()}/">`,
    ],
    [
      "frames of pages within the page",
      () =>
        `<iframe srcdoc='<img src="${there()}/">'></iframe><iframe src="data:text/html,<img src=${there()}/>"></iframe>`,
    ],
    [
      "prefetching",
      () =>
        `<link rel=prefetch href="${there()}/"><link rel=preconnect href="${there()}"><link rel=dns-prefetch href="${other()}"><link rel=preload as=image href="${there()}/"><link rel=modulepreload href="${there()}/">`,
    ],
    [
      "speculation",
      () =>
        // An address each: of two rules for one address the browser follows the first, which may be one that it refuses.
        `<script type=speculationrules>${JSON.stringify({
          prerender: [{ urls: [`${there()}/1`], eagerness: "immediate" }],
          prefetch: [
            { urls: [`${there()}/2`], eagerness: "immediate" },
            { urls: [`${there()}/3`], eagerness: "immediate", requires: ["anonymous-client-ip-when-cross-origin"] },
          ],
        })}</script>`,
    ],
    [
      "fetch and XHR",
      () =>
        doing(
          `fetch("${there()}/", { mode: "no-cors" }); const x = new XMLHttpRequest(); x.open("GET", "${there()}/"); x.send(); navigator.sendBeacon("${there()}/", "x")`,
        ),
    ],
    ["WebSockets and event streams", () => doing(`new WebSocket("ws:${other()}/"); new EventSource("${there()}/")`)],
    ["WebTransport", () => doing(`new WebTransport("https:${other()}/").ready.catch(() => {})`)],
    [
      "WebRTC",
      () =>
        doing(
          `const p = new RTCPeerConnection({ iceServers: [{ urls: ["stun:127.0.0.1:${inside.port}", "turn:127.0.0.1:${inside.port}?transport=tcp"], username: "u", credential: "c" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o))`,
        ),
    ],
    [
      "workers",
      () =>
        doing(
          `const blob = new Blob(["fetch('${there()}/', {mode:'no-cors'}); importScripts('${there()}/worker.js')"]); new Worker(URL.createObjectURL(blob)); new SharedWorker(URL.createObjectURL(blob))`,
        ),
    ],
    [
      "windows",
      () =>
        doing(
          `window.open("${there()}/"); const a = document.createElement("a"); a.href = "${there()}/"; a.target = "_blank"; document.body.append(a); a.click()`,
        ),
    ],
    [
      "forms",
      () =>
        doing(
          "document.forms[0].submit()",
          `<form action="${there()}/" target="frame"></form><iframe name=frame></iframe>`,
        ),
    ],
    [
      "media and icons",
      () =>
        `<link rel=icon href="${there()}/"><video src="${there()}/" poster="${there()}/" autoplay></video><audio src="${there()}/" autoplay></audio>`,
    ],
    [
      "the same by other names",
      () =>
        [
          "localhost",
          "0x7f.1",
          "2130706433",
          "127.1",
          "0",
          "[::1]",
          "[::ffff:127.0.0.1]",
          "127.0.0.1.",
          "LOCALHOST",
          "a.localhost",
        ]
          .map((host) => `<img src="http://${host}:${inside.port}/">`)
          .join(""),
    ],
  ];

  it.concurrent.for(WAYS)("%s", async ([name, html], { expect }) => {
    const target = await openWeb(INSIDE);
    const path = `/refused/${encodeURIComponent(name)}`;
    site[path] = html().replaceAll(String(inside.port), String(target.port));
    const { output } = await whole.run([input("in"), page({ url: web.url + path })]);
    expect(output).toMatchObject({ status: 200, url: web.url + path });
    expect(target.connections()).toBe(0);
    await target.close();
  });

  // Else these would be tests that cannot fail.
  it("and all of them would, where they may", async () => {
    const net = { allow: ["127.0.0.1", "localhost", "a.localhost"] };
    service = await openService({ net, browser: shareChromium({ settle: 1_000 }) });
    const { run } = service;
    await Promise.all(
      WAYS.filter(([name]) => !UNSEEN.has(name)).map(async ([name, html], at) => {
        const target = await openWeb(INSIDE);
        site[`/way/${at}`] = html().replaceAll(String(inside.port), String(target.port));
        // A busy browser may end a page before it has tried everything.
        const isSeen = async () => {
          await run([input("in"), page({ url: `${web.url}/way/${at}` })]);
          return target.connections() > 0;
        };
        await expect.poll(isSeen, { message: name }).toBe(true);
        await target.close();
      }),
    );
  });

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
    const { error } = await visit(page(), {}, whole);
    expect(error?.code).toMatch(/address_refused|fetch_failed/);
    expect(JSON.stringify(error)).not.toMatch(/secret|root:/);
    expect(inside.connections()).toBe(before);
  });

  it.each<[string, () => string]>([
    ["meta refresh", () => `<meta http-equiv=refresh content="0;url=${there()}/">`],
    ["location", () => doing(`location.href = "${there()}/"`)],
    ["location, later", () => doing(`setTimeout(() => { location.href = "${there()}/" }, 300)`)],
  ])("%s", async (_, page) => {
    const before = inside.connections();
    expect((await visit(page(), {}, whole)).error).toMatchObject({ code: "address_refused", step: "page" });
    expect(inside.connections()).toBe(before);
  });

  it("the page itself, which is told and not tried again", async () => {
    const failed = await visit("", { url: `${there()}/?token=abc` }, whole);
    expect(failed.error).toMatchObject({ code: "address_refused" });
    expect(failed.error?.message).not.toContain("abc");
    expect(step(failed, "page").attempts).toBe(1);
  });

  it("a name that leads elsewhere when it is asked again", async () => {
    const outside = await openWeb({}, "127.0.0.2", inside.port);
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [asked.length === 1 ? "127.0.0.2" : "127.0.0.1"];
    };
    const url = `http://rebinding.test:${inside.port}/page`;
    const before = inside.connections();
    const browser = shareChromium({ settle: 500 }, resolve);
    service = await openService({ net: outside.net, browser });
    outside.site["/page"] = (_, response) => {
      response.writeHead(200, { "content-type": "text/html", connection: "close" });
      response.end(doing("fetch('/').catch(() => { document.title = 'refused' })"));
    };
    const { output } = await service.run([input("in"), page({ url })]);
    expect(output).toMatchObject({ status: 200, url, title: "refused" });
    expect(asked.filter((name) => name === "rebinding.test").length).toBeGreaterThan(1);
    expect(inside.connections()).toBe(before);
    await outside.close();
  });
});

describe("what a page may reach it reaches:", () => {
  it("its own server, WebSockets too", async () => {
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
    site["/page"] = doing(`new WebSocket("ws://127.0.0.1:${port}/chat")`);
    service = await openService({
      net: { allow: [...web.net.allow, `127.0.0.1:${port}`] },
      browser: shareBrowser(),
    });
    await service.run([input("in"), page()]);
    expect(greeted).toMatch(/^GET \/chat HTTP\/1\.1[\s\S]*upgrade: websocket/i);
    socket.close();
  });
});

describe("a page that", () => {
  it.each<[string, string]>([
    ["asks without end", "while (true) alert(1)"],
    ["computes without end", "setTimeout(() => { while (true); }, 50)"],
    ["goes on to itself without end", "setTimeout(() => location.reload(), 10)"],
  ])("%s is given up in time, or taken as it is", async (_, script) => {
    const done = await visitWith(shareBrowser({ time: 400, settle: 200 }), doing(script));
    if (done.status === "failed") expect(done.error?.code).toMatch(/timeout|fetch_failed|browser_died/);
    else expect(done.output).toMatchObject({ title: "page" });
    // A browser that takes longer to close such a page than the page had is ended, whoever uses it by then.
    const next = async () => (await visit("<title>next</title>")).output;
    await expect.poll(next).toMatchObject({ title: "next" });
  });

  it("is a download is refused", async () => {
    const failed = await visit((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-disposition": "attachment; filename=a.html" });
      response.end("<p>x");
    });
    expect(failed.error).toMatchObject({ code: "unsupported_content" });
    expect(step(failed, "page").attempts).toBe(1);
  });

  it("starts a download is read, and nothing is downloaded", async () => {
    site["/file"] = (_, response) => void response.writeHead(200, { "content-disposition": "attachment" }).end("x");
    const html = `<a href="/file" download></a>`;
    const done = await visit(doing("document.querySelector('a').click()", html));
    expect(done.output).toMatchObject({ title: "page", url: `${web.url}/page` });
  });

  it("opens windows without end is read", async () => {
    const done = await visit(doing("setInterval(() => window.open('/page'), 5); onbeforeunload = () => 'stay'"));
    expect(done.output).toMatchObject({ title: "page" });
  });

  it("registers a service worker gets none", async () => {
    site["/sw.js"] = (_, response) => void response.setHeader("content-type", "text/javascript").end("");
    const before = web.asked.length;
    await visit(doing("navigator.serviceWorker?.register('/sw.js')"));
    expect(web.asked.slice(before)).not.toContain("/sw.js");
  });

  it.each<[string, string]>([
    ["the heap", "const all = []; while (true) all.push(new Array(1e5).fill(Math.random()))"],
    ["buffers", "const all = []; setInterval(() => all.push(new Uint8Array(64 << 20).fill(1)), 20)"],
  ])("fills the memory by %s is ended, and the next goes on", async (_, script) => {
    const memory = 256 * 1024 * 1024;
    const browser = createPlaywrightBrowser({ executablePath, memory, time: 600_000 });
    const failed = await visitWith(browser, doing(`setTimeout(() => { ${script} }, 100)`), {
      wait_for_selector: "#never",
    });
    expect(failed.error?.code).toMatch(/too_large|page_crashed/);
    expect(step(failed, "page").attempts).toBe(1);
    site["/page"] = "<title>next</title>";
    const next = await service?.run([input("in"), page()]);
    expect(next?.output).toMatchObject({ title: "next" });
  });

  it("loads without end is ended at its limit", async () => {
    const failed = await visitWith(shareBrowser({ settle: 400, traffic: 1_000_000 }), (request, response) => {
      response.setHeader("content-type", "text/html");
      const more = () => {
        while (!response.destroyed && response.write("<p>more</p>".repeat(1_000)));
        response.once("drain", more);
      };
      more();
      request.on("close", () => response.destroy());
    });
    expect(failed.error).toMatchObject({ code: "too_large", message: expect.stringContaining("1000000 bytes") });
  });

  it("is larger than may be given is refused, however it hides it", async () => {
    const script = `document.body.append("x".repeat(2_000_000));
      Object.defineProperty(Element.prototype, "outerHTML", { get: () => "small" });
      Object.defineProperty(document, "documentElement", { get: () => null })`;
    const failed = await visitWith(shareBrowser({ settle: 400, content: 1_000_000 }), doing(script));
    expect(failed.error).toMatchObject({ code: "too_large", message: expect.stringMatching(/2\d{6} characters/) });
  });

  it("puts other elements in the place of what is read is read all the same", async () => {
    const names = ["documentElement", "doctype", "title"].map((name) => `<img name=${name}><form name=${name}></form>`);
    expect((await visit(`<title>page</title>${names.join("")}`)).output).toMatchObject({
      title: "page",
      content: expect.stringContaining("<form name"),
    });
  });

  it("takes the reader of articles long is read, or ended by a limit", async () => {
    const rows = "<tr><td>a<td>b<td><a href=x>c</a></tr>".repeat(1_000);
    const done = await visit(`<title>t</title><table>${rows}</table>`, { strip_html: true });
    expect(done.error?.code ?? done.status).toMatch(/^(succeeded|too_large|timeout)$/);
  });
});
