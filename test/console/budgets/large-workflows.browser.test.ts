/** Workflows of 500 steps: what the page holds of them, and what a keystroke draws anew. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Step } from "../../../src/index.ts";
import { launch } from "../../support/browser/site.ts";
import { type ConsoleServer, openConsoleServer } from "../support/console-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { largeSteps } from "../support/seed.ts";
import { countCommits } from "./react-commits.ts";

const STEPS = 500;
/** Elements of a step with its edges, ports and signs. */
const MOST_NODES = 30;
const KEYS = "abcdefghij";

let browser: Browser;
let server: ConsoleServer;
let workflow: string;
beforeAll(async () => {
  browser = await launch(inject("headlessShell"));
  server = await openConsoleServer();
  const { stepwell, app } = server;
  const steps: Step[] = [...largeSteps(STEPS)];
  ({ id: workflow } = await stepwell.workflows.create(app.id, { name: "Large", steps }));
  await stepwell.workflows.deploy(app.id, workflow);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const pathOf = (rest: string) => `/apps/${server.app.id}/workflows/${workflow}${rest}`;

describe("the canvas of 500 steps", () => {
  it("has few elements for each of them, and shows signs only when all are on the screen", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(pathOf("/versions/1"));
    await page
      .locator("[data-step]")
      .nth(STEPS - 1)
      .waitFor({ state: "attached" });
    const canvas = page.locator(".canvas");
    const whole = await canvas.locator("*").count();
    expect(whole).toBeLessThan(STEPS * MOST_NODES);
    await page.getByRole("button", { name: "Show everything" }).click();
    await page.locator(".canvas.far").waitFor();
    expect(await canvas.locator("*").count()).toBeLessThanOrEqual(whole);
    expect(await canvas.locator(".canvas-step .words").first().isVisible()).toBe(false);
  });
});

describe("a keystroke beside 500 steps", () => {
  /** Elements outside the panel that change, and how often React does something, while somebody types. */
  async function typed(page: Page, commits: () => Promise<number>, place: string) {
    await page.evaluate((selector) => {
      Reflect.set(window, "changes", 0);
      const root = document.querySelector(selector);
      if (root === null) throw new Error(`There is no ${selector}.`);
      new MutationObserver((records) =>
        Reflect.set(window, "changes", Number(Reflect.get(window, "changes")) + records.length),
      ).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }, place);
    const before = await commits();
    for (const key of KEYS) {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    return {
      changes: await page.evaluate(() => Number(Reflect.get(window, "changes"))),
      commits: (await commits()) - before,
    };
  }

  it.each([
    { view: "canvas", place: ".react-flow__nodes" },
    { view: "outline", place: "[role=tree]" },
  ])("in the code of a step draws nothing anew in the $view", async ({ view, place }) => {
    const { page, go } = await openConsole(browser, server);
    const commits = await countCommits(page);
    await go(pathOf(`?view=${view}&step=step_5`));
    await page.waitForFunction(() => document.querySelector(".step-editor .code-editor > textarea") === null);
    await page.locator("[data-step=step_5]").first().waitFor({ state: "attached" });
    await page.getByRole("textbox", { name: "Code", exact: true }).click();
    // Marks that a draft differs and is not saved appear with the first change.
    await page.keyboard.press("x");
    await page.getByText("Saved").first().waitFor();
    const seen = await typed(page, commits, place);
    expect(seen.changes).toBe(0);
    expect(seen.commits).toBeLessThan(KEYS.length * 8);
  });
});
