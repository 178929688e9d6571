/** A tab of a real browser in which the console is open. Its test fails for anything that it complains of. */
import type { APIRequestContext, Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { Complaints } from "./complaints.ts";
import { ADMIN_KEY, type ConsoleServer } from "./console-server.ts";
import { giveBack, type TabSettings, takeTab } from "./used-tabs.ts";
import { AXE, AXE_PATH, BLANK_PATH } from "./worker-port.ts";

export interface TabOptions extends TabSettings {
  /** Who is signed in: an app's key, the admin, or nobody. @default a new key of the app with all scopes */
  readonly key?: string | null;
  /** What the browser has kept of the person's settings. @default nothing */
  readonly keptSettings?: object;
}

export interface ConsoleTab {
  readonly page: Page;
  readonly complaints: Complaints;
  /** Opens a path of the console, such as `/apps/app_…/runs`, and waits for its heading. */
  go(path: string): Promise<void>;
  /**
   * Opens it in the page that is loaded, as the browser does when it goes back: much less work. Reads of the screens before
   * may still be shown.
   */
  follow(path: string): Promise<void>;
  /** Accessibility rules (WCAG 2.2 AA and best practices) that the page violates in its current state. */
  faults(): Promise<string[]>;
}

/** Opens a tab. After the test, it fails if the console has complained, and the tab is closed, or kept for a next test. */
export async function openConsole(
  browser: Browser,
  server: ConsoleServer,
  options: TabOptions = {},
): Promise<ConsoleTab> {
  const { key = (await server.createKey()).key, keptSettings, ...settings } = options;
  const tab = await takeTab(browser, settings);
  const { page, collector } = tab;
  const complaints = collector.begin(new URL(server.baseUrl).origin);
  const blank = new URL(BLANK_PATH, server.baseUrl).href;
  onTestFinished(async () => {
    await complaints.look(page);
    collector.end();
    await giveBack(tab, blank);
    expect(complaints.found).toEqual([]);
  });
  if (key !== null) await signIn(page.context().request, server, key);
  if (keptSettings !== undefined) {
    await page.goto(blank);
    await page.evaluate((text) => localStorage.setItem("stepwell-settings", text), JSON.stringify(keptSettings));
  }
  const isHeaded = () => page.getByRole("heading", { level: 1 }).waitFor();
  const go = async (path: string) => {
    await page.goto(server.at(path));
    await isHeaded();
  };
  return {
    page,
    complaints,
    go,
    async follow(path) {
      if (!page.url().startsWith(server.at("/"))) return go(path);
      await page.evaluate(showInPage, server.at(path));
      await isHeaded();
    },
    async faults() {
      // A browser keeps a module that it has compiled for the next page, unlike what is sent to it as a text.
      // Where the server is down, nothing else gets it into the page.
      await page.evaluate(`import("${AXE_PATH}")`).catch(() => page.evaluate(AXE));
      const { violations } = await page.evaluate(async () => {
        // What is below a bar that stays in view can be scrolled from below it.
        const still = new CSSStyleSheet();
        still.replaceSync(".top-bar, .navigation, .navigation ul, .search-field { position: static !important; }");
        document.adoptedStyleSheets.push(still);
        try {
          return await window.axe.run(document, {
            resultTypes: ["violations"],
            // No rule of these looks at style sheets, which it would read and parse by itself.
            preload: { assets: ["media"] },
            runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
          });
        } finally {
          document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
        }
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(said).join(" | ")}`);
    },
  };
}

/** Runs in the page. What it shows stays until the files of the next screen are loaded. */
async function showInPage(url: string): Promise<void> {
  history.pushState(null, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
  do await new Promise(requestAnimationFrame);
  while (document.querySelector(".next-screen") !== null);
  scrollTo(0, 0);
}

async function signIn(request: APIRequestContext, server: ConsoleServer, key: string): Promise<void> {
  const data = { key };
  const headers = { "stepwell-console": "1" };
  const response = await request.post(server.at("/session"), { headers, data });
  expect(response.status(), await response.text()).toBe(200);
  const state: unknown = await response.json();
  // The session of an admin has opened no app yet.
  if (key === ADMIN_KEY) await request.post(server.at("/session"), { headers, data: { app_id: server.app.id } });
  expect(state).toHaveProperty("session.kind");
}

const said = ({ html, failureSummary = "" }: { readonly html: string; readonly failureSummary?: string }) =>
  `${html.slice(0, 160)} ${failureSummary.split("\n")[1]?.trim() ?? ""}`;
