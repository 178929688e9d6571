/** What the page says of its connection, and what it asks for, while the server cannot be reached. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { launch } from "../support/browser/site.ts";
import { type ConsoleServer, openConsoleServer } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";

let browser: Browser;
let server: ConsoleServer;
let workflow: string;
beforeAll(async () => {
  browser = await launch(inject("headlessShell"));
  server = await openConsoleServer();
  const { stepwell, app } = server;
  const steps = [
    { type: "input", key: "start", input: {}, destinations: ["hold"] } as const,
    { type: "service", key: "hold", service: { service: "tests", action: "hold", input: {} } } as const,
  ];
  ({ id: workflow } = await stepwell.workflows.create(app.id, { name: "Report", steps }));
  await stepwell.workflows.deploy(app.id, workflow);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const LOST =
  /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_NETWORK|ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
const start = () => server.stepwell.runs.create(server.app.id, workflow, {});

describe("while the server cannot be reached", () => {
  it("the bar and the run say the same, and no time of the run goes on", async () => {
    const { id } = await start();
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(LOST);
    await go(`/apps/${server.app.id}/runs/${id}`);
    await page.locator('.run-views[data-live="live"]').waitFor();
    await server.down();
    await page.getByText(/^Offline since/).waitFor();
    await page.locator(".run-lost").waitFor();
    // Left and shown again from what was read before.
    await page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
    await page.locator(".run-views").waitFor({ state: "detached" });
    await page.goBack();
    await page.locator(".run-lost").waitFor();
    expect(await page.locator('.run-views[data-live="live"]').count()).toBe(0);
    const shown = () => page.locator(".duration").allInnerTexts();
    const before = await shown();
    // Seconds pass between the first questions whether the server is back.
    for (let asked = 0; asked < 3; asked++) await page.waitForRequest(/\/console\/session$/);
    expect(await shown()).toEqual(before);
    await server.up();
    await page.locator('.run-views[data-live="live"]').waitFor();
    await page.getByText("Live", { exact: true }).first().waitFor();
  });

  it("one request asks for it, and no other is sent", async () => {
    await start();
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(LOST);
    await go(`/apps/${server.app.id}/runs`);
    await page.locator(".live-sign.live").waitFor();
    await server.down();
    await page.getByText(/^Offline since/).waitFor();
    const sent: string[] = [];
    const probed = page.waitForRequest(/\/console\/session$/);
    page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    // Lists that were not read before.
    await page.evaluate(() => {
      history.pushState(null, "", `${location.pathname}?status=failed`);
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await probed;
    await page.waitForRequest(/\/console\/session$/);
    expect(sent.filter((path) => path !== "/console/session")).toEqual([]);
    await server.up();
    await page.locator(".live-sign.live").waitFor();
  });
});

it("says how often it asks where a proxy holds the stream back", async () => {
  server.intercept(({ url = "" }) => url.endsWith("/stream"));
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/runs`);
  await page.getByText("Every 5 s", { exact: true }).waitFor();
  server.intercept(() => false);
});

it("shows a moment as now where the clock of the server is ahead", async () => {
  const { created_at } = await start();
  const { page, go } = await openConsole(browser, server);
  await page.clock.setFixedTime(Date.parse(created_at) - 50_000);
  await go(`/apps/${server.app.id}/runs`);
  await page.locator("main time").first().waitFor();
  expect(await page.locator("main time").first().innerText()).toBe("now");
});
