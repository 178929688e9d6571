/** What was typed and not saved is not lost without a question. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

/** Answers the questions of a page, and keeps their texts. */
function answering(page: Page) {
  const answers = { next: false, asked: 0 };
  page.on("dialog", (dialog) => {
    answers.asked++;
    expect(dialog.message()).toBe("There are changes that are not saved. Discard them?");
    void (answers.next ? dialog.accept() : dialog.dismiss());
  });
  return answers;
}

it("asks before the page of a record is left, by a link, the command menu or Back", async () => {
  const { id } = await stepwell.collections.create(app.id, { name: "Loans" });
  const record = await stepwell.records.create(app.id, id, { data: { loan: { amount: 5 } }, key: "A-1" });
  const { page, go } = await openConsole(browser, server);
  const answers = answering(page);
  await go(`/apps/${app.id}/collections/${id}`);
  const main = page.getByRole("main");
  const open = async () => {
    await main.getByRole("table").getByRole("link").first().click();
    await main.getByRole("button", { name: "Save" }).waitFor();
  };
  // Nothing has changed: no question.
  await open();
  await page.goBack();
  await main.getByRole("table").waitFor();
  expect(answers.asked).toBe(0);

  await open();
  const amount = main.getByRole("textbox", { name: "amount" });
  await amount.fill("7");
  await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).click();
  await expect.poll(() => answers.asked).toBe(1);
  await page.goBack();
  await expect.poll(() => answers.asked).toBe(2);
  expect(await amount.inputValue()).toBe("7");
  expect(new URL(page.url()).pathname).toContain(record.id);

  await main.getByRole("button", { name: "Save" }).click();
  await main.getByRole("status").getByText("Saved.").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("heading", { level: 1, name: "Schedules" }).waitFor();
  expect(answers.asked).toBe(2);
});

it("asks before another tab of the settings takes the place of mappings that are not saved", async () => {
  const { id } = await stepwell.collections.create(app.id, { name: "Mapped" });
  const { page, go } = await openConsole(browser, server);
  const answers = answering(page);
  await go(`/apps/${app.id}/collections/${id}/settings?section=mappings`);
  await page.getByRole("button", { name: "Add a mapping" }).click();
  await page.getByLabel("Source field").fill("loan:amount");
  await page.getByRole("tab", { name: "Triggers" }).click();
  await expect.poll(() => answers.asked).toBe(1);
  expect(await page.getByLabel("Source field").inputValue()).toBe("loan:amount");
  answers.next = true;
  await page.getByRole("tab", { name: "Triggers" }).click();
  await page.getByRole("button", { name: "New trigger" }).waitFor();
});

it("asks before Escape closes a dialog in which something was typed", async () => {
  const { page, go } = await openConsole(browser, server);
  const answers = answering(page);
  await go(`/apps/${app.id}/collections`);
  const create = page.getByRole("button", { name: "New collection" }).first();
  const dialog = page.getByRole("dialog");
  await create.click();
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(answers.asked).toBe(0);
  await create.click();
  await dialog.getByLabel("Name").fill("Typed");
  for (const asked of [1, 2, 3]) {
    await page.keyboard.press("Escape");
    await expect.poll(() => answers.asked).toBe(asked);
  }
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Typed");
  answers.next = true;
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

it("keeps a dialog open whose picker of files is closed without a choice", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows`);
  await page.getByRole("button", { name: "Import…" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("JSON").fill("{}");
  await dialog.locator("input[type=file]").dispatchEvent("cancel", { bubbles: true });
  expect(await dialog.getByLabel("JSON").inputValue()).toBe("{}");
});
