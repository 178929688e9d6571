/** Lists show what happened while the page had no connection, and what happens after it. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const steps = [{ type: "input", key: "start", input: {} } as const];
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Report", steps });
await stepwell.workflows.deploy(app.id, workflow);

const start = () => server.stepwell.runs.create(server.app.id, workflow, {});
const count = async () => {
  const { total } = await server.stepwell.runs.list(server.app.id);
  if (total === undefined) throw new Error("The list has no total.");
  return total;
};
const section = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name });
/** What the list says of its length. */
const untilCounted = (page: Page, count: number) =>
  page.locator(".page-head .total", { hasText: new RegExp(`^${count} runs?$`) }).waitFor();

describe("the list of runs", () => {
  it("shows a run that was created after the server had gone and come back", async () => {
    const { id } = await start();
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(
      /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_NETWORK/,
    );
    await go(`/apps/${server.app.id}/runs`);
    await page.locator(`[data-run="${id}"], a[href$="${id}"]`).first().waitFor();
    const total = await count();
    await untilCounted(page, total);
    await server.down();
    await page.getByText(/^Offline since/).waitFor();
    await server.up();
    await page.getByText("Live", { exact: true }).waitFor();
    await section(page, "Workflows").click();
    await page.getByRole("heading", { name: "Workflows" }).waitFor();
    await start();
    await section(page, "Runs").click();
    await untilCounted(page, total + 1);
  });

  it("shows a run that was created while there was no network", async () => {
    await start();
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await go(`/apps/${server.app.id}/runs`);
    const total = await count();
    await untilCounted(page, total);
    await page.context().setOffline(true);
    await page.getByText(/^Offline since/).waitFor();
    await start();
    await section(page, "Workflows").click();
    await page.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
    await section(page, "Runs").click();
    await page.context().setOffline(false);
    await untilCounted(page, total + 1);
  });

  it("says that it cannot be loaded, not that there are none, without a network", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await go(`/apps/${server.app.id}/workflows`);
    await section(page, "Runs").click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await section(page, "Workflows").click();
    await page.getByRole("heading", { name: "Workflows" }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate(() => {
      history.pushState(null, "", location.pathname.replace(/\/workflows$/, "/runs?status=failed"));
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await page.getByText(/^Offline since/).waitFor();
    expect(await page.getByText("No run matches").count()).toBe(0);
    await page.getByRole("alert").waitFor();
    await page.context().setOffline(false);
    await page.getByText(/No run/).waitFor();
  });
});
