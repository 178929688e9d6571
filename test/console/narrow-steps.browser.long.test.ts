/** Steps on a phone or a zoomed page, with keys: the focus passes them, and Enter opens one in place of the list. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/workflows/step.ts";
import { createWorkflow, untilFocused } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

const STEPS: readonly Step[] = [
  { type: "code", key: "a", code: "return 1", destinations: ["b"] },
  { type: "code", key: "b", code: "return 2", destinations: ["c"] },
  { type: "code", key: "c", code: "return 3" },
];
const PHONE = { viewport: { width: 390, height: 780 } };
const ZOOMED = { viewport: { width: 320, height: 256 } };

describe.each(["outline", "canvas"])("the %s of the editor", (view) => {
  it.each([PHONE, ZOOMED])("opens a step only with Enter, and gets the focus back", async (options) => {
    const { path } = await createWorkflow(server, "Narrow", STEPS);
    const { page, go } = await openConsole(browser, server, options);
    await go(`${path}?view=${view}`);
    const panel = page.locator(".step-panel");
    await page.locator(".editor-view [data-step=a]").focus();
    await untilFocused(page, "a");
    for (const key of ["b", "c"]) {
      await page.keyboard.press("ArrowDown");
      await untilFocused(page, key);
    }
    expect(await panel.count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Step c" }).waitFor();
    await page.keyboard.press("Escape");
    await untilFocused(page, "c");
    await expect.poll(() => panel.count()).toBe(0);
    await page.keyboard.press("ArrowUp");
    await untilFocused(page, "b");
    await page.locator(".editor-view [data-step=b]").click();
    await page.getByRole("complementary", { name: "Step b" }).getByRole("button", { name: "Close" }).click();
    await untilFocused(page, "b");
  });

  it("gives the panel the keys that follow Enter at once", async () => {
    const { path } = await createWorkflow(server, "Fast", STEPS);
    const { page, go } = await openConsole(browser, server, PHONE);
    await go(`${path}?view=${view}`);
    await page.locator(".editor-view [data-step=b]").focus();
    await untilFocused(page, "b");
    // Before the page is drawn again.
    await page.evaluate(() => {
      for (const key of ["Enter", "Escape"])
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
    await expect.poll(() => page.locator(".step-panel").count()).toBe(0);
    await untilFocused(page, "b");
    await page.keyboard.press("ArrowUp");
    await untilFocused(page, "a");
  });
});

it("has the buttons of all rows of the outline on a phone, and those of one as stops of the keyboard", async () => {
  const { path } = await createWorkflow(server, "Rows", STEPS);
  const { page, go } = await openConsole(browser, server, PHONE);
  await go(`${path}?view=outline`);
  const menus = page.getByRole("tree").getByRole("button", { name: /^Actions of/ });
  await menus.nth(2).waitFor();
  expect(await menus.evaluateAll((all) => all.map((one) => one.getAttribute("tabindex")))).toEqual(["0", "-1", "-1"]);
});

it("lets the page scroll to the end of a step's settings where the window is low", async () => {
  const { path } = await createWorkflow(server, "Low", STEPS);
  const { page, go } = await openConsole(browser, server, ZOOMED);
  await go(`${path}?view=outline&step=a`);
  const field = page.getByRole("complementary", { name: "Step a" }).getByLabel("Key", { exact: true });
  await field.waitFor();
  const heights = await page.locator(".step-panel").evaluate((panel) => ({
    hidden: panel.scrollHeight - panel.clientHeight,
    page: document.documentElement.scrollHeight - innerHeight,
  }));
  expect(heights.hidden).toBe(0);
  expect(heights.page).toBeGreaterThan(0);
});

describe("the page of a run", () => {
  async function openRun(options: Parameters<typeof openConsole>[2], query = "", steps = STEPS) {
    const { stepwell, app } = server;
    const { id } = await createWorkflow(server, "Run", steps);
    await stepwell.workflows.deploy(app.id, id);
    const run = await stepwell.runs.create(app.id, id, { input: {} });
    await expect.poll(async () => (await stepwell.runs.get(app.id, run.id)).status).toBe("succeeded");
    const { page, go } = await openConsole(browser, server, options);
    await go(`/apps/${app.id}/runs/${run.id}${query}`);
    return page;
  }

  it.each(["", "?view=canvas"])("opens a step only with Enter on a phone, and goes back to it (%s)", async (query) => {
    const page = await openRun(PHONE, query);
    await page.locator(".run-views [data-step=a]").focus();
    await page.keyboard.press("ArrowDown");
    await untilFocused(page, "b");
    await page.keyboard.press("ArrowDown");
    await untilFocused(page, "c");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "c" }).waitFor();
    await page.getByRole("button", { name: "Steps" }).click();
    await untilFocused(page, "c");
    await page.locator(".run-views [data-step=b]").click();
    await page.getByRole("heading", { level: 1, name: "b" }).waitFor();
  });

  it("goes back to the list with Escape on a phone", async () => {
    const page = await openRun(PHONE);
    await page.locator(".run-views [data-step=b]").focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "h1", "b");
    await page.keyboard.press("Escape");
    await untilFocused(page, "b");
    expect(await page.getByRole("heading", { level: 1, name: "b" }).count()).toBe(0);
  });

  it("keeps the row that has the focus below the times on a zoomed page", async () => {
    const many = Array.from({ length: 12 }, (_, n): Step => ({ type: "code", key: `step_${n}`, code: "return 1" }));
    const page = await openRun(ZOOMED, "", many);
    const row = (at: number) => page.locator(`.run-views [data-step=step_${at}]`);
    await row(11).focus();
    for (const at of [10, 9, 8, 7, 6, 5]) {
      await page.keyboard.press("ArrowUp");
      await untilFocused(page, `step_${at}`);
      const [head, focused] = [await page.locator(".axis-head").boundingBox(), await row(at).boundingBox()];
      expect(focused?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
    }
    // The bar above has scrolled away.
    expect((await page.locator(".axis-head").boundingBox())?.y).toBe(0);
  });

  it("gives the focus to the row of the step whose panel is closed", async () => {
    const page = await openRun({}, "?step=b");
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await untilFocused(page, "b");
  });
});
