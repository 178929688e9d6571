/** The focus in the editor follows the steps: with the keyboard alone, a person goes on where they were. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { untilEditors } from "../support/editors.ts";
import { focusAt } from "../support/focus.ts";
import { chooseKind, createWorkflow, storedDraft, untilFocused, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const STEPS: readonly Step[] = [
  { type: "code", key: "a", code: "return 1", destinations: ["b"] },
  { type: "code", key: "b", code: "return 2", destinations: ["c"] },
  { type: "code", key: "c", code: "return 3" },
];

const stepParam = (page: Page) => new URL(page.url()).searchParams.get("step");

describe.each(["canvas", "outline"])("the %s", (view) => {
  it("takes the focus to the neighbour of a deleted step, and back to it when it returns", async () => {
    const { id, path } = await createWorkflow(server, "Deleted", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}&step=b`);
    await page.locator(`.editor-view [data-step=b]`).focus();
    await page.keyboard.press("Delete");
    await untilFocused(page, "a");
    await untilStored(server, id, ["a", "c"]);
    expect(stepParam(page)).toBe("a");
    await page.keyboard.press("Control+z");
    await untilFocused(page, "b");
    expect(stepParam(page)).toBe("b");
    await page.keyboard.press("Control+y");
    await untilFocused(page, "a");
  });

  it("stays at a step that is renamed with F2, whose panel stays open", async () => {
    const { id, path } = await createWorkflow(server, `Renamed on the ${view}`, STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}&step=b`);
    await page.getByRole("complementary", { name: "Step b" }).waitFor();
    await page.locator(`.${view} [data-step=b]`).focus();
    await page.keyboard.press("F2");
    await page.getByRole("dialog").getByRole("textbox").fill("renamed");
    await page.keyboard.press("Enter");
    await untilStored(server, id, ["a", "renamed", "c"]);
    await untilFocused(page, "renamed");
    await page.getByRole("complementary", { name: "Step renamed" }).waitFor();
    expect(stepParam(page)).toBe("renamed");
    if (view === "outline") await page.getByRole("treeitem", { name: /^renamed /, selected: true }).waitFor();
  });

  it("takes the focus to a step that the toolbar adds", async () => {
    const { path } = await createWorkflow(server, "Added", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}&step=c`);
    await page.locator(`.editor-view [data-step=c]`).waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Add step" }).focus();
    await page.keyboard.press("Enter");
    await chooseKind(page, "http");
    await untilFocused(page, "request");
    await page.keyboard.press("Delete");
    await untilFocused(page, "c");
  });

  it("takes the focus to the step that returns when redoing after all was undone", async () => {
    const { id, path } = await createWorkflow(server, "All undone");
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}`);
    await page.locator(".empty-state").getByRole("button", { name: "Add step" }).press("Enter");
    await chooseKind(page, "http");
    await untilFocused(page, "request");
    await untilStored(server, id, ["request"]);
    await page.keyboard.press("Control+z");
    await focusAt(page, ".empty-state button");
    await page.keyboard.press("Control+y");
    await untilFocused(page, "request");
  });

  it("gets the focus back from the panel with Escape, which leaves the panel open", async () => {
    const { path } = await createWorkflow(server, "Panel", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}&step=b`);
    await page.locator(`.editor-view [data-step=b]`).focus();
    await page.keyboard.press("Enter");
    await focusAt(page, ".step-panel");
    await page.getByRole("complementary", { name: "Step b" }).getByLabel("Key", { exact: true }).focus();
    await page.keyboard.press("Escape");
    await untilFocused(page, "b");
    await expect.poll(() => page.getByRole("complementary", { name: "Step b" }).count()).toBe(1);
  });
});

describe("a line in the outline", () => {
  const lines: readonly Step[] = [
    { type: "code", key: "a", code: "return 1", destinations: ["b", "c", "d"] },
    { type: "code", key: "b", code: "return 2", destinations: ["d"] },
    { type: "code", key: "c", code: "return 3" },
    { type: "code", key: "d", code: "return 4" },
  ];

  it("gives the focus to the row in its place, else to its step, when it is deleted", async () => {
    const { id, path } = await createWorkflow(server, "Lines", lines);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    const rows = page.getByRole("treeitem");
    const names = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
    const focused = () =>
      page.evaluate(() =>
        document.activeElement?.closest("[role=treeitem][data-row]:focus")?.getAttribute("aria-label"),
      );
    await rows.first().focus();
    const before = await names();
    const line = (await rows.count()) - 1;
    expect(before.length).toBeGreaterThan(4);
    // Every line once, from the last one on, and back.
    for (let at = line; at >= 0; at--) {
      const row = rows.nth(at);
      if ((await row.getAttribute("data-step")) !== null) continue;
      await row.focus();
      await page.keyboard.press("Delete");
      await expect.poll(names).not.toEqual(before);
      expect(await focused()).toEqual(expect.any(String));
      await page.keyboard.press("Control+z");
      await expect.poll(names).toEqual(before);
      await expect.poll(focused).toEqual(expect.any(String));
    }
    await untilStored(server, id, ["a", "b", "c", "d"]);
  });
});

describe("a list to choose from", () => {
  it("leaves undo to the draft", async () => {
    const { id, path } = await createWorkflow(server, "Undone", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=b`);
    const panel = page.getByRole("complementary", { name: "Step b" });
    await panel.getByText("Look", { exact: true }).click();
    await panel.getByLabel("Shown as").selectOption("collapsed");
    await expect.poll(async () => (await storedDraft(server, id)).steps[1]).toHaveProperty("display");
    await panel.getByLabel("Shown as").focus();
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await storedDraft(server, id)).steps[1]).not.toHaveProperty("display");
  });
});

describe("the panel of a step", () => {
  it("keeps Escape for a menu and for an editor of code", async () => {
    const { path } = await createWorkflow(server, "Inside", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=b`);
    const panel = page.getByRole("complementary", { name: "Step b" });
    const menu = panel.getByRole("button", { name: "Actions of b" });
    await menu.focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "[role=menuitem]");
    await page.keyboard.press("Escape");
    await focusAt(page, "button[aria-haspopup=menu]");
    const code = panel.getByRole("textbox", { name: /^Code/ });
    await untilEditors(page);
    await code.focus();
    await page.keyboard.press("Escape");
    const isInside = await panel.evaluate((element) => element.contains(document.activeElement));
    expect(isInside).toBe(true);
    await page.keyboard.press("Tab");
    await panel.getByLabel("Key", { exact: true }).focus();
    await page.keyboard.press("Escape");
    await untilFocused(page, "b");
  });

  it("keeps the focus in a text when its editor takes the place of the plain text area", async () => {
    const { id, path } = await createWorkflow(server, "Loading", STEPS);
    const { page, go } = await openConsole(browser, server);
    // A frame may come before the page has taken the text area away.
    await page.addInitScript(() => {
      window.requestAnimationFrame = (callback) => {
        queueMicrotask(() => callback(0));
        return 0;
      };
    });
    let load: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/assets\/editor-(?!screen)/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await go(`${path}?view=outline&step=b`);
    const area = page.locator(".step-editor .code-editor > textarea").first();
    await area.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("0");
    load();
    await area.waitFor({ state: "detached" });
    await page.keyboard.type("0");
    await expect.poll(async () => (await storedDraft(server, id)).steps[1]).toMatchObject({ code: "return 200" });
  });

  it("starts each step at its top, unless it is opened at a field", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `way${index}`);
    const conditions = Object.fromEntries(
      names.map((name, order) => [name, { condition: "true", destinations: [], order }]),
    );
    const { path } = await createWorkflow(server, "Scrolled", [
      { type: "branch", key: "first", conditions },
      { type: "branch", key: "second", conditions },
    ]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=first`);
    const scrolled = () => page.locator(".step-panel").evaluate((panel) => panel.scrollTop);
    await page.locator(".step-panel [data-condition=way39]").waitFor();
    const scroll = () => page.locator(".step-panel").evaluate((panel) => panel.scrollTo(0, 200));
    await page
      .locator(".step-panel")
      .getByLabel("Key", { exact: true })
      .evaluate((field) => field instanceof HTMLElement && field.focus({ preventScroll: true }));
    await page.keyboard.press("End");
    await page.keyboard.type("_one");
    await scroll();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Step first_one" }).waitFor();
    expect(await scrolled()).toBeGreaterThan(0);
    await scroll();
    await page.locator(".outline [data-step=second]").focus();
    await page.getByRole("complementary", { name: "Step second" }).waitFor();
    expect(await scrolled()).toBe(0);
    await page
      .getByRole("treeitem", { name: /^If way39/ })
      .last()
      .focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "[data-condition=way39]");
    expect(await scrolled()).toBeGreaterThan(0);
  });
});
