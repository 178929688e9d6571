/** The canvas of 200 and 500 steps that are all on the screen: panning, and the layout. */
import { canvasGraphOf } from "../../adapters/console/app/canvas/canvas-graph.ts";
import { placeSteps } from "../../adapters/console/app/canvas/placing/place-steps.ts";
import { largeSteps } from "../../test/console/support/seed.ts";
import { median } from "../measure.js";
import { afterClick, openTab } from "./tab.js";

const LEAST_FRAMES = { 200: 30, 500: 20 };
const MOST_LAYOUT_MS = { 200: 300, 500: 800 };
const PAN_MS = 3_000;
const MOST_SCRIPT_MS = 24;

export async function measureCanvas({ browser, server, floor, budgets }) {
  for (const count of [200, 500]) {
    const steps = largeSteps(count);
    budgets.time(`layout of ${count} steps`, layoutTime(steps), MOST_LAYOUT_MS[count]);
    const tab = await openTab(browser, server);
    await tab.page.goto(tab.path(`/runs/${server.largeRun[count]}`));
    await tab.page.locator("[data-row]").first().waitFor();
    const opened = await afterClick(
      tab.page,
      () => tab.page.locator(".switch-buttons button").nth(1).click(),
      () => document.querySelector(".react-flow__viewport [data-step]") !== null,
    );
    budgets.note(`canvas of ${count} steps, from click`, opened, "ms");
    const near = await pan(tab);
    budgets.note(`the same at its beginning, panned`, near.rate, "frames/s");
    await tab.page.locator(".canvas-controls button").nth(2).click();
    await tab.page.waitForTimeout(500);
    const plain = await floor.frames(count);
    const whole = await pan(tab);
    budgets.frames(`canvas of ${count} steps, all on the screen, panned`, whole.rate, LEAST_FRAMES[count], plain);
    budgets.time("the same: script of a frame", whole.script, MOST_SCRIPT_MS);
    budgets.note("the same: all work of the main thread in a frame", whole.all, "ms");
    await tab.close();
  }
}

/** Milliseconds of the page's own function, in the same JavaScript engine. */
function layoutTime(steps) {
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    placeSteps(canvasGraphOf(steps));
    return performance.now() - started;
  });
  return median(times);
}

/** Turns the wheel for some seconds. */
async function pan({ page, work }) {
  const box = await page.locator(".canvas").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const before = await work();
  await page.evaluate(() => window.bench.recordFrames());
  const started = performance.now();
  for (let turn = 0; performance.now() - started < PAN_MS; turn++) {
    await page.mouse.wheel((turn % 40 < 20 ? 1 : -1) * 8, (turn % 60 < 30 ? 1 : -1) * 12);
  }
  const frames = await page.evaluate(() => window.bench.stopFrames());
  const after = await work();
  const time = frames.reduce((sum, frame) => sum + frame, 0);
  return {
    rate: (frames.length * 1_000) / time,
    script: (after.script - before.script) / frames.length,
    all: (after.all - before.all) / frames.length,
  };
}
