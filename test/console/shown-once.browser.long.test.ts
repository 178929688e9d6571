/** A secret that the server shows once does not get lost by a key. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

it("a new key stays until it is copied, or somebody closes it", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, go, faults } = await openConsole(browser, server, { key: ADMIN_KEY, permissions });
  await go(`/apps/${server.app.id}/keys`);
  const dialog = page.getByRole("dialog", { name: "Your new key" });
  const create = async (name: string) => {
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
    await focusAt(page, "dialog .shown-once button");
  };
  await create("Copied");
  const key = await dialog.locator("code").innerText();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect.poll(() => dialog.locator("code").innerText()).toBe(key);
  await expect.poll(() => dialog.getByRole("button", { name: "Close" }).count()).toBe(0);
  expect(await faults()).toEqual([]);
  await page.locator(".shown-once button").focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Copied", { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await create("Closed");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
  await focusAt(page, "button", "New key");
});

it("a new key, and what was typed into a dialog, are not left by the command menu without a question", async () => {
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  const questions: string[] = [];
  let answer = false;
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void (answer ? dialog.accept() : dialog.dismiss());
  });
  const leave = async () => {
    const asked = questions.length;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("files");
    await page.getByRole("option", { name: "Files" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => questions.length).toBe(asked + 1);
  };
  await go(`/apps/${server.app.id}/keys`);
  await page.getByRole("button", { name: "New key" }).first().click();
  const form = page.getByRole("dialog", { name: "New key" });
  await form.getByLabel("Name").fill("Mine");
  await leave();
  expect(questions).toEqual(["There are changes that are not saved. Discard them?"]);
  await page.keyboard.press("Escape");
  expect(await form.getByLabel("Name").inputValue()).toBe("Mine");
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: "Your new key" }).waitFor();
  await leave();
  expect(questions.at(-1)).toBe("This is shown only once, and you have not copied it. Leave it?");
  expect(new URL(page.url()).pathname).toMatch(/\/keys$/);
  await page.keyboard.press("Escape");
  answer = true;
  await leave();
  await page.waitForURL("**/files");
});
