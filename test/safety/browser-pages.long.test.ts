/** Servers and pages that yield no readable page: each ends with an error code. */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import { StepwellError } from "../../src/errors.ts";
import { type Browser, BrowserError, type Permitted } from "../../src/ports/browser.ts";
import { browsers } from "../support/browser/browser-processes.ts";
import { shareBrowser } from "../support/browser/shared-browser.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const executablePath = inject("headlessShell");
const site: Site = { "/other": "<title>other</title>", "/stuck": () => undefined };
let web: Web;
let browser: Browser;
beforeAll(async () => {
  web = await openWeb(site);
  browser = shareBrowser({ settleMs: 300 });
});
afterAll(async () => {
  await browser.close();
  await web.close();
});

const permitted: Permitted = (target, addresses) => {
  if (addresses.every((address) => address === "127.0.0.1")) return addresses;
  throw new StepwellError("address_refused", `${target.name} is not for pages.`);
};

let count = 0;
/** The page or the error. */
async function visit(page: Site[string], at?: string, waitForSelector?: string, by = browser): Promise<unknown> {
  const path = `/page/${count++}`;
  site[path] = page;
  const { signal } = new AbortController();
  return by
    .visit({ url: at ?? web.url + path, permitted, signal, ...(waitForSelector !== undefined && { waitForSelector }) })
    .catch((error: unknown) => error);
}

const answer =
  (status: number, headers: Record<string, string> = {}, body = ""): Site[string] =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const pageRunning = (script: string) => `<title>page</title><body><p>words</p><script>${script}</script>`;

