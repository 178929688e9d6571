/** How new steps open in the editor, and what screen readers are given when steps move. */
import type { Page } from "playwright-core";
import { it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { chooseKind, createWorkflow, untilFocused } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, position: [number, number], more: Partial<Step> = {}): Step =>
  ({ type: "code", key, code: "return 1", position, ...more }) as Step;

const untilSaid = (page: Page, text: string) =>
  page.locator(".announced", { hasText: text }).waitFor({ state: "attached" });

it("opens a new step at its settings, and then the tab that was chosen", async () => {
  const { path } = await createWorkflow(server, "Added", [code("a", [0, 0])]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=a`);
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("treeitem", { name: /^a/ }).focus();
  await page.keyboard.press("a");
  await chooseKind(page, "http");
  await untilFocused(page, "request");
  await page.getByRole("tab", { name: "Settings", selected: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("tab", { name: "Data", selected: true }).waitFor();
});

it("announces what is moved, undone and redone on the canvas", async () => {
  const { path } = await createWorkflow(server, "Moved", [code("a", [0, 0])]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  await page.locator('[data-step="a"]').focus();
  await page.keyboard.press("Alt+ArrowRight");
  await untilSaid(page, "a was moved.");
  await page.keyboard.press("Control+z");
  await untilSaid(page, "Undone.");
  await page.keyboard.press("Control+y");
  await untilSaid(page, "Redone.");
});
