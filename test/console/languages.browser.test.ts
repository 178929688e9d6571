/** The console in each of its languages: words differ in length. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { LANGUAGES } from "../../adapters/console/app/settings/settings.ts";
import { launch } from "../support/browser/site.ts";
import { type ConsoleServer, openConsoleServer } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { createSeedClock, seed } from "./support/seed.ts";

/** Sections that are tables. */
const LISTS = ["workflows", "files", "collections", "schedules"];
const SECTIONS = ["", "/workflows", "/inbox"];

let browser: Browser;
let server: ConsoleServer;
beforeAll(async () => {
  browser = await launch(inject("headlessShell"));
  const clock = createSeedClock();
  server = await openConsoleServer({ clock });
  await seed(server, clock, { runs: 20, workflows: 8, records: 20 });
});
afterAll(async () => {
  await server.close();
  await browser.close();
});

describe.each(LANGUAGES)("the console in %s", (language) => {
  function open(width: number) {
    const { origin } = new URL(server.baseUrl);
    const localStorage = [{ name: "stepwell-settings", value: JSON.stringify({ language }) }];
    const storageState = { cookies: [], origins: [{ origin, localStorage }] };
    return openConsole(browser, server, { viewport: { width, height: 844 }, storageState });
  }

  it("has lists that fit a narrow screen", async () => {
    const { page, go, faults } = await open(390);
    for (const section of LISTS) {
      await go(`/apps/${server.app.id}/${section}`);
      await page.locator("tbody tr").first().waitFor();
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), section).toBe(390);
    }
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(await faults()).toEqual([]);
  });

  it("names each section in one line, also the chosen one", async () => {
    const { page, go } = await open(1440);
    for (const section of SECTIONS) {
      await go(`/apps/${server.app.id}${section}`);
      await page.locator(".navigation .count").waitFor();
      const entries = page.locator(".navigation a");
      const heights = await entries.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
      expect.soft(new Set(heights).size, section).toBe(1);
    }
  });
});
