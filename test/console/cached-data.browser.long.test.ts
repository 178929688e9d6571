/** What one part of the page has read is not taken for something else that another part reads. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

/** Leads to another screen, without loading the page anew. */
async function lead(page: Page, path: string): Promise<void> {
  await page.evaluate((url) => {
    history.pushState(null, "", url);
    dispatchEvent(new PopStateEvent("popstate"));
  }, server.at(path));
}

it("shows the versions of a workflow after the panel of a step has offered them", async () => {
  const inner = await stepwell.workflows.create(app.id, {
    name: "Inner",
    steps: [{ type: "code", key: "a", code: "" }],
  });
  await stepwell.workflows.deploy(app.id, inner.id);
  const outer = await stepwell.workflows.create(app.id, {
    name: "Outer",
    steps: [{ type: "workflow", key: "call", input: {}, workflow_id: inner.id }],
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${outer.id}?step=call&view=outline`);
  await page.getByRole("option", { name: "Version 1" }).waitFor({ state: "attached" });
  await lead(page, `/apps/${app.id}/workflows/${inner.id}/versions`);
  await page.getByRole("rowheader").getByRole("link", { name: "1" }).waitFor();
});

it("finds connections by a word that the page uses for itself", async () => {
  const { page, go } = await openConsole(browser, server);
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Asks",
    steps: [{ type: "input", key: "start", input: { mail: { type: "connection" } } }],
  });
  await stepwell.workflows.deploy(app.id, id);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await page.getByRole("combobox", { name: "mail" }).waitFor();
  await lead(page, `/apps/${app.id}/connections?search=offered`);
  await page.getByRole("heading", { name: "Connections", level: 1 }).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).waitFor();
});

it("fills the form of a new run with the whole input of a run that its page has shown in part", async () => {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Long",
    steps: [{ type: "input", key: "start", input: { text: { type: "string", display: { control: "multiline" } } } }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const text = "word ".repeat(20_000);
  const run = await stepwell.runs.create(app.id, id, { input: { text } });
  await stepwell.runs.wait(app.id, run.id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${run.id}`);
  await page.getByText("Input of the run").first().waitFor();
  await lead(page, `/apps/${app.id}/workflows/${id}/new-run?from=${run.id}`);
  await page.getByRole("button", { name: "Start run" }).waitFor();
  expect((await page.getByRole("textbox", { name: "text" }).inputValue()).length).toBe(text.length);
});
