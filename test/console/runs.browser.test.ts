/** The list of runs: filters, live rows, selection and the keyboard. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { launch } from "../support/browser/site.ts";
import { type ConsoleServer, openConsoleServer } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { createSeedClock, HOSTILE_NAME, type Seeded, seed } from "./support/seed.ts";

let browser: Browser;
let server: ConsoleServer;
let seeded: Seeded;
beforeAll(async () => {
  browser = await launch(inject("headlessShell"));
  const clock = createSeedClock();
  server = await openConsoleServer({ clock });
  seeded = await seed(server, clock);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const runs = () => `/apps/${server.app.id}/runs`;

describe("the list of runs", () => {
  it("looks fine", async () => {
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1440, 1024, 390]) {
        const { page, go, faults } = await openConsole(browser, server, {
          colorScheme,
          viewport: { width, height: 900 },
        });
        await go(runs());
        await page.getByRole("grid").waitFor();
        await page.waitForTimeout(1500);
        await page.screenshot({ path: `/tmp/shots/runs-${colorScheme}-${width}.png` });
        console.log(colorScheme, width, await faults(), await page.getByRole("row").count());
      }
    expect(HOSTILE_NAME + seeded.quick).toBeTruthy();
  });
});
