/** What the page says of its connection, and what it asks for, while the server cannot be reached. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const steps = [
  { type: "input", key: "start", input: {}, destinations: ["hold"] } as const,
  { type: "service", key: "hold", service: { service: "tests", action: "hold", input: {} } } as const,
];
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Report", steps });
await stepwell.workflows.deploy(app.id, workflow);

const LOST =
  /ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_NETWORK|ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
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
    await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).click();
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

describe("a page that is opened while the server does not respond", () => {
  const silent = { name: "The server does not respond." };

  it.each([
    ["closes the connection", ({ socket }: IncomingMessage) => void socket.destroy()],
    [
      "is replaced by a proxy that says 503",
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(503).end(),
    ],
    [
      "is replaced by a page of a proxy",
      (_: IncomingMessage, response: ServerResponse) => response.end("<p>Hello</p>"),
    ],
  ])("says so if it %s, and goes on to its screen once it responds", async (_, fail) => {
    const { page, complaints, faults } = await openConsole(browser, server);
    complaints.allow(LOST);
    complaints.allow(/503/);
    onTestFinished(() => server.intercept(() => false));
    server.intercept((request, response) => {
      if (request.url?.endsWith("/console/session") !== true) return false;
      fail(request, response);
      return true;
    });
    await page.goto(server.at(`/apps/${server.app.id}/runs?status=failed`));
    await page.getByRole("heading", silent).waitFor();
    expect(await faults()).toEqual([]);
    // It is asked again, and says nothing else meanwhile.
    await page.waitForRequest(/\/console\/session$/);
    expect(await page.getByRole("heading").allInnerTexts()).toEqual([silent.name]);
    server.intercept(() => false);
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=failed");
  });

  it("asks for a key only when the server has said that nobody is signed in", async () => {
    const { page, complaints } = await openConsole(browser, server, { key: null });
    complaints.allow(LOST);
    onTestFinished(() => server.intercept(() => false));
    server.intercept(({ url = "", socket }) => {
      if (url.endsWith("/console/session")) socket.destroy();
      return url.endsWith("/console/session");
    });
    await page.goto(server.at("/"));
    await page.getByRole("heading", silent).waitFor();
    expect(await page.getByRole("heading", { name: "Sign in" }).count()).toBe(0);
    const asked = page.waitForRequest(/\/console\/session$/);
    await page.getByRole("button", { name: "Try again" }).click();
    await asked;
    server.intercept(() => false);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});

it("says why the server cannot tell who is signed in, as the server says it", async () => {
  const { page, complaints, faults } = await openConsole(browser, server);
  complaints.allow(/503/);
  onTestFinished(() => server.intercept(() => false));
  const detail = "The session function of this host has failed. Its log has the details. Retry later.";
  server.intercept(({ url = "" }, response) => {
    if (!url.endsWith("/console/session")) return false;
    response.writeHead(503, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ title: "Service Unavailable", status: 503, code: "unavailable", detail }));
    return true;
  });
  await page.goto(server.at("/"));
  await page.getByRole("heading", { name: "The server cannot say who is signed in." }).waitFor();
  await page.getByText(`${detail} The page tries again by itself.`).waitFor();
  expect(await faults()).toEqual([]);
  server.intercept(() => false);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
});

it("says how often it asks where a proxy holds the stream back", async () => {
  server.intercept(({ url = "" }) => url.endsWith("/stream"));
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/runs`);
  await page.getByText("Every 5 s", { exact: true }).waitFor();
  server.intercept(() => false);
});

it.each([
  ["ahead", 2 * 86_400_000],
  ["behind", -2 * 86_400_000],
])("shows how long ago a moment was by the clock of the server where the browser's is %s", async (_, off) => {
  const { created_at } = await start();
  const { page, go } = await openConsole(browser, server);
  await page.clock.setFixedTime(Date.parse(created_at) + off);
  await go(`/apps/${server.app.id}/runs`);
  await page.locator("main time").first().waitFor();
  await page
    .locator("main time")
    .first()
    .filter({ hasText: /^(now|\d+ (sec|min)\. ago)$/ })
    .waitFor();
  expect(await page.locator("main time").first().getAttribute("datetime")).toBe(created_at);
});
