/** A tab of a real browser in which the console is open. Its test fails for anything that it complains of. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { type Complaints, collectComplaints } from "./complaints.ts";
import { ADMIN_KEY, type ConsoleServer } from "./console-server.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface TabOptions extends BrowserContextOptions {
  /** Who is signed in: an app's key, the admin, or nobody. @default a new key of the app with all scopes */
  readonly key?: string | null;
}

export interface ConsoleTab {
  readonly page: Page;
  readonly complaints: Complaints;
  /** Opens a path of the console, such as `/apps/app_…/runs`, and waits for its heading. */
  go(path: string): Promise<void>;
  /** Accessibility rules (WCAG 2.2 AA and best practices) that the page violates in its current state. */
  faults(): Promise<string[]>;
}

/** Opens a tab. After the test, it fails if the console has complained, and the tab is closed. */
export async function openConsole(
  browser: Browser,
  server: ConsoleServer,
  options: TabOptions = {},
): Promise<ConsoleTab> {
  const { key = (await server.createKey()).key, ...settings } = options;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US", ...settings });
  context.setDefaultTimeout(240_000); // less than a test has, so that an error says what it waited for
  const { origin } = new URL(server.baseUrl);
  const complaints = await collectComplaints(context, origin);
  if (key !== null) {
    const data = { key };
    const headers = { "stepwell-console": "1" };
    const response = await context.request.post(server.at("/session"), { headers, data });
    expect(response.status(), await response.text()).toBe(200);
    const state: unknown = await response.json();
    // The session of an admin has opened no app yet.
    if (key === ADMIN_KEY)
      await context.request.post(server.at("/session"), { headers, data: { app_id: server.app.id } });
    expect(state).toHaveProperty("session.kind");
  }
  const page = await context.newPage();
  // Begins to intercept file pickers. With the first `waitForEvent`, a picker that opens at once may come too early.
  page.on("filechooser", () => undefined);
  onTestFinished(async () => {
    await complaints.look(page);
    await context.close();
    expect(complaints.found).toEqual([]);
  });
  return {
    page,
    complaints,
    async go(path) {
      await page.goto(server.at(path));
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
    async faults() {
      if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
      const { violations } = await page.evaluate(async () => {
        // What is below a bar that stays in view can be scrolled from below it.
        const still = new CSSStyleSheet();
        still.replaceSync(".top-bar, .navigation, .navigation ul, .search-field { position: static !important; }");
        document.adoptedStyleSheets.push(still);
        try {
          return await window.axe.run(document, {
            resultTypes: ["violations"],
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

const said = ({ html, failureSummary = "" }: { readonly html: string; readonly failureSummary?: string }) =>
  `${html.slice(0, 160)} ${failureSummary.split("\n")[1]?.trim() ?? ""}`;
