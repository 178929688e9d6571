/** What each screen says to a screen reader, as files beside this one; rules of accessibility in its other sizes. */
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../support/browser/open-browser.ts";
import { sample } from "../../support/sample.ts";
import { openScreen, settle } from "./open-screen.ts";
import { SCREENS, type Screen } from "./screens.ts";
import { openScreensServer } from "./screens-server.ts";

const browser = await openBrowser();
const server = await openScreensServer();
afterAll(() => server.server.close());

/** Ids, addresses of this server and measured times differ from run to run. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]+)_[0-9a-z]{12,}/g, "$1_…"],
  [/, …[0-9a-z]{6}\b/g, ", …"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://host"],
  [/\b\d{1,2}:\d{2}(:\d{2})?(\s?[AP]M)?/g, "0:00"],
  // Shown only if it is long enough beside the rest of the run.
  [/\b[\d.,]+ ms in the queue /g, ""],
  [/\b[\d.,]+ (ms|s|min)\b/g, "0 $1"],
  [/\b\d+ min \d+ s\b/g, "0 s"],
];

const withoutVariable = (tree: string) =>
  VARIABLE.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), tree);

const partOf = (page: Page, { part }: Screen) =>
  part === "body" ? page.locator(part) : page.getByRole(part ?? "main");

/** Pixels by which a page is wider than its window. */
const excessOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** One of each kind, for `npm test`. */
const SAMPLE = ["overview", "editor-canvas", "runs", "run-failed", "inbox", "operation"];

describe.each(sample(SCREENS, SAMPLE))("the screen $name", (screen) => {
  it("has the accessibility tree in its file, is accessible in light on a desk, and in dark at 390 pixels", async () => {
    const { page, faults } = await openScreen(browser, server, screen);
    const tree = withoutVariable(await partOf(page, screen).ariaSnapshot());
    await expect.soft(`${tree}\n`).toMatchFileSnapshot(`trees/${screen.name}.yml`);
    expect.soft(await faults(), "in light").toEqual([]);
    expect.soft(await excessOf(page), "on a desk").toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 900 });
    await settle(page);
    expect.soft(await faults(), "in dark").toEqual([]);
    expect(await excessOf(page), "at 390 pixels").toBeLessThanOrEqual(0);
  });
});
