/** How the page stays up to date: one stream while it is seen, and reading every few seconds without one. */
import type { ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const steps = [{ type: "code" as const, key: "a", code: "return 1" }];
const { id: workflowId } = await stepwell.workflows.create(app.id, { name: "Quick", steps });
await stepwell.workflows.deploy(app.id, workflowId);

/** The streams of apps that are open. */
const open = new Set<ServerResponse>();
/** The apps whose streams were asked for, in order. */
const asked: string[] = [];
/** Whether the server refuses streams. */
let isRefusing = false;

server.intercept((request, response) => {
  const [, streamed] = /\/apps\/([^/]+)\/stream/.exec(request.url ?? "") ?? [];
  if (streamed === undefined) return false;
  asked.push(streamed);
  if (isRefusing) {
    response.writeHead(403, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ status: 403, code: "forbidden", title: "Forbidden", detail: "No streams here." }));
    return true;
  }
  open.add(response);
  response.on("close", () => open.delete(response));
  return false;
});

const path = () => `/apps/${server.app.id}/runs`;
const row = (page: Page, runId: string) => page.locator(`[data-run="${runId}"]`);
const newRun = async () => (await server.stepwell.runs.create(server.app.id, workflowId)).id;

/** As if somebody looked at another tab, or came back. */
const show = (page: Page, isShown: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isShown);

describe("a tab of the console", () => {
  it("closes its stream while it is hidden, and catches up when it is shown again", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(path());
    await page.locator(".live-sign.live").waitFor();
    expect(open.size).toBe(1);
    await show(page, false);
    await expect.poll(() => open.size).toBe(0);
    const missed = await newRun();
    await server.stepwell.runs.wait(server.app.id, missed);
    await show(page, true);
    await row(page, missed).getByText("Succeeded").waitFor();
    await page.locator(".live-sign.live").waitFor();
    expect(open.size).toBe(1);
  });

  it("opens no stream of an app that was left while the page was hidden", async () => {
    const other = await server.stepwell.apps.create({ name: "Other" });
    const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
    await go(path());
    await page.locator(".live-sign.live").waitFor();
    await show(page, false);
    await expect.poll(() => open.size).toBe(0);
    asked.length = 0;
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/console/apps/${other.id}/runs`);
    await page.getByText("No runs yet.").waitFor();
    await show(page, true);
    await page.locator(".live-sign.live").waitFor();
    expect(asked).toEqual([other.id]);
  });

  it("reads every 5 seconds when the server refuses the stream, and says so", async () => {
    isRefusing = true;
    try {
      const { page, go } = await openConsole(browser, server);
      await go(path());
      await page.getByRole("status").getByText("Every 5 s").waitFor();
      const run = await newRun();
      await row(page, run).waitFor();
      expect(await page.locator(".live-sign").innerText()).toBe("Every 5 s");
      expect(open.size).toBe(0);
    } finally {
      isRefusing = false;
    }
  });
});

it("leaves connections to requests when many windows are seen at once", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(path());
  await page.locator(".live-sign.live").waitFor();
  const windows = [page];
  while (windows.length < 8) {
    const next = await page.context().newPage();
    await next.goto(server.at(path()));
    await next.getByRole("heading", { level: 1 }).waitFor();
    windows.push(next);
  }
  const last = windows.at(-1) ?? page;
  await last.locator(".live-sign.polling").waitFor();
  expect(open.size).toBe(4);
  // The last one is up to date, too, and gets the connection of one that is closed.
  const id = await newRun();
  await row(last, id).waitFor();
  await Promise.all(windows.slice(0, 6).map((one) => one.close()));
  await last.locator(".live-sign.live").waitFor();
});
