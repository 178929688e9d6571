/**
 * Requests that took effect, but whose responses were lost: the browser repeats them by itself, and the server refuses
 * the second.
 */
import { expect, it, onTestFinished } from "vitest";
import type { Step } from "../../src/index.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

/** Does what such a request asks for, and then lets it through: that is how the server sees it once it is repeated. */
function repeat(method: string, url: RegExp, act: () => Promise<unknown>): void {
  let isRepeated = false;
  server.intercept((request, response) => {
    if (isRepeated || request.method !== method || !url.test(request.url ?? "")) return false;
    isRepeated = true;
    void act().then(() => server.handle(request, response));
    return true;
  });
  onTestFinished(() => server.intercept(() => false));
}

const untilWaiting = (run: string) => until(async () => (await stepwell.runs.get(app.id, run)).status === "waiting");

async function waitingRun(): Promise<string> {
  const steps: Step[] = [
    { type: "input", key: "start", input: {}, destinations: ["approve"] },
    { type: "input", key: "approve", input: { limit: { type: "number", name: "Limit" } } },
  ];
  const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Lost", steps });
  await stepwell.workflows.deploy(app.id, workflow);
  const { id } = await stepwell.runs.create(app.id, workflow);
  await untilWaiting(id);
  return id;
}

it("an answer counts as sent", async () => {
  const run = await waitingRun();
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/inbox/${run}/approve`);
  await page.getByLabel("Limit").fill("7");
  repeat("POST", /\/inputs\/approve$/, () => stepwell.runs.provide(app.id, run, "approve", { limit: 7 }));
  await page.getByLabel("Limit").press("Control+Enter");
  await page.getByText("Sent. The run continues.").waitFor();
  expect(await page.getByText("This step no longer waits.").count()).toBe(0);
});

it("a retried run is shown", async () => {
  const run = await waitingRun();
  await stepwell.runs.cancel(app.id, run);
  await stepwell.runs.wait(app.id, run);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${run}`);
  repeat("POST", /\/retry$/, async () => {
    await stepwell.runs.retry(app.id, run);
    await untilWaiting(run);
  });
  await page.locator(".page-head").getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".page-head .status-sign.waiting").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("a deleted workflow is gone", async () => {
  const { id } = await stepwell.workflows.create(app.id, { name: "Gone" });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows`);
  await page.getByRole("button", { name: "Actions of Gone" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  repeat("DELETE", new RegExp(`/workflows/${id}`), () => stepwell.workflows.remove(app.id, id));
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("button", { name: "Actions of Gone" }).count()).toBe(0);
});

it("a run whose response was lost is started once, also after a reload", async () => {
  const { id } = await stepwell.workflows.create(app.id, { name: "Once", steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/502/);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  const keys = new Set<string | undefined>();
  await page.route("**/runs", async (route) => {
    keys.add(route.request().headers()["idempotency-key"]);
    await route.fetch();
    await route.fulfill({ status: 502 });
  });
  const start = page.getByRole("button", { name: "Start run" });
  const refused = page.getByText("1 problem keeps this from being sent");
  await start.click();
  await refused.first().waitFor();
  await page.reload();
  await start.click();
  await refused.first().waitFor();
  expect([...keys]).toHaveLength(1);
  await page.unroute("**/runs");
  await start.click();
  await page.waitForURL(/\/runs\/run_/);
  expect((await stepwell.runs.list(app.id, { workflow_id: id })).total).toBe(1);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await start.click();
  await page.waitForURL(/\/runs\/run_/);
  expect((await stepwell.runs.list(app.id, { workflow_id: id })).total).toBe(2);
});

it("what only a dialog has, such as a secret, is not kept in the browser when its response is lost", async () => {
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/502/);
  await page.route("**/workflows", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 502 }) : route.continue(),
  );
  await go(`/apps/${app.id}/workflows`);
  await page.getByRole("button", { name: "New workflow" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Confidential");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText(/could not read the response/).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Confidential");
});
