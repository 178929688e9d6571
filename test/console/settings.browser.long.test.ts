/** What a person sets for the browser. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/workflows/step.ts";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

/** How an element moves that turns for ever and goes from place to place. */
const motionOf = (page: Page) =>
  page.evaluate(() => {
    const element = document.createElement("div");
    document.body.append(element);
    element.style.animation = "turn 1s linear infinite";
    element.style.transition = "left 1s, opacity 1s";
    const { animationDuration, animationIterationCount, transitionProperty } = getComputedStyle(element);
    element.remove();
    return { animationDuration, animationIterationCount, transitionProperty };
  });

const STILL = { animationDuration: "1e-05s", animationIterationCount: "1", transitionProperty: "opacity" };
const MOVING = { animationDuration: "1s", animationIterationCount: "infinite", transitionProperty: "left, opacity" };

describe("motion", () => {
  it("is as the system says, or reduced for this browser", async () => {
    const { page, go, faults } = await openConsole(browser, server, { reducedMotion: "no-preference" });
    await go("/settings");
    const field = page.getByLabel("Motion");
    expect(await field.inputValue()).toBe("system");
    expect(await motionOf(page)).toEqual(MOVING);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await motionOf(page)).toEqual(STILL);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await field.selectOption("Reduced");
    await expect.poll(() => motionOf(page)).toEqual(STILL);
    expect(await faults()).toEqual([]);
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("reduced");
    expect(await motionOf(page)).toEqual(STILL);
    await field.selectOption("System");
    await expect.poll(() => motionOf(page)).toEqual(MOVING);
  });

  it("is none on a canvas either if it is reduced", async () => {
    const step = (key: string, x: number): Step => ({ type: "code", key, code: "return 1", position: [x, 0] });
    const { path } = await createWorkflow(server, "Far apart", [step("a", 0), step("b", 4_000)]);
    const { page, go } = await openConsole(browser, server, { reducedMotion: "no-preference" });
    await page.addInitScript(() => localStorage.setItem("stepwell-settings", '{"motion":"reduced"}'));
    await go(`${path}?view=canvas`);
    await page.getByRole("button", { name: "Zoom in" }).click();
    const view = page.locator(".react-flow__viewport");
    const places = await view.evaluateHandle((element: HTMLElement) => {
      const seen: string[] = [];
      new MutationObserver(() => seen.push(element.style.transform)).observe(element, { attributeFilter: ["style"] });
      return seen;
    });
    const before = await view.evaluate((element: HTMLElement) => element.style.transform);
    await page.getByRole("button", { name: "Show everything" }).click();
    const isSeen = () =>
      page.locator('.canvas [data-step="b"]').evaluate((element) => {
        const around = element.closest(".canvas")?.getBoundingClientRect();
        return around !== undefined && element.getBoundingClientRect().right <= around.right;
      });
    await expect.poll(isSeen).toBe(true);
    expect(new Set(await places.jsonValue()).size).toBe(1);
    expect(await places.jsonValue()).not.toContain(before);
  });
});
