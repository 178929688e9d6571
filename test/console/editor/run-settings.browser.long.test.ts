/** The settings of a workflow's runs, and how the deployment shows that they have changed. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

it("have limits, whose change is a named part of the deployment", async () => {
  const { id, path } = await createWorkflow(server, "Limited", [{ type: "code", key: "a", code: "return 1" }]);
  await server.stepwell.workflows.deploy(server.app.id, id);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Settings of runs…" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings of runs" });
  const open = dialog.getByRole("group", { name: "Limit the number of open runs" });
  await open.getByRole("checkbox").check();
  await open.getByLabel("At most").fill("3");
  await open.getByLabel("For each value of").fill("input.customer");
  const rate = dialog.getByRole("group", { name: "Limit the number of runs in a period" });
  await rate.getByRole("checkbox").check();
  await rate.getByLabel("At most").fill("5");
  await rate.getByLabel("Seconds").fill("10");
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect
    .poll(async () => (await storedDraft(server, id)).settings)
    .toEqual({ concurrency: { limit: 3, key: "input.customer" }, rate_limit: { limit: 5, period: 10 } });
  await page.getByRole("button", { name: "Deploy v2…" }).click();
  const difference = page.getByRole("region", { name: "Difference to version 1" });
  await difference.getByRole("heading", { name: "Settings of runs" }).waitFor();
});
