/** `browser` steps with Chromium: scripts, selectors, pages that never end, and the process of the browser. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import type { Run, Step, StepOf } from "../../src/index.ts";
import type { Browser } from "../../src/ports/browser.ts";
import { all, browsers } from "../support/browser/browser-processes.ts";
import { shareBrowser } from "../support/browser/shared-browser.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const executablePath = inject("headlessShell");
const DAY = 86_400_000;

const SITE: Site = {
  "/plain": "<title>Plain &amp; simple</title><p>words</p>",
  "/scripted": `<title>before</title><body><script>
    fetch("/data").then((answer) => answer.json()).then(({ name }) => {
      document.title = "after"; document.body.append("Hello " + name);
    })</script>`,
  "/data": (_, response) => response.setHeader("content-type", "application/json").end('{"name":"Ada"}'),
  "/later": `<title>t</title><body><script>
    setTimeout(() => { document.body.innerHTML = '<b id="done" class="x y">now</b>' }, 200)</script>`,
  "/later-restless": `<title>t</title><body><img src=/never><p></p><script>
    setTimeout(() => { document.querySelector("p").innerHTML = '<b id="done" class="x y">now</b>' }, 200)</script>`,
  "/script-moved": "<script>location.replace('/plain#there')</script>",
  "/restless": "<title>restless</title><p>words</p><img src=/never>",
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
  url: web.url + url,
});
const run = (service: Service, page: Page): Promise<Run> => service.run([input("in"), pageStep(page)], {});

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
