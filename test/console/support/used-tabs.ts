/**
 * Tabs that the tests of a worker use one after the other. A new one has a process that starts, and compiles the console:
 * that takes more processor time than most tests.
 */
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page, ViewportSize } from "playwright-core";
import { type ComplaintsCollector, createCollector } from "./complaints.ts";

export interface TabSettings extends BrowserContextOptions {
  /** Where the clock of the page stands still, in milliseconds since 1970. @default it goes */
  readonly time?: number;
}

/** What moves has a frame drawn 60 times a second for as long as a test waits, and is waited for before it is clicked. */
const DEFAULTS = { viewport: { width: 1440, height: 900 }, locale: "en-US", reducedMotion: "reduce" } as const;

export interface UsedTab {
  readonly page: Page;
  readonly collector: ComplaintsCollector;
  readonly settings: TabSettings;
  readonly session: CDPSession;
  readonly viewport: ViewportSize | null;
  /** Whether a test has changed what cannot be undone: the tab serves no second one. */
  readonly isChanged: () => boolean;
}

/** Each takes 100 MB. */
const MOST_IDLE = 3;

const idle: UsedTab[] = [];

export async function takeTab(browser: Browser, settings: TabSettings): Promise<UsedTab> {
  const wanted = JSON.stringify(settings);
  const found = idle.findIndex((tab) => JSON.stringify(tab.settings) === wanted);
  const [used] = found === -1 ? [] : idle.splice(found, 1);
  return used ?? openTab(browser, settings);
}

async function openTab(browser: Browser, settings: TabSettings): Promise<UsedTab> {
  const { time, ...options } = settings;
  const context = await browser.newContext({ ...DEFAULTS, ...options });
  context.setDefaultTimeout(240_000); // less than a test has, so that an error says what it waited for
  const collector = await createCollector(context);
  const page = await context.newPage();
  if (time !== undefined) await page.clock.setFixedTime(time);
  interceptPickers(page);
  const session = await context.newCDPSession(page);
  return { page, collector, settings, session, viewport: page.viewportSize(), isChanged: watchLasting(context, page) };
}

/** Calls that cannot be undone. */
const LASTING = ["addInitScript", "install", "setFixedTime", "newCDPSession", "setOffline"] as const;

/** Returns whether a test has made one of them. Not with spies, which Vitest removes after each file. */
function watchLasting(context: BrowserContext, page: Page): () => boolean {
  let isMade = false;
  for (const object of [context, page, page.clock]) {
    for (const name of LASTING) {
      const call: unknown = Reflect.get(object, name);
      if (typeof call !== "function") continue;
      Reflect.set(object, name, (...given: unknown[]): unknown => {
        isMade = true;
        return Reflect.apply(call, object, given);
      });
    }
  }
  return () => isMade;
}

/** With the first `waitForEvent`, a picker that opens at once may come too early. */
function interceptPickers(page: Page): void {
  page.on("filechooser", () => undefined);
}

/** Keeps the tab for the next test if nothing of this one stays in it. @param blank Where it waits */
export async function giveBack(tab: UsedTab, blank: string): Promise<void> {
  const isKept = await isCleared(tab, blank).catch(() => false);
  if (isKept) idle.unshift(tab);
  const rest = isKept ? idle.splice(MOST_IDLE) : [tab];
  for (const one of rest) await one.page.context().close();
}

/** False where something stays, or the server is down. */
async function isCleared({ page, session, settings, isChanged, viewport }: UsedTab, blank: string): Promise<boolean> {
  const context = page.context();
  if (context.pages().length !== 1 || isChanged()) return false;
  for (const event of ["dialog", "download", "filechooser", "request", "response"]) page.removeAllListeners(event);
  interceptPickers(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(blank);
  await page.evaluate(() => sessionStorage.clear());
  await page.mouse.move(-1, -1); // nothing is below it, as before it was moved for the first time
  const { colorScheme = "light", reducedMotion = DEFAULTS.reducedMotion } = settings;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion });
  if (viewport !== null) await page.setViewportSize(viewport);
  await session.send("Page.resetNavigationHistory");
  await session.send("Storage.clearDataForOrigin", { origin: new URL(blank).origin, storageTypes: "all" });
  await context.clearCookies();
  return true;
}
