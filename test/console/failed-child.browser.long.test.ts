/** From a step whose child run failed to the run in which the error began. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

async function deploy(name: string, steps: Step[]): Promise<string> {
  const { id } = await stepwell.workflows.create(app.id, { name, steps });
  await stepwell.workflows.deploy(app.id, id);
  return id;
}

const inner = await deploy('Check "A"', [{ type: "code", key: "check", code: "throw new Error('no limit')" }]);
const middle = await deploy("Middle", [{ type: "workflow", key: "below", workflow_id: inner, input: {} }]);

/** A run of a step over child runs that fail, and the run in which the first error began. */
async function failed(step: Step): Promise<{ run: string; child: string }> {
  const { id } = await stepwell.runs.create(app.id, await deploy("Outer", [step]));
  await stepwell.runs.wait(app.id, id);
  const { items } = await stepwell.runs.list(app.id, { status: "failed" });
  const child = items.find(({ workflow_id, parent_run_id }) => workflow_id === inner && parent_run_id !== null);
  return { run: id, child: child?.id ?? "" };
}

async function followsTo(page: Page, child: string): Promise<void> {
  const link = page.getByRole("link", { name: "Open the failed child run" });
  expect(await link.getAttribute("href")).toContain(`/runs/${child}`);
  await link.click();
  await page.waitForURL(`**/runs/${child}*`);
  await page.locator('[data-row="check"]').waitFor();
}

it("the error of a step leads to the run below it in which the error began", async () => {
  const { run, child } = await failed({ type: "workflow", key: "child", workflow_id: middle, input: {} });
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${run}?step=child&tab=error`);
  await page.getByText("A child run failed. Open it to see why.").waitFor();
  expect(await faults()).toEqual([]);
  await followsTo(page, child);
});

it("the error of an item leads to the run of this item", async () => {
  const { run, child } = await failed({
    ...{ type: "workflow", key: "child", workflow_id: inner, input: {} },
    for_each: { items: "[1]", on_error: "continue" },
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${run}?step=child&at=0&tab=error`);
  await page.getByText("A child run failed. Open it to see why.").waitFor();
  await followsTo(page, child);
});

it("the error of a step without child runs has no such link", async () => {
  const { id } = await stepwell.runs.create(app.id, inner);
  await stepwell.runs.wait(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${id}?step=check&tab=error`);
  await page.getByText("no limit").first().waitFor();
  expect(await page.getByRole("link", { name: "Open the failed child run" }).count()).toBe(0);
});
