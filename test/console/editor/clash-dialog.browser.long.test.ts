/** The dialog for a draft that two people have changed: what it offers, and what it says of the rest. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const FAILED = /Failed to load resource|response 50\d/;

const code = (key: string, text = `return "${key}"`): Step => ({ type: "code", key, code: text });

/** Renames the step `two` in the page, which hears of what others have stored only then. */
async function openClash(name: string, theirs: readonly Step[], renamed: string) {
  const { id, path } = await createWorkflow(server, name, [code("one"), code("two")]);
  const { page, go, complaints, faults } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  complaints.allow(FAILED);
  await page.route("**/draft", (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  const { revision } = await storedDraft(server, id);
  await server.stepwell.workflows.putDraft(server.app.id, id, { steps: [...theirs], expected_revision: revision });
  await page.getByRole("treeitem", { name: /^two / }).focus();
  await page.keyboard.press("F2");
  await page.getByRole("dialog").getByRole("textbox").fill(renamed);
  await page.keyboard.press("Enter");
  await page.getByRole("treeitem", { name: new RegExp(`^${renamed} `) }).waitFor();
  await page.unroute("**/draft");
  const dialog = page.getByRole("dialog", { name: "Somebody else changed this draft" });
  await dialog.waitFor();
  expect(await faults()).toEqual([]);
  return { id, page, dialog };
}

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

it("says that nothing was changed by both, and keeps both with the Enter key", async () => {
  const { id, page, dialog } = await openClash("Apart", [code("one"), code("two", "return 2")], "neu");
  await dialog.getByText("You changed different parts: both changes are kept").waitFor();
  // The name of a step and what it does are told apart.
  await dialog.getByRole("group", { name: "Step two changed by others" }).waitFor();
  await dialog.getByRole("group", { name: "Key of step two changed by you" }).waitFor();
  await expect.poll(() => focusedText(page)).toBe("Keep both");
  await page.keyboard.press("Enter");
  await untilStored(server, id, ["one", "neu"]);
  expect((await storedDraft(server, id)).steps[1]).toMatchObject({ code: "return 2" });
});

it("says that a new key is taken, and offers it when the other step is not kept", async () => {
  const theirs = [code("one"), code("two"), { type: "note", key: "neu", note: "Theirs" } as const];
  const { id, dialog } = await openClash("Taken", theirs, "neu");
  const key = dialog.getByRole("group", { name: "Key of step two changed by you" });
  await key.getByText("Another step has this key. This step gets the key “two”.").waitFor();
  expect(await key.getByRole("radio").count()).toBe(0);
  await dialog.getByRole("group", { name: "Step neu" }).getByRole("radio", { name: "Yours" }).check();
  await expect.poll(() => key.getByRole("radio", { name: "Yours" }).isChecked()).toBe(true);
  await key.getByText("Another step has this key.").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Save the choice" }).click();
  await untilStored(server, id, ["one", "neu"]);
});
