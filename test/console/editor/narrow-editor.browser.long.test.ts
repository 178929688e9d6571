/** The editor where there is little room: phones, and windows that are zoomed in. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { focusAt } from "../support/focus.ts";
import { createWorkflow } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const STEPS: readonly Step[] = [
  { type: "http_request", key: "a", url: "https://example.com", destinations: ["b"] },
  { type: "http_request", key: "b", url: "https://example.com" },
];

const ZOOMED = { width: 320, height: 256 };

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
}

async function open(name: string, viewport: { readonly width: number; readonly height: number }): Promise<Page> {
  const { path } = await createWorkflow(server, name, STEPS);
  const { page, go } = await openConsole(browser, server, { viewport });
  await go(`${path}?view=canvas`);
  await page.locator('.canvas [data-step="a"]').focus();
  return page;
}

/** Whether the search and the chosen entry below it are seen in what scrolls. */
async function isChosenSeen(search: Locator, room: Locator): Promise<boolean> {
  const [field, around] = [await boxOf(search), await boxOf(room)];
  const chosen = await boxOf(room.locator('[role="option"][aria-selected="true"]'));
  const isBelow = field.y >= around.y && chosen.y >= field.y + field.height;
  return isBelow && chosen.y + chosen.height < around.y + around.height + 1;
}

it("has the bar of sections below the canvas", async () => {
  const page = await open("Low", ZOOMED);
  const canvas = await boxOf(page.locator(".canvas"));
  expect((await boxOf(page.locator(".navigation"))).y).toBeGreaterThanOrEqual(canvas.y + canvas.height);
});

it("opens the settings of a step at their head, and the page ends with them", async () => {
  const low = await open("Settings", ZOOMED);
  await low.keyboard.press("Enter");
  await focusAt(low, ".step-panel");
  const { y } = await boxOf(low.locator(".step-panel > header"));
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(ZOOMED.height / 2);
  const phone = await open("Settings", { width: 390, height: 780 });
  await phone.keyboard.press("Enter");
  await focusAt(phone, ".step-panel");
  await phone.getByRole("textbox", { name: "URL" }).waitFor();
  expect(await phone.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
});

it("keeps a long menu in the window, and the entry that has the focus in view", async () => {
  const { path } = await createWorkflow(server, "Menu", [{ type: "input", key: "start", input: {} }]);
  const { page, go } = await openConsole(browser, server, { viewport: ZOOMED });
  await go(`${path}?view=outline&step=start`);
  await page.getByRole("button", { name: "Add a field" }).click();
  const menu = page.getByRole("menu", { name: "Add a field" });
  await menu.getByRole("menuitem").first().waitFor();
  const isInWindow = async (place: Locator) => {
    const { y, height } = await boxOf(place);
    return y >= 0 && y + height <= ZOOMED.height;
  };
  expect(await isInWindow(menu)).toBe(true);
  for (const key of ["End", "Home"]) {
    await page.keyboard.press(key);
    await expect.poll(() => isInWindow(menu.locator(":focus"))).toBe(true);
  }
});

it("keeps the search for a new step in view while its list is gone through", async () => {
  const page = await open("Search", ZOOMED);
  await page.keyboard.press("a");
  const search = page.getByRole("combobox", { name: "Type, service or action" });
  const body = page.locator(".dialog-body");
  await page.getByRole("option").first().waitFor();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"]) {
    await page.keyboard.press(key);
    await expect.poll(() => isChosenSeen(search, body)).toBe(true);
  }
});
