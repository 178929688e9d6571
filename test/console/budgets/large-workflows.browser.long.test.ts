/** Workflows of 500 steps: what the page holds of them, and what a keystroke draws anew. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/index.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { untilEditors } from "../support/editors.ts";
import { largeSteps } from "../support/seed.ts";
import { countRenderWork } from "./render-work.ts";

const STEPS = 500;
/** Elements of a step with its edges, ports and signs. */
const MOST_NODES = 30;
/** Components that a keystroke draws: the panel of the step, and what stands around the view. */
const MOST_RENDERED = 400;
const KEYS = "abcdefghij";
const TYPED = "the quick brown fox jumps over the lazy dog, and again";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const steps: Step[] = [...largeSteps(STEPS)];
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Large", steps });
await stepwell.workflows.deploy(app.id, workflow);

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

describe("opening the canvas of 500 steps", () => {
  it("measures them a few times together, not each by itself", async () => {
    const { page, go } = await openConsole(browser, server);
    await page.addInitScript(() => {
      const { getComputedStyle: original } = window;
      let count = 0;
      window.getComputedStyle = (...given) => {
        // The library looks at the scale of the canvas with each measurement.
        if (given[0].classList.contains("xyflow__viewport")) Reflect.set(window, "measurements", ++count);
        return original.apply(window, given);
      };
    });
    await go(pathOf("?view=canvas"));
    await page
      .locator(".react-flow__edge")
      .nth(STEPS - 2)
      .waitFor({ state: "attached" });
    const count = await page.evaluate((): unknown => Reflect.get(window, "measurements"));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(STEPS / 10);
  });
});

describe("text that is typed fast beside 500 steps", () => {
  it("arrives in its order, on a slow machine too", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(pathOf("?view=outline&step=step_6"));
    await untilEditors(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 8 });
    const code = page.getByRole("textbox", { name: "Code", exact: true });
    await code.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(TYPED);
    await page.waitForFunction(
      ([text, hosts]) =>
        [...document.querySelectorAll(hosts)].some((host) =>
          host.shadowRoot?.querySelector(".cm-content")?.textContent?.includes(text),
        ),
      [TYPED, ".code-editor-host"] as const,
    );
  });
});

describe("a keystroke beside 500 steps", () => {
  it.each([
    { view: "canvas", place: ".react-flow__nodes", step: "step_5" },
    { view: "outline", place: "[role=tree]", step: "step_6" },
  ])("in a step draws the panel, not the $view", async ({ view, place, step }) => {
    const { page, go } = await openConsole(browser, server);
    const work = await countRenderWork(page);
    await go(pathOf(`?view=${view}&step=${step}`));
    await untilEditors(page);
    await page.locator(`${place} [data-step=${step}]`).waitFor({ state: "attached" });
    await page.getByText("When", { exact: true }).click();
    for (const field of ["Code", "Only if"]) {
      await page.getByRole("textbox", { name: field, exact: true }).click();
      // The first one marks the step as changed, and may show that it has a condition.
      await page.keyboard.press("x");
      await page.locator(".saved-sign", { hasText: /^Saved/ }).waitFor();
      const before = await work();
      for (const key of KEYS) {
        await page.keyboard.press(key);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      const { rendered } = await work();
      expect((rendered - before.rendered) / KEYS.length, field).toBeLessThan(MOST_RENDERED);
    }
  });
});
