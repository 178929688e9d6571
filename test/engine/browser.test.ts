/** `browser` steps with Chromium and without a browser. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, Run, Step, StepOf } from "../../src/index.ts";
import { shareBrowser } from "../support/browser/shared-browser.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

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
  "/moved": (_, response) => response.writeHead(302, { location: "/plain" }).end(),
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
