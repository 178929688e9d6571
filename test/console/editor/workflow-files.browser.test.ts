/** A deployment in the console that `stepwell dev` replaces at its next start: the page says so beforehand. */
import { expect, it } from "vitest";
import { webConsole } from "../../../adapters/console/web-console.ts";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow } from "./open-editor.ts";

const files: { app_id: string; name: string; path: string }[] = [];
const { browser, server } = await openBrowserAndServer({
  console: { ...webConsole(), workflowFiles: async () => files },
});

const STEPS: Step[] = [{ type: "code", key: "a", code: "return 1" }];
const NOTE = "stepwell dev deploys workflows/greeting.json over this version when it starts again";

it("is named in the dialogs that deploy and roll back, for its own workflow only", async () => {
  const app_id = server.app.id;
  files.push({ app_id, name: "Greeting", path: "workflows/greeting.json" });
  const { page, go, faults } = await openConsole(browser, server);
  const dialog = page.getByRole("dialog");
  for (const name of ["Greeting", "Other"]) {
    const { path } = await createWorkflow(server, name, STEPS);
    await go(path);
    const file = page.waitForResponse(/\/console\/session$/);
    await page.getByRole("button", { name: "Deploy v1…" }).click();
    await dialog.getByText("This is the first version.").waitFor();
    await (await file).finished();
    await dialog.getByText(NOTE).waitFor({ state: name === "Greeting" ? "visible" : "detached" });
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Deploy v1", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }
  const greeting = (await server.stepwell.workflows.list(app_id, { search: "Greeting" })).items[0]?.id ?? "";
  await server.stepwell.workflows.deploy(app_id, greeting);
  await go(`/apps/${app_id}/workflows/${greeting}/versions`);
  await page.getByRole("button", { name: "More actions: Version 1" }).click();
  await page.getByRole("menuitem", { name: "Roll back to it…" }).click();
  await dialog.getByText(NOTE).waitFor();
  expect(await faults()).toEqual([]);
});
