/** How steps are connected and opened in the editor, and what screen readers are given when they move. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { chooseKind, createWorkflow, storedDraft, untilFocused } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, position: [number, number], more: Partial<Step> = {}): Step =>
  ({ type: "code", key, code: "return 1", position, ...more }) as Step;

const untilSaid = (page: Page, text: string) =>
  page.locator(".announced", { hasText: text }).waitFor({ state: "attached" });

/** As places within a step, from 0 to 1. */
const PLACES = [
  [0.05, 0.9],
  [0.5, 0.5],
  [0.95, 0.95],
  [0.1, 0.1],
] as const;

it("connects with a step wherever an edge is dropped on it", async () => {
  const start: Step = { type: "input", key: "start", input: {}, position: [0, -200], destinations: ["a", "c"] };
  // The third step is right below the second: its point is nearer to the lower half than that of the second.
  const steps = [start, code("a", [0, 0]), code("b", [300, 0]), code("c", [300, 80])];
  const { page, go } = await openConsole(browser, server);
  for (const [x, y] of PLACES) {
    const { id, path } = await createWorkflow(server, "Dropped", steps);
    await go(`${path}?view=canvas`);
    const target = await page.locator('[data-step="b"]').boundingBox();
    if (target === null) throw new Error("The step is not shown.");
    const from = await page
      .locator('.react-flow__node:has([data-step="a"]) .react-flow__handle.port')
      .first()
      .boundingBox();
    if (from === null) throw new Error("The step has no point to draw from.");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + 30);
    await page.mouse.move(target.x + target.width * x, target.y + target.height * y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await storedDraft(server, id)).steps[1]).toMatchObject({ destinations: ["b"] });
  }
});

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

it("says why a way in the outline cannot be moved", async () => {
  const branch: Step = { type: "branch", key: "sort", conditions: {}, else: ["a"] };
  const { path } = await createWorkflow(server, "Fixed", [branch, code("a", [0, 0])]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  await page.getByRole("treeitem", { name: /^Else/ }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByRole("status").getByText("Only steps can be moved here.").waitFor();
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

it("goes through the problems from either end", async () => {
  const steps = ["a", "b", "c"].map((key, at) => code(key, [0, at * 100], { conditional: "1 +" }));
  const { path } = await createWorkflow(server, "Wrong", steps);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  await page.getByRole("button", { name: "3 problems" }).waitFor();
  await page.keyboard.press("Shift+F8");
  await page.getByRole("complementary", { name: "Step c" }).waitFor();
  await page.keyboard.press("F8");
  await page.getByRole("complementary", { name: "Step a" }).waitFor();
});

it("leads from problem to problem, each at its field, and says when there is none", async () => {
  const a = code("a", [0, 0], { conditional: "1 +", loop: "2 +" });
  const { id, path } = await createWorkflow(server, "Fields with problems", [a]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=a`);
  await page.locator(".problem-button", { hasText: "2 problems" }).waitFor();
  // From wherever the person is in the panel.
  await page.getByRole("tab", { name: "Data" }).click();
  const reached = [];
  for (const _ of ["first", "second"]) {
    await page.keyboard.press("F8");
    const field = page.locator(".step-settings .field:has(:focus)");
    await field.waitFor();
    const message = await field.locator(".field-error").innerText();
    await untilSaid(page, message.trim());
    reached.push(await field.locator("label").innerText());
  }
  expect(new Set(reached).size).toBe(2);
  await server.stepwell.workflows.putDraft(server.app.id, id, { steps: [code("a", [0, 0])] });
  await page.locator(".problem-button", { hasText: "No problems" }).waitFor();
  await page.keyboard.press("F8");
  await page.getByRole("status").getByText("No problems").waitFor();
});

/** The Enter key with which somebody ends a word of an input method. */
const endWord = (field: Locator) =>
  field.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });

it("chooses nothing with the key that ends a word of an input method", async () => {
  const { path } = await createWorkflow(server, "Words");
  const { page, go } = await openConsole(browser, server);
  await go(path);
  await page.getByRole("button", { name: "Add step" }).first().click();
  const kinds = page.getByRole("combobox", { name: "Type, service or action" });
  await kinds.fill("code");
  await endWord(kinds);
  expect(await kinds.inputValue()).toBe("code");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  const commands = page.getByRole("combobox", { name: "Search or run an action" });
  await commands.fill("files");
  await endWord(commands);
  expect(await commands.inputValue()).toBe("files");
});
