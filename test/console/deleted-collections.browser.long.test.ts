/** A deleted collection: it can be read and restored, and offers nothing that the server refuses. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt, focusedText } from "./support/focus.ts";
import { refuse } from "./support/refuse.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const REFUSAL = "The collection is deleted. Restore it first.";

/** A deleted collection with a rule, a trigger and a record. */
async function createDeleted(name: string) {
  const { id } = await stepwell.collections.create(app.id, { name });
  const steps = [{ type: "input", key: "in", input: {} }] as const;
  const workflow = await stepwell.workflows.create(app.id, { name: `Check of ${name}`, steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  await stepwell.rules.create(app.id, id, { name: "Check", key: "check", workflow_id: workflow.id });
  const mappings = [{ type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" }];
  await stepwell.triggers.create(app.id, id, {
    name: "Events",
    type: "webhook",
    config: { type: "webhook", mappings },
  });
  const record = await stepwell.records.create(app.id, id, { data: { loan: { number: "L-1" } } });
  await stepwell.collections.remove(app.id, id);
  return { id, path: `/apps/${app.id}/collections/${id}`, record: record.id };
}

async function expectRefused(button: Locator): Promise<void> {
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await button.getAttribute("title")).toBe(REFUSAL);
}

/** The items of a menu that say that the collection is deleted. */
async function refusedItems(page: Page, menu: Locator): Promise<string[]> {
  await menu.click();
  await page.getByRole("menuitem").first().waitFor();
  const refused = page.getByRole("menuitem").filter({ hasText: REFUSAL });
  expect(await refused.evaluateAll((all) => all.every((item) => item.matches(":disabled, [aria-disabled=true]")))).toBe(
    true,
  );
  return (await refused.allInnerTexts()).map((text) => text.split("\n")[0] ?? "");
}

describe("a deleted collection", () => {
  it("refuses to change its settings, and says that it has to be restored first", async () => {
    const { path } = await createDeleted("Old settings");
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}/settings`);
    await page.getByText("This collection is deleted.").waitFor();
    await page.getByText("Visibility").waitFor();
    expect(await page.getByRole("button", { name: /^(Edit|Delete)$/ }).count()).toBe(0);
    await page.getByRole("tab", { name: "Rules" }).click();
    await expectRefused(page.getByRole("button", { name: "New rule" }));
    const rule = page.getByRole("button", { name: "More actions: Check" });
    expect(await refusedItems(page, rule)).toEqual(["Edit", "Disable", "Delete"]);
    for (const section of ["Mappings", "Indexes"]) {
      await page.getByRole("tab", { name: section }).click();
      await expectRefused(page.getByRole("button", { name: "Save" }));
    }
    await page.getByRole("tab", { name: "Triggers" }).click();
    await expectRefused(page.getByRole("button", { name: "New trigger" }));
    await expectRefused(page.getByRole("button", { name: "Show Address: Events" }));
    await expectRefused(page.getByRole("button", { name: "Show Last events: Events" }));
    const trigger = page.getByRole("button", { name: "More actions: Events" });
    expect(await refusedItems(page, trigger)).toEqual(["Edit", "Send a test event", "Disable", "Delete"]);
    expect(await faults()).toEqual([]);
  });

  it("refuses to write its records, and exports them", async () => {
    const { path } = await createDeleted("Old records");
    const { page, go } = await openConsole(browser, server);
    await go(path);
    await expectRefused(page.getByRole("button", { name: "New record" }));
    const more = page.getByRole("main").getByRole("button", { name: "More actions" });
    expect(await refusedItems(page, more)).toEqual(["Import…", "Run the rules on these records"]);
    expect(await page.getByRole("menuitem", { name: "Export as CSV" }).isEnabled()).toBe(true);
  });

  it("is named on the page of a record, which cannot be saved until it is restored", async () => {
    const { path, record } = await createDeleted("Old record");
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}/records/${record}`);
    await page.getByText("This collection is deleted.").waitFor();
    await expectRefused(page.getByRole("button", { name: "Run the rules" }));
    await expectRefused(page.getByRole("button", { name: "Save" }));
    const more = page.getByRole("main").getByRole("button", { name: "More actions" });
    expect(await refusedItems(page, more)).toEqual(["Delete"]);
    await page.keyboard.press("Escape");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isEnabled()).toBe(true);
  });

  it("asks for the permission to write collections before anything else", async () => {
    const { path } = await createDeleted("Old and read-only");
    const { key } = await server.createKey("collections:read");
    const { page, go } = await openConsole(browser, server, { key });
    await go(path);
    const create = page.getByRole("button", { name: "New record" });
    expect(await create.getAttribute("title")).toBe("Needs the permission collections:write.");
    await go(`/apps/${app.id}/collections?deleted=true`);
    const row = page.getByRole("row", { name: /Old and read-only/ });
    expect(await row.getByRole("button", { name: "Restore" }).isDisabled()).toBe(true);
  });
});

describe("a restored collection", () => {
  it("is announced, and the focus goes to the heading", async () => {
    const { id, path } = await createDeleted("Old loans");
    const { page, go, faults } = await openConsole(browser, server);
    await go(path);
    const status = page.getByRole("status").filter({ hasText: "This collection is deleted." });
    expect(await status.innerText()).toBe("This collection is deleted.");
    await page.getByRole("button", { name: "Restore" }).focus();
    await page.keyboard.press("Enter");
    await status.waitFor({ state: "detached" });
    await page.locator(".announced").getByText("“Old loans” was restored.").waitFor({ state: "attached" });
    await focusAt(page, "h1");
    expect(await focusedText(page)).toBe("Old loans");
    expect((await stepwell.collections.get(app.id, id)).deleted).toBe(false);
    expect(await faults()).toEqual([]);
  });

  it("is announced in the list, too", async () => {
    await createDeleted("Old list");
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/collections?deleted=true`);
    await page
      .getByRole("row", { name: /Old list/ })
      .getByRole("button", { name: "Restore" })
      .click();
    await page.locator(".announced").getByText("“Old list” was restored.").waitFor({ state: "attached" });
  });

  it("stays deleted when the server refuses, in a dialog that is in no live region", async () => {
    const { id, path } = await createDeleted("Kept loans");
    const { page, go } = await openConsole(browser, server);
    await go(path);
    refuse(server, "POST", new RegExp(`/collections/${id}/restore$`), "Not now.");
    await page.getByRole("button", { name: "Restore" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Not now.").waitFor();
    expect(await dialog.evaluate((one) => one.closest("[role=status], [aria-live]"))).toBe(null);
    expect(await page.locator(".announced").innerText()).toBe("");
  });
});
