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
