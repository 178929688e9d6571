/** Where somebody is in the list of runs: the keys act there, and the focus and the rows stay in view. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";
import { createSeedClock, seed } from "./support/seed.ts";

const clock = createSeedClock();
const { browser, server } = await openBrowserAndServer({ clock });
await seed(server, clock, { runs: 200, workflows: 8, records: 5 });

const runs = (query = "") => `/apps/${server.app.id}/runs${query}`;
const rowAt = (page: Page, index: number) => page.locator(`.run-table [data-index="${index}"]`);
const selected = (page: Page) => page.locator('.run-table [data-run][aria-selected="true"]').count();

it("has the keys of a row also while its box has the focus", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(runs());
  const box = rowAt(page, 3).getByRole("checkbox");
  await box.click();
  await focusAt(page, '[data-index="3"] input');
  await expect.poll(() => selected(page)).toBe(1);
  // The box itself has a use for this key: it changes once.
  await page.keyboard.press(" ");
  await expect.poll(() => selected(page)).toBe(0);
  await page.keyboard.press("x");
  await expect.poll(() => selected(page)).toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(() => selected(page)).toBe(0);
  await page.keyboard.press("j");
  await focusAt(page, '[data-index="4"]');
  await box.click();
  await page.keyboard.press("k");
  await focusAt(page, '[data-index="2"]');
});

/** The rows on the screen, and where they begin. */
const places = (page: Page) =>
  page.locator(".run-table [data-run]").evaluateAll((all) =>
    all.flatMap((row) => {
      const { top } = row.getBoundingClientRect();
      return top < 60 || top > innerHeight ? [] : [`${row.getAttribute("data-run")} ${Math.round(top)}`];
    }),
  );

/** What {@link places} says once two frames in a row agree. */
async function stillPlaces(page: Page): Promise<readonly string[]> {
  let before: readonly string[] = [];
  await expect
    .poll(async () => {
      const now = await places(page);
      const isStill = now.length > 0 && now.join() === before.join();
      before = now;
      return isStill;
    })
    .toBe(true);
  return before;
}

it("gives the row that was opened the focus again when somebody comes back", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(runs());
  await rowAt(page, 0).focus();
  for (let index = 1; index <= 15; index++) {
    await page.keyboard.press("j");
    await focusAt(page, `[data-index="${index}"]`);
  }
  const before = await stillPlaces(page);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/runs/*");
  await focusAt(page, "h1");
  await page.goBack();
  await focusAt(page, '[data-index="15"]');
  expect(await stillPlaces(page)).toEqual(before);
  await page.keyboard.press("j");
  await focusAt(page, '[data-index="16"]');
  // Also after a click, on its name or beside it.
  for (const part of [".workflow a", ".trigger"]) {
    await rowAt(page, 12).locator(part).click();
    await page.waitForURL("**/runs/*");
    await focusAt(page, "h1");
    await page.goBack();
    await focusAt(page, '[data-index="12"]');
  }
  // People who come from elsewhere begin at the heading.
  await page.getByRole("navigation").getByRole("link", { name: "Workflows" }).click();
  await page.getByRole("heading", { level: 1, name: "Workflows" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
  await rowAt(page, 12).waitFor();
  await focusAt(page, "h1", "Runs");
});

it.each([768, 390])("shows the same rows at the same places after a run at %i px", async (width) => {
  const { page, go } = await openConsole(browser, server, { viewport: { width, height: 800 } });
  await go(runs());
  for (const index of [30, 60, 90]) {
    await rowAt(page, index - 30).waitFor();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 150);
        return rowAt(page, index).count();
      })
      .toBe(1);
  }
  const before = await stillPlaces(page);
  const [id = ""] = before[3]?.split(" ") ?? [];
  await page.locator(`[data-run="${id}"] .workflow a`).click();
  await page.waitForURL(`**/runs/${id}`);
  await focusAt(page, "h1");
  await page.goBack();
  await focusAt(page, `[data-run="${id}"]`);
  expect(await stillPlaces(page)).toEqual(before);
});

/** Whether all of what has the focus is seen, clear of the bars that stay. */
const isFocusSeen = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null) return false;
    const { left, width, top, bottom } = activeElement.getBoundingClientRect();
    return [top + 3, (top + bottom) / 2, bottom - 3].every((y) =>
      activeElement.contains(document.elementFromPoint(left + width / 2, y)),
    );
  });

it.each([1280, 390])("shows the progress of a job where somebody has started it, at %i px", async (width) => {
  const { page, go } = await openConsole(browser, server, { viewport: { width, height: 800 } });
  await go(runs("?status=succeeded"));
  await rowAt(page, 0).focus();
  for (let index = 1; index <= 40; index++) {
    await page.keyboard.press("j");
    await focusAt(page, `[data-index="${index}"]`);
  }
  await page.keyboard.press("x");
  await page.locator(".bulk-bar").getByRole("button", { name: "Replay" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
  await focusAt(page, ".bulk-progress", "Replaying runs");
  await expect.poll(() => isFocusSeen(page)).toBe(true);
  await page.getByText("1 of 1 · Finished").waitFor();
  await expect.poll(() => isFocusSeen(page)).toBe(true);
  // What the progress leaves of the window shows the row with the focus.
  await rowAt(page, 0).waitFor();
  await rowAt(page, 0).focus();
  for (const key of ["End", "Home"]) {
    const before = await page.evaluate(() => document.activeElement?.getAttribute("data-run"));
    await page.keyboard.press(key);
    await page.waitForFunction((id) => document.activeElement?.getAttribute("data-run") !== id, before);
    await expect.poll(() => isFocusSeen(page), { message: key }).toBe(true);
  }
});

it.each([
  { width: 768, isSelected: false },
  { width: 768, isSelected: true },
  { width: 390, isSelected: false },
  { width: 390, isSelected: true },
])("shows the last row after the key for it, %o", async ({ width, isSelected }) => {
  const { page, go } = await openConsole(browser, server, { viewport: { width, height: 800 } });
  await go(runs());
  await rowAt(page, 0).focus();
  if (isSelected) {
    await page.keyboard.press("x");
    await page.locator(".bulk-bar").waitFor();
  }
  for (let more = 0; more < 3; more++) {
    const before = await page.evaluate(() => document.activeElement?.getAttribute("data-run"));
    await page.keyboard.press("End");
    await page.waitForFunction((id) => document.activeElement?.getAttribute("data-run") !== id, before);
    await stillPlaces(page);
    expect(await isFocusSeen(page), `after ${more}`).toBe(true);
    await rowAt(page, more * 50 + 50).waitFor({ state: "attached" });
  }
});
