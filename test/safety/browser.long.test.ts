/** Hostile pages in Chromium: resources they consume and traces they leave. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import type { Run, Step, StepOf } from "../../src/index.ts";
import type { Browser } from "../../src/ports/browser.ts";
import { pageRunning } from "../support/browser/outbound-requests.ts";
import { shareBrowser } from "../support/browser/shared-browser.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const executablePath = inject("headlessShell");
const site: Site = {};
let web: Web;
let service: Service | undefined;
/** A service with the default limits. */
let shared: Service;

beforeAll(async () => {
  web = await openWeb(site);
  shared = await openService({ net: web.net, browser: shareBrowser({ settleMs: 400 }), clock: quickClock(4) });
});
afterAll(async () => {
  await shared.stepwell.close();
  await web.close();
});
afterEach(async () => {
  await service?.stepwell.close();
  service = undefined;
});

async function visit(html: Site[string], more: Partial<Page> = {}): Promise<Run> {
  site["/page"] = html;
  return shared.run([input("in"), page(more)]);
}

/** With separate limits. */
async function visitWith(browser: Browser, html: Site[string], more: Partial<Page> = {}): Promise<Run> {
  site["/page"] = html;
  service = await openService({ net: web.net, browser, clock: quickClock(4) });
  return service.run([input("in"), page(more)]);
}

const page = (more: Partial<Page> = {}): Step => ({ key: "page", type: "browser", url: `${web.url}/page`, ...more });
type Page = Omit<StepOf<"browser">, "type">;

describe("reading a page that", () => {
  it("is a download fails with unsupported_content", async () => {
    const failed = await visit((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-disposition": "attachment; filename=a.html" });
      response.end("<p>x");
    });
    expect(failed.error).toMatchObject({ code: "unsupported_content" });
    expect(step(failed, "page").attempts).toBe(1);
  });

  it("starts a download returns its content and stores nothing", async () => {
    site["/file"] = (_, response) => void response.writeHead(200, { "content-disposition": "attachment" }).end("x");
    const html = `<a href="/file" download></a>`;
    const done = await visit(pageRunning("document.querySelector('a').click()", html));
    expect(done.output).toMatchObject({ title: "page", url: `${web.url}/page` });
  });

  it("opens windows without end returns its content", async () => {
    const done = await visit(pageRunning("setInterval(() => window.open('/page'), 5); onbeforeunload = () => 'stay'"));
    expect(done.output).toMatchObject({ title: "page" });
  });

  it("registers a service worker registers none", async () => {
    site["/sw.js"] = (_, response) => void response.setHeader("content-type", "text/javascript").end("");
    const before = web.requestedPaths.length;
    await visit(pageRunning("navigator.serviceWorker?.register('/sw.js')"));
    expect(web.requestedPaths.slice(before)).not.toContain("/sw.js");
  });

  it.each<[string, string]>([
    ["heap objects", "const all = []; while (true) all.push(new Array(1e5).fill(Math.random()))"],
    ["buffers", "const all = []; setInterval(() => all.push(new Uint8Array(64 << 20).fill(1)), 20)"],
  ])("fills the memory with %s fails, and the next page is read", async (_, script) => {
    const memoryBytes = 256 * 1024 * 1024;
    const browser = createPlaywrightBrowser({ executablePath, memoryBytes, timeoutMs: 600_000 });
    const failed = await visitWith(browser, pageRunning(`setTimeout(() => { ${script} }, 100)`), {
      wait_for_selector: "#never",
    });
    expect(failed.error?.code).toMatch(/too_large|page_crashed/);
    expect(step(failed, "page").attempts).toBe(1);
    site["/page"] = "<title>next</title>";
    const next = await service?.run([input("in"), page()]);
    expect(next?.output).toMatchObject({ title: "next" });
  });

  it("loads without end fails at the traffic limit", async () => {
    const failed = await visitWith(shareBrowser({ settleMs: 400, trafficBytes: 1_000_000 }), (request, response) => {
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

  it("exceeds the content limit fails, even if it overrides DOM properties", async () => {
    const script = `document.body.append("x".repeat(2_000_000));
      Object.defineProperty(Element.prototype, "outerHTML", { get: () => "small" });
      Object.defineProperty(document, "documentElement", { get: () => null })`;
    const failed = await visitWith(shareBrowser({ settleMs: 400, contentCharacters: 1_000_000 }), pageRunning(script));
    expect(failed.error).toMatchObject({ code: "too_large", message: expect.stringMatching(/2\d{6} characters/) });
  });

  it("shadows DOM properties with named elements returns its content", async () => {
    const names = ["documentElement", "doctype", "title"].map((name) => `<img name=${name}><form name=${name}></form>`);
    expect((await visit(`<title>page</title>${names.join("")}`)).output).toMatchObject({
      title: "page",
      content: expect.stringContaining("<form name"),
    });
  });

  it("is slow to convert to Markdown succeeds or fails at a limit", async () => {
    const rows = "<tr><td>a<td>b<td><a href=x>c</a></tr>".repeat(1_000);
    const done = await visit(`<title>t</title><table>${rows}</table>`, { strip_html: true });
    expect(done.error?.code ?? done.status).toMatch(/^(succeeded|too_large|timeout)$/);
  });
});
