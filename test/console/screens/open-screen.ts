/** Opens a screen in a tab whose clock stands still, and waits until nothing changes any more. */
import type { Browser, Page } from "playwright-core";
import { ADMIN_KEY } from "../support/console-server.ts";
import { type ConsoleTab, openConsole, type TabOptions } from "../support/console-tab.ts";
import type { Screen } from "./screens.ts";
import { PAGE_TIME, type ScreensServer } from "./screens-server.ts";

const KEYS = { admin: ADMIN_KEY, nobody: null } as const;

export async function openScreen(
  browser: Browser,
  { server, ids }: ScreensServer,
  { path, open, as }: Screen,
  options: TabOptions = {},
): Promise<ConsoleTab> {
  const who = as === undefined ? {} : { key: KEYS[as] };
  const tab = await openConsole(browser, server, { timezoneId: "UTC", time: PAGE_TIME, ...options, ...who });
  await tab.go(path(ids));
  await settle(tab.page);
  if (open !== undefined) {
    await open(tab.page);
    await settle(tab.page);
  }
  return tab;
}

/** Nothing is loaded any more, and the page has stayed the same for some frames. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("[aria-busy=true], .loading, .skeleton") === null);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const changes = new MutationObserver(() => undefined);
    changes.observe(document, { childList: true, characterData: true, subtree: true });
    for (let same = 0; same < 20; same++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      // What is read where it comes into view begins a frame later.
      if (changes.takeRecords().length > 0 || document.querySelector("[aria-busy=true]") !== null) same = 0;
    }
    changes.disconnect();
  });
}
