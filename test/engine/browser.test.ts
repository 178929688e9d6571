/** `browser` steps with Chromium and without a browser. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import type { JsonObject, Run, Step, StepOf } from "../../src/index.ts";
import type { Browser } from "../../src/ports/browser.ts";
import { all, browsers } from "../support/browser/browser-processes.ts";
import { shareBrowser } from "../support/browser/shared-browser.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const executablePath = inject("headlessShell");
const DAY = 86_400_000;
const LOREM =
  "Wells that are stepped let people come down to the water, however low it stands in the dry months. ".repeat(4);
const ARTICLE = `<!doctype html><html><head><title>On stepwells</title></head><body>
  <nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
  <div class="ad banner">Buy one, get one</div>
  <article><h2>Why steps</h2><p>${LOREM}</p><p>It is <b>deep</b>; <a href="more?x=1">read more</a>. ${LOREM}</p>
  <pre><code class="language-js">const depth = 1;\n  go(depth);</code></pre>
  <table><thead><tr><th>Place</th><th>Steps</th></tr></thead><tbody><tr><td>Chand | Baori</td><td>3,500</td></tr></tbody></table>
  <ul><li>one</li><li>two</li></ul><p>${LOREM}</p></article>
  <aside>Related: buckets</aside><footer>© the well</footer><script>var no = "script text";</script></body></html>`;

let flaky = 0;
const SITE: Site = {
  "/plain": "<title>Plain &amp; simple</title><p>words</p>",
  "/article": ARTICLE,
  "/scripted": `<title>before</title><body><script>
    fetch("/data").then((answer) => answer.json()).then(({ name }) => {
      document.title = "after"; document.body.append("Hello " + name);
    })</script>`,
  "/data": (_, response) => response.setHeader("content-type", "application/json").end('{"name":"Ada"}'),
  "/later": `<title>t</title><body><script>
    setTimeout(() => { document.body.innerHTML = '<b id="done" class="x y">now</b>' }, 200)</script>`,
  "/later-restless": `<title>t</title><body><img src=/never><p></p><script>
    setTimeout(() => { document.querySelector("p").innerHTML = '<b id="done" class="x y">now</b>' }, 200)</script>`,
  "/moved": (_, response) => response.writeHead(302, { location: "/plain" }).end(),
  "/script-moved": "<script>location.replace('/plain#there')</script>",
  "/500": (_, response) => response.writeHead(500, { "content-type": "text/html" }).end("<title>Broken down</title>"),
  "/flaky": (_, response) =>
    ++flaky % 2 === 1
      ? response.writeHead(503, { "retry-after": "0" }).end()
      : response.end("<title>well again</title>"),
  "/json": (_, response) => response.setHeader("content-type", "application/json").end('{ "a": "<b>" }'),
  "/text": (_, response) => response.setHeader("content-type", "text/plain").end("a < b"),
  "/pdf": (_, response) => response.setHeader("content-type", "application/pdf").end("%PDF-1.4"),
  "/image": (_, response) => response.setHeader("content-type", "image/png").end("\x89PNG"),
  "/latin": (_, response) =>
    response
      .setHeader("content-type", "text/html")
      .end(Buffer.from("<meta charset=windows-1252><title>caf\xe9 \x80</title>", "latin1")),
  "/cookies": (request, response) =>
    response
      .setHeader("set-cookie", "seen=1")
      .setHeader("content-type", "text/html")
      .end(`<p>${request.headers.cookie ?? "none"}`),
  "/never": () => undefined,
  "/half": (_, response) =>
    void response.setHeader("content-type", "text/html").write(`<title>half</title><p>${"x".repeat(2000)}`),
  "/restless": "<title>restless</title><p>words</p><img src=/never>",
};

let web: Web;
beforeAll(async () => {
  web = await openWeb(SITE);
});
afterAll(() => web.close());

type Page = Partial<Omit<StepOf<"browser">, "type">>;
const pageStep = ({ url = "/", ...more }: Page): Step => ({
  key: "page",
  ...more,
  type: "browser",
  url: url.startsWith("/") ? web.url + url : url,
});
const run = (service: Service, page: Page, given: JsonObject = {}): Promise<Run> =>
  service.run([input("in"), pageStep(page)], given);

const clock = quickClock(4);
const MODES = ["with Chromium", "without a browser"] as const;

describe.each(MODES)("a browser step %s", (mode) => {
  let service: Service;
  beforeAll(async () => {
    const browser = mode === "with Chromium" ? { browser: shareBrowser({ settleMs: 50 }) } : {}; // these pages are static
    service = await openService({ net: web.net, clock, ...browser });
  });
  afterAll(() => service.stepwell.close());

  it("returns status, URL, title and HTML", async () => {
    const { output } = await run(service, { url: "{{ input.where }}/plain" }, { where: web.url });
    expect(output).toMatchObject({ status: 200, url: `${web.url}/plain`, title: "Plain & simple" });
    expect(output).toHaveProperty("content", expect.stringContaining("<p>words</p>"));
  });

  it("follows redirects and returns the final URL", async () => {
    expect((await run(service, { url: "/moved" })).output).toMatchObject({ url: `${web.url}/plain`, status: 200 });
  });

  it("returns the main content as Markdown with strip_html", async () => {
    const { output } = await run(service, { url: "/article", strip_html: true });
    expect(output).toMatchObject({ title: "On stepwells", url: `${web.url}/article` });
    const { content } = output as { content: string };
    expect(content.replaceAll(LOREM.trim(), "LOREM").trim()).toBe(
      [
        "## Why steps",
        "LOREM",
        `It is **deep**; [read more](${web.url}/more?x=1). LOREM`,
        "```js\nconst depth = 1;\n  go(depth);\n```",
        "| Place | Steps |\n| --- | --- |\n| Chand \\| Baori | 3,500 |",
        "-   one\n-   two",
        "LOREM",
      ].join("\n\n"),
    );
  });

  it("strips short pages, too", async () => {
    expect((await run(service, { url: "/plain", strip_html: true })).output).toMatchObject({ content: "words" });
  });

  it.each([
    ["/nowhere", "responded with 404: Not here"],
    ["/500", "responded with 500: Broken down"],
  ])("fails with http_status for %s", async (url, message) => {
    const { error } = await run(service, { url });
    expect(error).toMatchObject({ code: "http_status", step: "page", message: expect.stringContaining(message) });
  });

  it("retries after 503", async () => {
    flaky = 0;
    const done = await run(service, { url: "/flaky" });
    expect(step(done, "page").attempts).toBe(2);
    expect(done.output).toMatchObject({ title: "well again" });
  });

  it.each([
    ["/json", '{ "a": "<b>" }'],
    ["/text", "a < b"],
  ])("returns the body of %s unchanged, with and without strip_html", async (url, content) => {
    for (const strip_html of [false, true]) {
      expect((await run(service, { url, strip_html })).output).toEqual({
        ...{ status: 200, url: web.url + url, title: "" },
        content,
      });
    }
  });

  it.each(["/pdf", "/image"])("fails with unsupported_content for %s", async (url) => {
    const failed = await run(service, { url });
    expect(failed.error).toMatchObject({ code: "unsupported_content" });
    expect(step(failed, "page").attempts).toBe(1);
  });

  it("decodes the charset that the page declares", async () => {
    expect((await run(service, { url: "/latin" })).output).toMatchObject({ title: "café €" });
  });

  it("keeps no cookies from one page to the next", async () => {
    for (let times = 0; times < 2; times++) {
      const { output } = await run(service, { url: "/cookies" });
      expect(output).toHaveProperty("content", expect.stringContaining("none"));
    }
  });

  it.each(["/never", "/half"])("closes its connections when it is canceled while %s loads", async (url) => {
    const from = web.requestedPaths.length;
    const { id } = await service.start([input("in"), pageStep({ url })]);
    await expect.poll(() => web.requestedPaths.slice(from).includes(url)).toBe(true);
    await service.stepwell.runs.cancel(service.app, id);
    expect((await service.wait(id)).status).toBe("canceled");
    await expect.poll(() => web.open()).toBe(0);
  });

  it.each([
    "nonsense",
    "file:///etc/passwd",
    "chrome://version",
    "data:text/html,x",
    "view-source:http://a/",
    "http://u:p@a/",
  ])("fails with address_refused for %s", async (url) => {
    const step = { type: "browser", key: "page", url: "{{ input.url }}" } as const;
    const { error } = await service.run([input("in"), step], { url });
    expect(error).toMatchObject({ code: "address_refused", step: "page" });
  });
});

describe("a browser step without a browser", () => {
  it("is rejected at deployment with wait_for_selector", async () => {
    const service = await openService({ net: web.net });
    const deployed = service.deploy([input("in"), pageStep({ url: "/later", wait_for_selector: "#done" })]);
    await expect(deployed).rejects.toMatchObject({
      errors: [{ pointer: "/steps/1/wait_for_selector", message: expect.stringContaining("createPlaywrightBrowser") }],
    });
    await service.stepwell.close();
  });
});

describe("Chromium", () => {
  const services: Service[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map(({ stepwell }) => stepwell.close()));
  });
  const opened = async (browser: Browser) => {
    const service = await openService({ net: web.net, browser });
    services.push(service);
    return service;
  };
  const open = (limits?: Parameters<typeof shareBrowser>[0]) => opened(shareBrowser(limits));
  /** With a browser process of its own, for tests of how it starts and ends. */
  const openOwn = (options: Parameters<typeof createPlaywrightBrowser>[0]) =>
    opened(createPlaywrightBrowser({ executablePath, ...options }));

  it("returns the page as its scripts changed it", async () => {
    const { output } = await run(await open(), { url: "/scripted" });
    expect(output).toMatchObject({ title: "after", content: expect.stringContaining("Hello Ada") });
  });

  it("follows a redirect by script", async () => {
    const { output } = await run(await open(), { url: "/script-moved" });
    expect(output).toMatchObject({ status: 200, url: `${web.url}/plain#there`, title: "Plain & simple" });
  });

  it("waits for wait_for_selector, even on a page that never settles", async () => {
    const { output } = await run(await open({ settleMs: DAY, timeoutMs: DAY }), {
      url: "/later-restless",
      wait_for_selector: "b#{{ 'done' }}.x:not(.z)",
    });
    expect(output).toMatchObject({ content: expect.stringContaining("now</b>") });
  });

  it("fails when wait_for_selector never matches or is not a valid selector", async () => {
    // On a busy machine the page itself may use most of its time.
    let timeoutMs = 250;
    const missing = async () => {
      timeoutMs *= 2;
      return (await run(await open({ timeoutMs }), { url: "/plain", wait_for_selector: "#never" })).error;
    };
    await expect
      .poll(missing)
      .toMatchObject({ code: "selector_not_found", message: expect.stringContaining('"#never"') });
    // A browser that closes one of the pages above too slowly is killed, and the step is tried again with another one.
    const wrong = async () => {
      const ended = await run(await open(), { url: "/plain", wait_for_selector: "a[" });
      return { ...ended.error, attempts: step(ended, "page").attempts };
    };
    const message = expect.stringContaining("not a valid CSS selector");
    await expect.poll(wrong).toMatchObject({ code: "invalid", message, attempts: 1 });
  });

  it("returns a page that never settles, and times out when a page never finishes loading", async () => {
    const settled = await open({ settleMs: 300 });
    expect((await run(settled, { url: "/restless" })).output).toMatchObject({ title: "restless" });
    const impatient = await open({ timeoutMs: 300 });
    expect((await run(impatient, { url: "/half" })).error).toMatchObject({ code: "timeout" });
  });

  it("never opens a queued page whose run is canceled", async () => {
    const service = await open({ concurrentPages: 1 });
    const from = web.requestedPaths.length;
    const first = await service.start([input("in"), pageStep({ url: "/never" })]);
    await expect.poll(() => web.requestedPaths.slice(from).includes("/never")).toBe(true);
    const second = await service.start([input("in"), pageStep({ url: "/scripted" })]);
    const before = web.requestedPaths.length;
    await service.stepwell.runs.cancel(service.app, second.id);
    await service.stepwell.runs.cancel(service.app, first.id);
    expect((await run(service, { url: "/plain" })).status).toBe("succeeded");
    expect(web.requestedPaths.slice(before)).not.toContain("/scripted");
  });

  it("renders several pages with one browser, and is restarted when it is killed", async () => {
    const service = await openOwn({ concurrentPages: 2 });
    const before = new Set(browsers());
    const own = () => browsers().filter((one) => !before.has(one));
    const kill = () => {
      for (const pid of own()) process.kill(pid, "SIGKILL");
    };
    // Two at once, the others queued.
    const all = await Promise.all(Array.from({ length: 5 }, () => run(service, { url: "/later" })));
    expect(all.map(({ status }) => status)).toEqual(Array(5).fill("succeeded"));
    expect(own()).toHaveLength(1);

    // Between two pages.
    kill();
    expect(await run(service, { url: "/plain" })).toMatchObject({ status: "succeeded" });

    // While one loads, which is then retried.
    const from = web.requestedPaths.length;
    const { id } = await service.start([input("in"), pageStep({ url: "/later", wait_for_selector: "#done" })]);
    await expect.poll(() => web.requestedPaths.slice(from).includes("/later")).toBe(true);
    kill();
    const done = await service.wait(id);
    expect(done.status).toBe("succeeded");
    expect(step(done, "page").attempts).toBe(2);
  });

  it("is restarted after the number of pages that renew sets", async () => {
    const service = await openOwn({ pagesPerBrowser: 1 });
    const before = new Set(browsers());
    await run(service, { url: "/plain" });
    await expect.poll(() => browsers().filter((one) => !before.has(one))).toEqual([]);
    expect((await run(service, { url: "/plain" })).status).toBe("succeeded");
  });

  it("is closed when idle, and leaves no process when the service closes", async () => {
    const before = new Set(all());
    const service = await openOwn({ idleMs: 300 });
    await run(service, { url: "/plain" });
    await expect.poll(() => all().filter((one) => !before.has(one))).toEqual([]);
    const started = await service.start([input("in"), pageStep({ url: "/never" })]);
    await expect.poll(() => all().some((one) => !before.has(one))).toBe(true);
    await service.stepwell.runs.cancel(service.app, started.id);
    await service.stepwell.close();
    await expect.poll(() => all().filter((one) => !before.has(one))).toEqual([]);
  });

  it("fails with not_installed when executablePath doesn't exist", async () => {
    const service = await openOwn({ executablePath: "/nowhere/chromium" });
    const { error } = await run(service, { url: "/plain" });
    expect(error).toMatchObject({ code: "not_installed", message: expect.stringContaining("executablePath") });
  });

  it.each([{ concurrentPages: 0 }, { timeoutMs: Number.NaN }, { colour: 1 }])(
    "createPlaywrightBrowser throws for the invalid limits %j",
    (limits) => {
      expect(() => createPlaywrightBrowser(limits)).toThrow(TypeError);
    },
  );
});
