/** Steps that are selected together on the canvas, with Shift and the pointer. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { createWorkflow, untilStored } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

const STEPS: readonly Step[] = [
  { type: "code", key: "a", code: "return 1", destinations: ["b"], position: [0, 0] },
  { type: "code", key: "b", code: "return 2", destinations: ["c"], position: [0, 120] },
  { type: "code", key: "c", code: "return 3", position: [0, 240] },
];

const stepOf = (page: Page, key: string) => page.locator(`.canvas [data-step="${key}"]`);

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
}

/** From the empty canvas above the first step to below the second one. */
async function corners(page: Page) {
  const [first, second] = [await boxOf(stepOf(page, "a")), await boxOf(stepOf(page, "b"))];
  return {
    from: { x: first.x - 30, y: first.y - 20 },
    to: { x: second.x + second.width + 30, y: second.y + second.height + 20 },
  };
}

async function drag(page: Page): Promise<void> {
  const { from, to } = await corners(page);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
}

async function selectTwo(page: Page): Promise<void> {
  await page.keyboard.down("Shift");
  await drag(page);
  await page.keyboard.up("Shift");
  await page.getByRole("status").getByText("2 steps selected", { exact: true }).waitFor();
}

const selectedKeys = (page: Page) =>
  page
    .locator(".react-flow__node.selected [data-step]")
    .evaluateAll((steps) => steps.map((step) => step.getAttribute("data-step")));

async function openCanvas(name: string) {
  const { id, path } = await createWorkflow(server, name, [...STEPS]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  await stepOf(page, "a").waitFor();
  return { id, page };
}

/** The Shift key of a pointer event, for the protocol of the browser. */
const SHIFT = 8;

it("draws the rectangle, and leaves the view where it is, also if only the pointer says that Shift is held", async () => {
  const { page } = await openCanvas("Shift of the pointer");
  const before = await boxOf(stepOf(page, "a"));
  const { from, to } = await corners(page);
  const client = await page.context().newCDPSession(page);
  const send = (type: "mousePressed" | "mouseMoved" | "mouseReleased", { x, y }: typeof from) =>
    client.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button: "left",
      buttons: 1,
      clickCount: 1,
      modifiers: SHIFT,
    });
  await send("mousePressed", from);
  await send("mouseMoved", { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
  await send("mouseMoved", to);
  await send("mouseReleased", to);
  await page.getByRole("status").getByText("2 steps selected", { exact: true }).waitFor();
  expect(await selectedKeys(page)).toEqual(["a", "b"]);
  expect(await boxOf(stepOf(page, "a"))).toEqual(before);
  // Without Shift, the same movement moves the view.
  await drag(page);
  await expect.poll(async () => (await boxOf(stepOf(page, "a"))).y).toBeGreaterThan(before.y + 100);
});

it("is cleared with Escape, which is said, and Delete then deletes nothing", async () => {
  const { id, page } = await openCanvas("Escape");
  await selectTwo(page);
  await page.keyboard.press("Escape");
  await expect.poll(() => selectedKeys(page)).toEqual([]);
  await page.locator(".announced").getByText("Selection cleared.").waitFor({ state: "attached" });
  expect(await page.getByText("2 steps selected").count()).toBe(0);
  await page.keyboard.press("Delete");
  await stepOf(page, "c").click();
  await page.keyboard.press("Delete");
  await untilStored(server, id, ["a", "b"]);
});

it("of one step ends with Escape, too, and closes its panel", async () => {
  const { page } = await openCanvas("One");
  await stepOf(page, "b").click();
  await page.getByRole("complementary", { name: "Step b" }).waitFor();
  await stepOf(page, "b").focus();
  await page.keyboard.press("Escape");
  await page.getByRole("complementary", { name: "Step b" }).waitFor({ state: "detached" });
  expect(await selectedKeys(page)).toEqual([]);
  await page.locator(".announced").getByText("Selection cleared.").waitFor({ state: "attached" });
  await page.keyboard.press("ArrowDown");
  await page.getByRole("complementary", { name: "Step c" }).waitFor();
});

it("gives way to the one step that is clicked, whose panel opens and which alone is deleted", async () => {
  const { id, page } = await openCanvas("One of several");
  await selectTwo(page);
  const { x, y, width, height } = await boxOf(stepOf(page, "b"));
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.getByRole("complementary", { name: "Step b" }).waitFor();
  await expect.poll(() => selectedKeys(page)).toEqual(["b"]);
  await page.keyboard.press("Delete");
  await untilStored(server, id, ["a", "c"]);
});

it("is moved and deleted as a whole", async () => {
  const { id, page } = await openCanvas("As a whole");
  await selectTwo(page);
  const before = { a: await boxOf(stepOf(page, "a")), b: await boxOf(stepOf(page, "b")) };
  const { x, y, width, height } = before.a;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 40, y + height / 2 + 10, { steps: 4 });
  await page.mouse.up();
  await page.locator(".announced").getByText("2 steps were moved: a, b.").waitFor({ state: "attached" });
  const [a, b] = [await boxOf(stepOf(page, "a")), await boxOf(stepOf(page, "b"))];
  expect(a.x).toBeGreaterThan(before.a.x);
  expect([b.x - before.b.x, b.y - before.b.y]).toEqual([a.x - before.a.x, a.y - before.a.y]);
  await page.keyboard.press("Delete");
  await untilStored(server, id, ["c"]);
});
