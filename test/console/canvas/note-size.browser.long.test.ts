/** Notes on the canvas: the pointer changes their size, and their text fills it. */
import type { CDPSession, Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { createWorkflow, storedDraft } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

const STEPS: readonly Step[] = [
  { type: "note", key: "about", note: "Loans above 1000 are approved by a person." },
  { type: "code", key: "a", code: "return 1", destinations: ["b"] },
  { type: "code", key: "b", code: "return 2" },
];

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
}

const stepOf = (page: Page, key: string) => page.locator(`.canvas .react-flow__node:has([data-step="${key}"])`);
const handleOf = (page: Page, side: string) =>
  stepOf(page, "about").locator(`.react-flow__resize-control.handle.${side}`);

async function middleOf(place: Locator) {
  const { x, y, width, height } = await boxOf(place);
  return { x: x + width / 2, y: y + height / 2 };
}

async function drag(page: Page, from: { readonly x: number; readonly y: number }, dx: number, dy: number) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + dx, from.y + dy, { steps: 4 });
  await page.mouse.up();
}

async function openNote(name: string, options = {}) {
  const { id, path } = await createWorkflow(server, name, [...STEPS]);
  const { page, go } = await openConsole(browser, server, options);
  await go(`${path}?view=canvas&step=about`);
  await handleOf(page, "bottom.right").waitFor();
  const stored = async () => (await storedDraft(server, id)).steps;
  return { page, stored };
}

describe("the size of a note", () => {
  it("is changed at a corner, in one change that can be undone, and leaves all else where it is", async () => {
    const { page, stored } = await openNote("Larger");
    const before = { note: await boxOf(stepOf(page, "about")), b: await boxOf(stepOf(page, "b")) };
    await drag(page, await middleOf(handleOf(page, "bottom.right")), 120, 60);
    const { x, y, width, height } = before.note;
    await expect.poll(async () => (await stored())[0]?.size).toEqual([width + 120, height + 60]);
    expect(await boxOf(stepOf(page, "about"))).toEqual({ x, y, width: width + 120, height: height + 60 });
    expect(await boxOf(stepOf(page, "b"))).toEqual(before.b);
    await page.locator(".announced").getByText("about was resized.").waitFor({ state: "attached" });
    await page.keyboard.press("Control+z");
    await expect.poll(stored).toEqual(STEPS);
    expect(await boxOf(stepOf(page, "about"))).toEqual(before.note);
  });

  it("is changed at its upper left, which moves, down to a smallest size", async () => {
    const { page, stored } = await openNote("Smaller");
    const before = await boxOf(stepOf(page, "about"));
    await drag(page, await middleOf(handleOf(page, "top.left")), 500, 300);
    await expect.poll(async () => (await stored())[0]?.size).toEqual([96, 44]);
    const after = await boxOf(stepOf(page, "about"));
    expect([after.x + after.width, after.y + after.height]).toEqual([
      before.x + before.width,
      before.y + before.height,
    ]);
    expect((await stored())[0]?.position).toBeDefined();
  });

  it("stays as it is when a handle is only clicked", async () => {
    const { page, stored } = await openNote("Clicked");
    const { x, y } = await middleOf(handleOf(page, "bottom.right"));
    await page.mouse.click(x, y);
    await page.locator(".canvas [data-step=a]").click();
    await page.keyboard.press("F2");
    await page.getByRole("dialog").getByRole("textbox").fill("first");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stored())[1]?.key).toBe("first");
    expect((await stored())[0]).toEqual(STEPS[0]);
  });

  it("is changed with a finger, beside the corner", async () => {
    const { page, stored } = await openNote("Touched", { hasTouch: true });
    const { width, height } = await boxOf(stepOf(page, "about"));
    const { x, y } = await middleOf(handleOf(page, "bottom.right"));
    const client = await page.context().newCDPSession(page);
    await touch(client, [x + 8, y + 8], [x + 48, y + 28], [x + 88, y + 48]);
    await expect.poll(async () => (await stored())[0]?.size).toEqual([width + 80, height + 40]);
  });
});

type Place = readonly [number, number];

async function touch(client: CDPSession, start: Place, ...moves: readonly Place[]): Promise<void> {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", ...places: readonly Place[]) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y]) => ({ x, y })) });
  await send("touchStart", start);
  for (const move of moves) await send("touchMove", move);
  await send("touchEnd");
}

it("wraps the text of a note at its width, so that all of it is seen where there is room", async () => {
  const note = [
    "## Document intake",
    "1. A document comes in, as PDF, Word or a photo.",
    "2. A model reads sender, subject and total out of it.",
    "3. Above **1,000** a person decides; the run waits for that as long as it takes.",
    "4. It becomes a record of the collection *Documents*.",
  ].join("\n\n");
  const { path } = await createWorkflow(server, "Wide note", [
    { type: "note", key: "about", note, size: [480, 180], position: [0, -220], display: "expanded" },
    { type: "code", key: "a", code: "return 1", position: [0, 0] },
  ]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  const lines = stepOf(page, "about").locator(".line");
  const words = await boxOf(stepOf(page, "about").locator(".words"));
  expect(await lines.count()).toBe(5);
  const last = await boxOf(lines.last());
  expect(last.y + last.height).toBeLessThanOrEqual(words.y + words.height);
  const [title, first] = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().height));
  expect(first).toBe(title);
});
