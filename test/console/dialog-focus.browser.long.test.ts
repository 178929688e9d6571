/** Where the focus is when dialogs open and close, in a real browser. */
import { expect, it } from "vitest";
import type { Step } from "../../src/workflows/step.ts";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

it("begins at the first field of a dialog, and returns to what opened it", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/workflows`);
  await page.getByRole("button", { name: "New workflow" }).first().click();
  await focusAt(page, "dialog input");
  await page.keyboard.press("Escape");
  await focusAt(page, "button", "New workflow");
});

it("begins at a field that is loaded late", async () => {
  const { page, go } = await openConsole(browser, server);
  const gate = createGate();
  await page.route(/\/(services|trigger-types)(\?|$)/, async (route) => {
    await gate.released;
    await route.continue();
  });
  await go(`/apps/${server.app.id}/connections`);
  await page.getByRole("button", { name: "New connection" }).first().click();
  await focusAt(page, "dialog h2");
  gate.release();
  await focusAt(page, "dialog :is(select, input)");
});

it("begins at the first field of a new record, whose tags are there before it", async () => {
  const { stepwell, app } = server;
  await stepwell.tags.create(app.id, { name: "Urgent" });
  const { id } = await stepwell.collections.create(app.id, { name: "Loans" });
  await stepwell.records.create(app.id, id, { data: { loan: { number: "A-1" } } });
  const { page, go } = await openConsole(browser, server);
  const gate = createGate();
  await go(`/apps/${app.id}/collections/${id}`);
  await page.getByRole("link", { name: "A-1" }).waitFor();
  await page.route(`**/collections/${id}`, async (route) => {
    await gate.released;
    await route.continue();
  });
  await page.getByRole("button", { name: "New record" }).first().click();
  await page.getByRole("dialog").getByRole("checkbox", { name: "Urgent" }).waitFor();
  gate.release();
  await page.getByRole("dialog").getByRole("button", { name: "Fill in loan" }).waitFor();
  await focusAt(page, "dialog button", "Fill in loan");
});

it("returns to the button that has asked for a signature", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Signed" });
  const mappings = [{ type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" }];
  await stepwell.triggers.create(app.id, id, {
    type: "webhook",
    name: "Orders",
    config: { type: "webhook", mappings },
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections/${id}/settings?section=triggers`);
  await page.getByRole("button", { name: "Address: Orders" }).press("Enter");
  await page.getByRole("button", { name: "Require a signature" }).press("Enter");
  await focusAt(page, "dialog select");
  await page.keyboard.press("Escape");
  await focusAt(page, "dialog button", "Require a signature");
  await page.keyboard.press("Escape");
  await focusAt(page, "main button", "Show");
});

it("begins at Cancel where something is deleted, and goes on at the heading when its row is gone", async () => {
  const { stepwell, app } = server;
  await stepwell.connections.create(app.id, {
    name: "Bank",
    service: "http",
    credentials: { type: "bearer", base_url: "https://api.example.com", token: "a" },
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/connections`);
  await page.getByRole("button", { name: "More actions: Bank" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await focusAt(page, "dialog footer button", "Cancel");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await focusAt(page, "h1", "Connections");
});

it("goes on at the next row when a row of a list is removed, else at the one before", async () => {
  const { stepwell, app } = server;
  const input = { a: { type: "string" }, b: { type: "string" } } as const;
  const steps: Step[] = [{ type: "input", key: "start", input }];
  const { id } = await stepwell.workflows.create(app.id, { name: "Rows", steps });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}?view=outline&step=start`);
  const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}`, exact: true });
  const focused = () => page.evaluate(() => document.activeElement?.closest("fieldset")?.getAttribute("aria-label"));
  await remove("a").press("Enter");
  await remove("a").waitFor({ state: "detached" });
  expect(await focused()).toContain("b");
  await remove("b").press("Enter");
  await remove("b").waitFor({ state: "detached" });
  await focusAt(page, ".field-builder [aria-haspopup=menu]");
});

it("cancels a connection, and writes its credentials as JSON", async () => {
  const { stepwell, app } = server;
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/connections`);
  const open = page.getByRole("button", { name: "New connection" }).first();
  await open.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await open.click();
  await dialog.getByLabel("Service").selectOption({ label: "HTTP" });
  await dialog.getByRole("textbox", { name: "Name" }).first().fill("Written");
  await dialog.getByLabel("Base URL").fill("https://api.example.com");
  await dialog.getByLabel("Token").fill("secret");
  await dialog.getByRole("button", { name: "Edit as JSON" }).click();
  const json = dialog.getByLabel("Values");
  const credentials: unknown = JSON.parse(await json.inputValue());
  expect(credentials).toMatchObject({ base_url: "https://api.example.com", token: "secret" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  const { items } = await stepwell.connections.list(app.id, { search: "Written" });
  expect(items).toHaveLength(1);
});
