/** Answers to runs whose version is gone, or may not be read. */
import { expect, it } from "vitest";
import type { ApiKeyScope } from "../../src/calls/caller.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

async function waitingRun(): Promise<{ readonly workflow: string; readonly run: string }> {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Approval",
    steps: [
      { type: "input", key: "start", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: { remark: { type: "string", name: "Remark" } } },
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id, { input: { amount: 12 } });
  await expect.poll(async () => (await stepwell.runs.get(app.id, run.id)).status).toBe("waiting");
  return { workflow: id, run: run.id };
}

const SCOPES: readonly ApiKeyScope[] = ["runs:read", "runs:write"];

it.each([
  ["the workflow is deleted", true, []],
  ["the key may not read workflows", false, SCOPES],
])("can be given where %s", async (_, isDeleted, scopes) => {
  const { workflow, run } = await waitingRun();
  if (isDeleted) await stepwell.workflows.remove(app.id, workflow);
  const { key } = await server.createKey(...scopes);
  const { page, go, faults, complaints } = await openConsole(browser, server, { key });
  if (isDeleted) complaints.allow(/404|Failed to load resource/);
  await go(`/apps/${app.id}/inbox/${run}/ask`);
  await page.getByLabel("Remark").fill("fine");
  expect(await faults()).toEqual([]);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect.poll(async () => (await stepwell.runs.get(app.id, run)).status).toBe("succeeded");
});

it("say what is missing to see the canvas of a run", async () => {
  const { run } = await waitingRun();
  const { key } = await server.createKey(...SCOPES);
  const { page, go, faults } = await openConsole(browser, server, { key });
  await go(`/apps/${app.id}/runs/${run}`);
  await page.getByText("Needs the permission workflows:read.").first().waitFor();
  expect(await page.getByText("The definition of this version is gone.").count()).toBe(0);
  expect(await faults()).toEqual([]);
});
