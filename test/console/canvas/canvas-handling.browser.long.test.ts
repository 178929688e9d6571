/** What a person sees of the canvas while steps are moved, and while a field of the panel has the focus. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { chooseKind, createWorkflow, storedDraft, untilFocused } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, ...destinations: string[]): Step => ({ type: "code", key, code: "return 1", destinations });

const SIZE: Step = {
  type: "branch",
  key: "size",
  conditions: { large: { condition: "true", destinations: ["a"], order: 0 } },
};

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
}

const stepOf = (page: Page, key: string) => page.locator(`.canvas [data-step="${key}"]`);

it("moves only the step that is moved, with a key and with the pointer", async () => {
  const { id, path } = await createWorkflow(server, "Never arranged", [code("a", "b"), code("b", "c"), code("c")]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  const before = { a: await boxOf(stepOf(page, "a")), c: await boxOf(stepOf(page, "c")) };
  await stepOf(page, "b").focus();
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(async () => (await storedDraft(server, id)).steps[1]?.position).toBeDefined();
  expect({ a: await boxOf(stepOf(page, "a")), c: await boxOf(stepOf(page, "c")) }).toEqual(before);
  await page.getByRole("button", { name: "Tidy up" }).press("Enter");
  await expect.poll(async () => (await storedDraft(server, id)).steps[1]?.position).toBeUndefined();
  const from = await boxOf(stepOf(page, "b"));
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 320, from.y + 60, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await storedDraft(server, id)).steps[1]?.position).toBeDefined();
  expect({ a: await boxOf(stepOf(page, "a")), c: await boxOf(stepOf(page, "c")) }).toEqual(before);
});

it("follows the step that has the focus when undoing puts it elsewhere, and when Tab leads back to it", async () => {
  const steps: Step[] = [
    { ...code("a"), position: [0, 0] },
    { ...code("b"), position: [0, 3_000] },
  ];
  const { path } = await createWorkflow(server, "Far away", steps);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=b`);
  const canvas = await boxOf(page.locator(".canvas"));
  const isSeen = async () => {
    const { y, height } = await boxOf(stepOf(page, "b"));
    return y >= canvas.y && y + height <= canvas.y + canvas.height;
  };
  await page.getByRole("button", { name: "Tidy up" }).press("Enter");
  await stepOf(page, "b").focus();
  await expect.poll(isSeen).toBe(true);
  await page.keyboard.press("Control+z");
  await expect.poll(isSeen).toBe(true);
  await page.mouse.move(canvas.x + 50, canvas.y + 50);
  await page.mouse.wheel(0, 2_000);
  await expect.poll(isSeen).toBe(false);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await untilFocused(page, "b");
  await expect.poll(isSeen).toBe(true);
});

it("keeps all steps in view when the panel of a step takes room from the canvas", async () => {
  const steps: Step[] = [
    { ...code("a", "b"), position: [0, 0] },
    { ...code("b"), position: [420, 160] },
  ];
  const { path } = await createWorkflow(server, "Beside the panel", steps);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  const before = await boxOf(page.locator(".canvas"));
  const { x, width } = await boxOf(stepOf(page, "b"));
  // The panel will lie over it.
  expect(x + width).toBeGreaterThan(before.x + before.width - 450);
  await stepOf(page, "b").click();
  await page.getByRole("complementary").waitFor();
  const after = await boxOf(page.locator(".canvas"));
  expect(after.width).toBeLessThan(before.width);
  const isSeen = async (place: Locator) => {
    const box = await boxOf(place);
    return box.x >= after.x && box.x + box.width <= after.x + after.width;
  };
  await expect.poll(() => isSeen(stepOf(page, "b"))).toBe(true);
  expect(await isSeen(stepOf(page, "a"))).toBe(true);
  expect(await isSeen(page.getByRole("button", { name: "Add a step after b" }))).toBe(true);
});

it("draws the outline of a step that takes a connection around its own shape, and the connection in the accent color", async () => {
  const steps: Step[] = [
    { ...code("a"), position: [0, 0] },
    { type: "input", key: "ask", input: {}, position: [0, 160] },
  ];
  const { path } = await createWorkflow(server, "Drawn connection", steps);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  const nodeOf = (key: string) =>
    page.locator(".react-flow__node").filter({ has: page.locator(`[data-step="${key}"]`) });
  const radius = (place: Locator) => place.evaluate((element) => getComputedStyle(element).borderRadius);
  const exit = await boxOf(nodeOf("a").locator(".source"));
  await page.mouse.move(exit.x + exit.width / 2, exit.y + exit.height / 2);
  await page.mouse.down();
  await page.mouse.move(exit.x + 100, exit.y + 60, { steps: 4 });
  expect(await radius(nodeOf("ask").locator(".target"))).toBe(await radius(nodeOf("ask").locator(".canvas-step")));
  const drawn = page.locator(".react-flow__connection-path");
  const [stroke, accent] = await drawn.evaluate((line) => {
    const { stroke } = getComputedStyle(line);
    line.style.color = "var(--accent)";
    return [stroke, getComputedStyle(line).color];
  });
  expect(stroke).toBe(accent);
  await page.keyboard.press("Escape");
  await page.mouse.up();
});

it("adds a step with the first click on a plus, also while a condition is being renamed", async () => {
  const { id, path } = await createWorkflow(server, "Renamed condition", [SIZE, code("a")]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=size`);
  await page.locator("[data-condition=large]").fill("A condition with a much longer name");
  await page.getByRole("button", { name: "Add a step between size and a" }).click();
  await chooseKind(page, "http");
  await expect
    .poll(async () => (await storedDraft(server, id)).steps)
    .toMatchObject([
      { conditions: { "A condition with a much longer name": { destinations: ["request"] } } },
      { key: "request", destinations: ["a"] },
      { key: "a" },
    ]);
});

it("adds a step with the first click on a plus, also while the key of its step is being changed", async () => {
  const { id, path } = await createWorkflow(server, "Renamed step", [code("a", "b"), code("b")]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=b`);
  await page.getByRole("complementary").getByLabel("Key", { exact: true }).fill("last");
  await page.getByRole("button", { name: "Add a step after b" }).click();
  await chooseKind(page, "http");
  await expect
    .poll(async () => (await storedDraft(server, id)).steps)
    .toMatchObject([{ key: "a" }, { key: "last", destinations: ["request"] }, { key: "request" }]);
});

it("says nothing again when undoing and redoing lead back to the draft of which it was said", async () => {
  const { path } = await createWorkflow(server, "Said once", [code("a")]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=a`);
  await stepOf(page, "a").focus();
  await page.keyboard.press("a");
  await chooseKind(page, "http");
  await page.getByText("request was added.").waitFor();
  await page.keyboard.press("Control+z");
  await stepOf(page, "request").waitFor({ state: "detached" });
  await page.keyboard.press("Control+y");
  await untilFocused(page, "request");
  expect(await page.getByText("request was added.").count()).toBe(0);
});