describe("reading a page from a server that", () => {
  it.each<[string, Site[string], string, RegExp]>([
    ["requires proxy authentication", answer(407, { "proxy-authenticate": "Basic" }), "fetch_failed", /PROXY/],
    ["sends no content", answer(204), "unsupported_content", /empty response/],
    ["redirects to a data: URL", answer(302, { location: "data:text/html,x" }), "fetch_failed", /REDIRECT/],
    ["redirects to a chrome: URL", answer(302, { location: "chrome://crash" }), "fetch_failed", /REDIRECT/],
    ["redirects to a metadata address", answer(302, { location: "http://169.254.169.254/" }), "address_refused", /169/],
    [
      "redirects to itself",
      (request, response) => void response.writeHead(302, { location: request.url }).end(),
      "fetch_failed",
      /TOO_MANY/,
    ],
    [
      "sends multipart/x-mixed-replace",
      answer(200, { "content-type": "multipart/x-mixed-replace;boundary=x" }, "--x"),
      "unsupported_content",
      /multipart/,
    ],
  ])("%s fails with a reason", async (_, page, code, message) => {
    expect(await visit(page)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("sends XML returns it unchanged, whatever its style sheet", async () => {
    const xml = '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/style.xsl"?><a>x</a>';
    const read = await visit(answer(200, { "content-type": "application/rss+xml" }, xml));
    expect(read).toMatchObject({ status: 200, title: "", content: xml });
  });

  it("has an untrusted certificate, or requires one, fails with fetch_failed", async () => {
    const pem = (name: string) => readFileSync(fileURLToPath(new URL(`tls.${name}.pem`, import.meta.url)));
    for (const requestCert of [false, true]) {
      const secure = createServer({ cert: pem("cert"), key: pem("key"), requestCert }, (_, response) =>
        response.end("x"),
      );
      await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
      const { port } = secure.address() as AddressInfo;
      const error = await visit("", `https://127.0.0.1:${port}/`);
      expect(error).toMatchObject({ code: "fetch_failed", message: expect.stringContaining("ERR_CERT") });
      secure.close();
    }
  });
});

describe.concurrent("reading a page that", () => {
  it.for<[string, string, string, RegExp]>([
    ["navigates to about:blank", "location.href = 'about:blank'", "unsupported_content", /about: URL/],
    [
      "navigates to a blob: URL",
      "location.href = URL.createObjectURL(new Blob(['x']))",
      "unsupported_content",
      /blob: URL/,
    ],
  ])("%s fails with a reason", async ([_, script, code, message], { expect }) => {
    expect(await visit(pageRunning(script))).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.for([
    ["navigates to a mailto: URL while it loads", "location.href = 'mailto:a@example.com'"],
    ["navigates to a data: URL", "location.href = 'data:text/html,x'"],
    ["navigates to chrome://crash", "location.href = 'chrome://crash'"],
    ["closes itself", "window.close()"],
    ["prints", "print()"],
    ["opens dialogs", "prompt('x'); confirm('y')"],
    [
      "never closes its document",
      "document.open(); document.write('<title>page</title><p>words'); document.title = 'page'",
    ],
    ["grows without end", "setInterval(() => { for (let i = 0; i < 500; i++) document.body.append('x') }, 1)"],
    ["computes in workers", "for (let i = 0; i < 4; i++) new Worker(URL.createObjectURL(new Blob(['while (true);'])))"],
  ] as const)("%s returns its content", async ([_, script], { expect }) => {
    expect(await visit(pageRunning(script))).toMatchObject({
      status: 200,
      title: "page",
      content: expect.stringContaining("words"),
    });
  });

  it("requests permissions grants none", async ({ expect }) => {
    const read = await visit(
      pageRunning(`const say = (text) => { document.body.append(" " + text) };
        const answered = (text) => { say(text); document.body.append(document.createElement("hr")) };
        navigator.geolocation.getCurrentPosition(() => answered("place"), ({ code }) => answered("no-place-" + code));
        Notification.requestPermission().then((given) => say("notes-" + given), () => say("no-notes"));
        navigator.mediaDevices?.getUserMedia({ audio: true }).then(() => say("sound"), () => say("no-sound"));
        navigator.clipboard?.readText().then(() => say("board"), () => say("no-board"))`),
      undefined,
      "hr",
    );
    const written = (read as { content: string }).content.split("</script>")[1] ?? "";
    expect(written).not.toMatch(/ (place|sound|board)\b|granted/);
    expect(written).toContain("no-place-1");
  });

  it("embeds itself without end returns its content", async ({ expect }) => {
    const path = `/itself/${count++}`;
    site[path] = `<title>page</title><iframe src="${path}?1"></iframe><iframe src="${path}?2"></iframe>`;
    expect(await visit("", web.url + path)).toMatchObject({ title: "page" });
  });
});

describe("reading a page that", () => {
  it.each<[string, string]>([
    ["opens dialogs without end", "while (true) alert(1)"],
    ["computes without end", "setTimeout(() => { while (true); }, 50)"],
    ["reloads itself without end", "setTimeout(() => location.reload(), 10)"],
  ])("%s is stopped in time or returns its content", async (_, script) => {
    const impatient = shareBrowser({ timeoutMs: 400, settleMs: 200 });
    const read = await visit(pageRunning(script), undefined, undefined, impatient);
    if (read instanceof BrowserError) expect(read.code).toMatch(/timeout|fetch_failed|browser_died/);
    else expect(read).toMatchObject({ title: "page" });
    // A browser that takes longer to close the page than the page's time limit is killed, whatever else uses it.
    // On a busy machine the next page may be given to it before it is, and wait for a browser that no longer responds.
    let timeoutMs = 1_000;
    const next = () => {
      timeoutMs *= 2;
      return visit("<title>next</title>", undefined, undefined, shareBrowser({ timeoutMs }));
    };
    await expect.poll(next).toMatchObject({ title: "next" });
  });
});

describe("a browser that", () => {
  it("hangs in the middle of a page is killed and replaced", async () => {
    const own = createPlaywrightBrowser({ executablePath, timeoutMs: 10_000, settleMs: 300, concurrentPages: 1 });
    const open = (path: string) =>
      own.visit({ url: web.url + path, permitted, signal: new AbortController().signal }).then(
        ({ title }) => title,
        ({ code }) => code,
      );
    const before = new Set(browsers());
    const from = web.requestedPaths.length;
    const stuck = open("/stuck");
    await expect.poll(() => web.requestedPaths.slice(from).includes("/stuck")).toBe(true);
    const hanging = browsers().filter((one) => !before.has(one));
    for (const one of hanging) process.kill(one, "SIGSTOP");
    expect(await stuck).toBe("timeout");
    await expect.poll(() => open("/other")).toBe("other");
    expect(hanging).toHaveLength(1);
    expect(browsers()).not.toContain(hanging[0]);
    await own.close();
  });
});
