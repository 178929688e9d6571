/** Parts of the page that are not loaded yet: without a connection, with one again, and after an update of the server. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const steps = [{ type: "input", key: "start", input: {} } as const];
const { id: workflow } = await server.stepwell.workflows.create(server.app.id, { name: "Report", steps });

const LOST =
  /ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_NETWORK|ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
const section = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const problem = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

describe("a screen that is not loaded yet", () => {
  it("is loaded when the server can be reached again", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(LOST);
    await go(`/apps/${server.app.id}/runs`);
    await server.down();
    await section(page, "Workflows").click();
    await problem(page, "The server cannot be reached").waitFor();
    expect(await page.getByText("newer version").count()).toBe(0);
    // What is loaded can still be used, and what was not is tried again.
    await section(page, "Runs").click();
    await heading(page, "Runs").waitFor();
    await section(page, "Workflows").click();
    await problem(page, "The server cannot be reached").waitFor();
    await server.up();
    await heading(page, "Workflows").waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("is loaded by the button", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(LOST);
    complaints.allow(/status of 503|response 503/);
    await go(`/apps/${server.app.id}/runs`);
    let isBroken = true;
    server.intercept(({ url = "" }, response) => {
      if (!isBroken || !url.includes("/assets/files-screen")) return false;
      response.writeHead(503).end();
      return true;
    });
    await section(page, "Files").click();
    await problem(page, "The server cannot be reached").waitFor();
    isBroken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "Files").waitFor();
  });

  it("is loaded by the link that led to it, too, which is no further step back", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(/status of 503|response 503/);
    await go(`/apps/${server.app.id}/runs`);
    await heading(page, "Runs").waitFor();
    let isBroken = true;
    server.intercept(({ url = "" }, response) => {
      if (!isBroken || !url.includes("/assets/webhooks-screen")) return false;
      response.writeHead(503).end();
      return true;
    });
    await section(page, "Webhooks").click();
    await problem(page, "The server cannot be reached").waitFor();
    isBroken = false;
    await section(page, "Webhooks").click();
    await heading(page, "Webhooks").waitFor();
    await page.goBack();
    await heading(page, "Runs").waitFor();
  });

  it("asks for a reload only if the server has it no more", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/runs`);
    server.intercept(({ url = "" }, response) => {
      if (!url.includes("/assets/schedules-screen")) return false;
      response.writeHead(404).end();
      return true;
    });
    await section(page, "Schedules").click();
    await problem(page, "There is a newer version of the console").waitFor();
    await page.getByRole("button", { name: "Reload" }).waitFor();
    await section(page, "Runs").click();
    await heading(page, "Runs").waitFor();
  });
});

describe("a view of the editor that is not loaded yet", () => {
  it("leaves the rest of the editor as it is, and is loaded with the connection", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(LOST);
    await go(`/apps/${server.app.id}/workflows/${workflow}?view=outline`);
    await page.getByRole("tree").waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Offline since/).waitFor();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await problem(page, "The server cannot be reached").waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("button", { name: "Outline", exact: true }).click();
    await page.getByRole("tree").waitFor();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await problem(page, "The server cannot be reached").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("textbox", { name: /JSON/ }).first().waitFor();
    expect(await problem(page, "The server cannot be reached").count()).toBe(0);
  });
});

describe("a response that a proxy has replaced", () => {
  it("breaks no page without a word, and a way to go on", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(/TypeError|reading '/);
    const isSession = (url: URL) => url.pathname.endsWith("/console/session");
    await page.route(isSession, (route) => route.fulfill({ json: { session: {}, sign_in: null } }));
    await page.goto(server.at(`/apps/${server.app.id}/runs`));
    await page.getByRole("main").getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute(isSession);
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "Runs").waitFor();
    await go(`/apps/${server.app.id}/workflows`);
  });
});
