/** What people who use keys and screen readers meet in lists, menus and dialogs. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createGate } from "../support/gate.ts";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const { id: quick } = await createWorkflow(server, "Quick", [{ type: "code", key: "a", code: "return 1" }]);
await stepwell.workflows.deploy(app.id, quick);

const announced = (page: Page, text: string) => page.locator(".announced").getByText(text, { exact: true }).waitFor();

/** Whether something else covers a part of what has the focus. */
const isCovered = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null) return true;
    const { left, width, top, bottom } = activeElement.getBoundingClientRect();
    return [top + 3, bottom - 3].some((y) => {
      const shown = document.elementFromPoint(left + width / 2, y);
      return shown === null || !activeElement.contains(shown);
    });
  });

describe("the list of runs", () => {
  it.each([
    { width: 1280, height: 800 },
    { width: 390, height: 780 },
  ])("keeps the row with the focus clear of the bars at $width px", async (viewport) => {
    const runs = await Promise.all(
      Array.from({ length: 30 }, () => stepwell.runs.create(app.id, quick, { input: {} })),
    );
    await Promise.all(runs.map(({ id }) => stepwell.runs.wait(app.id, id)));
    const { page, go } = await openConsole(browser, server, { viewport });
    await go(`/apps/${app.id}/runs`);
    await page.locator("[data-run]").first().focus();
    await page.keyboard.press(" ");
    await page.locator(".bulk-bar").waitFor();
    for (const key of [
      ...Array.from({ length: 20 }, () => "ArrowDown"),
      ...Array.from({ length: 20 }, () => "ArrowUp"),
    ]) {
      const before = await page.evaluate(() => document.activeElement?.getAttribute("data-run"));
      await page.keyboard.press(key);
      await page.waitForFunction((id) => document.activeElement?.getAttribute("data-run") !== id, before);
      expect(await isCovered(page), key).toBe(false);
    }
  });

  it("names rows and their checkboxes with words apart", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/runs`);
    await page
      .getByRole("row", { name: /^Succeeded Quick v1 / })
      .first()
      .waitFor();
    await page
      .getByRole("checkbox", { name: /^Select Quick, \d/ })
      .first()
      .waitFor();
  });
});

describe("a menu", () => {
  it.each(["light", "dark"] as const)("has a ring around its item with the focus (%s)", async (colorScheme) => {
    const { page, go } = await openConsole(browser, server, { colorScheme });
    await go(`/apps/${app.id}/runs`);
    await page.locator(".top-bar [aria-haspopup=menu]").focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "[role=menuitem]");
    const style = () =>
      page.evaluate(() => (document.activeElement && getComputedStyle(document.activeElement).outline) ?? "");
    expect(await style()).toMatch(/solid 2px$/);
  });

  it("goes to the next item that starts with a letter", async () => {
    const { path } = await createWorkflow(server, "Letters", [{ type: "input", key: "a", input: {} }]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    await page.getByRole("button", { name: "Add a field" }).focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "[role=menuitem]", "Text");
    for (const [key, item] of [
      ["n", "Number"],
      ["d", "Date"],
      ["D", "Date and time"],
      ["d", "Date"],
    ] as const) {
      await page.keyboard.press(key);
      await focusAt(page, "[role=menuitem]", item);
    }
  });
});

describe("the editor", () => {
  it("adds a step from the list of types, which Tab passes", async () => {
    const { path } = await createWorkflow(server, "Types", []);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await page.getByRole("button", { name: "Add step" }).first().focus();
    await page.keyboard.press("Enter");
    const search = page.getByRole("dialog").getByRole("combobox");
    await search.waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.role)).not.toBe("listbox");
    await search.focus();
    await page.keyboard.type("note");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem").waitFor();
  });

  it("shows the whole of a code field, and how to leave it, to who comes with Tab", async () => {
    const { path } = await createWorkflow(server, "Low", [{ type: "code", key: "a", code: "return 1" }]);
    const { page, go } = await openConsole(browser, server, { viewport: { width: 1280, height: 460 } });
    await go(`${path}?view=outline&step=a`);
    const field = page.locator(".step-panel .code-editor").first();
    await field.locator(".leave-hint").waitFor({ state: "attached" });
    await page.getByRole("complementary").getByLabel("Key", { exact: true }).focus();
    for (let at = 0; !(await field.evaluate((frame) => frame.matches(":focus-within"))); at++) {
      expect(at).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    const clip = () =>
      field.evaluate((frame) => {
        const { bottom, left } = frame.getBoundingClientRect();
        return frame.contains(document.elementFromPoint(left + 3, bottom - 3));
      });
    await expect.poll(clip).toBe(true);
  });
});

describe("a dialog", () => {
  it("takes the first choice of a select that was empty when the form was sent", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/schedules`);
    await page.getByRole("button", { name: "New schedule" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("Fill in this field.").waitFor();
    await dialog.getByLabel("Workflow").selectOption(quick);
    await dialog.getByText("Fill in this field.").waitFor({ state: "detached" });
    expect(await dialog.getByLabel("Workflow").inputValue()).toBe(quick);
    await dialog.getByRole("button", { name: "Create" }).click();
    await announced(page, "Saved.");
    await page
      .getByRole("button", { name: /^Actions of Quick: |^Quick: |^More/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page
      .getByRole("dialog", { name: /^Delete “Quick: / })
      .getByRole("button", { name: "Delete" })
      .click();
    await page
      .locator(".announced")
      .getByText(/^“Quick: .*” was deleted\.$/)
      .waitFor();
  });

  it("that creates a collection leads to the content of its page, where a record begins at what adds a value", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/collections`);
    await page.getByRole("button", { name: "New collection" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Empty");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Empty" }).waitFor();
    await focusAt(page, "#content, h1");
    await page.getByRole("button", { name: "New record" }).first().click();
    await focusAt(page, "[data-adds-field]");
  });

  it("asks about a run to cancel with the way back named as such", async () => {
    const { id } = await createWorkflow(server, "Held", [
      { type: "service", key: "hold", service: { service: "tests", action: "hold", input: {} } },
    ]);
    await stepwell.workflows.deploy(app.id, id);
    const run = await stepwell.runs.create(app.id, id, { input: {} });
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/runs/${run.id}`);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

it("says with the button of the theme which one is used", async () => {
  const { page, go } = await openConsole(browser, server, { colorScheme: "light" });
  await go(`/apps/${app.id}/runs`);
  await page.getByRole("button", { name: "Dark theme", pressed: false }).click();
  await page.getByRole("button", { name: "Dark theme", pressed: true }).waitFor();
});

it("goes to the heading of the page that a link leads to, also if it loads", async () => {
  const { id } = await createWorkflow(server, "Loads", [{ type: "code", key: "a", code: "return 1" }]);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs`);
  await page.getByRole("navigation").getByRole("link", { name: "Workflows" }).press("Enter");
  await focusAt(page, "h1", "Workflows");
  const gate = createGate();
  await page.route(`**/workflows/${id}*`, async (route) => {
    await gate.released;
    await route.continue();
  });
  await page.getByRole("link", { name: "Loads" }).press("Enter");
  await focusAt(page, "#content");
  gate.release();
  await focusAt(page, "h1", "Loads");
});

it("leaves the failures of a run where they are while a dialog is open", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Broken",
    steps: [
      {
        type: "code",
        key: "each",
        code: "throw new Error('broken')",
        for_each: { items: "[1, 2]", on_error: "continue" },
        retry: { max_attempts: 1 },
      },
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id);
  await stepwell.runs.wait(app.id, run.id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${run.id}?step=each&at=0&tab=error`);
  await page.getByText("2 failures").waitFor();
  await page.getByRole("button", { name: "Replay…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).focus();
  await page.keyboard.press("n");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).press("Enter");
  expect(new URL(page.url()).searchParams.get("at")).toBe("0");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await page.waitForURL(/at=1/);
});
