/** Where the focus is on the page of a run, and what is said of a retry, in a real browser. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";
import { createActor, deployRunWorkflows, untilStep } from "./support/run-seed.ts";

const actor = createActor();
const { browser, server } = await openBrowserAndServer({ services: [actor.service] });
const ids = await deployRunWorkflows(server);
const { stepwell, app } = server;

async function ended(workflow: string, input = {}): Promise<string> {
  const { id } = await stepwell.runs.create(app.id, workflow, { input });
  await stepwell.runs.wait(app.id, id);
  return id;
}

const pathOf = (run: string, query = "") => `/apps/${app.id}/runs/${run}${query}`;
const row = (page: Page, key: string) => page.locator(`[data-row="${key}"]`);
const focusedStep = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("data-step"));

/** Whether all of what has the focus is seen. */
const isFocusSeen = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return false;
    const { left, top, width, bottom } = activeElement.getBoundingClientRect();
    return [top + 2, (top + bottom) / 2, bottom - 2].every((y) =>
      activeElement.contains(document.elementFromPoint(left + width / 2, y)),
    );
  });

describe("the key for the next failure", () => {
  it("takes the focus along in the list of steps", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.waitForURL(/step=step_190/);
    await row(page, "step_190").focus();
    await page.keyboard.press("Home");
    await focusAt(page, "[data-row=start]");
    await page.keyboard.press("n");
    await focusAt(page, "[data-row=step_190]");
    await expect.poll(() => isFocusSeen(page)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await focusAt(page, "[data-row=step_191]");
  });

  it("takes the focus along on the canvas", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?view=canvas&step=step_2"));
    await focusAt(page, "[data-step=step_2]");
    await page.keyboard.press("p");
    await focusAt(page, "[data-step=step_190]");
    await expect.poll(() => isFocusSeen(page)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await focusAt(page, "[data-step=step_191]");
  });

  it("leaves the focus elsewhere alone, but moves the stop of the list", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=step_3"));
    await page.getByRole("button", { name: "Canvas" }).focus();
    await page.keyboard.press("n");
    await page.waitForURL(/step=step_190/);
    await focusAt(page, "button", "Canvas");
    await expect.poll(() => page.locator("[data-row][tabindex='0']").getAttribute("data-row")).toBe("step_190");
  });
});

describe("Escape on the page of a run", () => {
  it("closes the panel of the step from within it, and leads to its row", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=step_137&tab=log"));
    await page.getByRole("tab", { name: "Log" }).focus();
    await page.keyboard.press("Escape");
    await focusAt(page, "[data-row=step_137]");
    expect(new URL(page.url()).searchParams.get("step")).toBeNull();
    expect(await page.locator("[data-row][aria-pressed=true]").count()).toBe(0);
  });

  it("closes the panel from the canvas, too, and leaves the focus at the step", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?view=canvas&step=step_2"));
    await focusAt(page, "[data-step=step_2]");
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("step"));
    await focusAt(page, "[data-step=step_2]");
  });

  it("is for a menu, a dialog or a text field first", async () => {
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Logs",
      steps: [{ type: "code", key: "says", code: "console.log('So far so good.'); throw new Error('It is down.')" }],
    });
    await stepwell.workflows.deploy(app.id, id);
    const run = await ended(id);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=says&tab=log"));
    const menu = page.getByRole("menu", { name: "More actions" });
    await page.getByRole("button", { name: "More actions" }).click();
    await menu.getByRole("menuitem").first().waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Retry…", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).searchParams.get("step")).toBe("says");
    await page.getByRole("tab", { name: "Log" }).focus();
    await page.keyboard.press("Escape");
    await focusAt(page, "[data-row=says]");
  });
});

describe("a step that becomes the page in a small window", () => {
  it.each([
    { width: 320, height: 256 },
    { width: 390, height: 780 },
  ])("begins at its heading at $width × $height", async (viewport) => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server, { viewport });
    await go(pathOf(run));
    await page.getByRole("button", { name: "Next failure" }).click();
    await focusAt(page, "h1", "step_190");
    expect(await isFocusSeen(page)).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    // From the end of a long list, too.
    await page.keyboard.press("Escape");
    await row(page, "step_199").click();
    await focusAt(page, "h1", "step_199");
    expect(await isFocusSeen(page)).toBe(true);
  });
});

describe("a run that is opened at a step", () => {
  it("has the focus on the step of the address", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=step_137"));
    await focusAt(page, "[data-row=step_137]");
    await expect.poll(() => isFocusSeen(page)).toBe(true);
  });

  it.each([
    ["a wide window that is not high", { width: 1440, height: 500 }, "?step=start"],
    ["a phone", { width: 390, height: 844 }, ""],
  ])(
    "leads from far below to the head of the run in %s, and covers no step with the focus",
    async (_, viewport, query) => {
      const run = await ended(ids.long);
      const { page, go, faults } = await openConsole(browser, server, { viewport });
      await go(pathOf(run, query));
      const toTop = page.getByRole("button", { name: "To the top" });
      await row(page, "start").focus();
      await toTop.waitFor({ state: "detached" });
      await page.keyboard.press("End");
      await toTop.waitFor();
      for (let n = 0; n < 40; n++) await page.keyboard.press("ArrowUp");
      await expect.poll(() => isFocusSeen(page)).toBe(true);
      expect(await faults()).toEqual([]);
      await toTop.click();
      await focusAt(page, "h1");
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      await toTop.waitFor({ state: "detached" });
    },
  );

  it("has the focus on the step that failed when a link has led there", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/runs`);
    await page.locator(`[data-run="${run}"]`).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/step=step_190/);
    await focusAt(page, "[data-row=step_190]");
    await expect.poll(() => isFocusSeen(page)).toBe(true);
  });

  it("has the focus on the heading of the step in a narrow window", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server, { viewport: { width: 390, height: 780 } });
    await go(`/apps/${app.id}/runs`);
    await page.evaluate(
      (path) => {
        history.pushState(null, "", path);
        dispatchEvent(new PopStateEvent("popstate"));
      },
      server.at(pathOf(run, "?step=step_137")),
    );
    await focusAt(page, "h1", "step_137");
  });
});

describe("following a run", () => {
  it("keeps what shows the focus in view, but not what was reached with the mouse", async () => {
    const hold = (key: string, gate: string) => ({
      type: "service" as const,
      key,
      service: { service: "actor", action: "hold", input: { gate } },
    });
    const { id: workflow } = await stepwell.workflows.create(app.id, {
      name: "Watched",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["first"] },
        { ...hold("first", "{{ run.id }}"), destinations: ["middle"] },
        ...Array.from({ length: 60 }, (_, n) => hold(`never_${n}`, "never")).map((step) => ({
          ...step,
          conditional: "false",
        })),
        { ...hold("middle", "{{ run.id }} middle"), destinations: ["second"] },
        { ...hold("second", "{{ run.id }} second"), destinations: ["last"] },
        hold("last", "{{ run.id }} last"),
      ],
    });
    await stepwell.workflows.deploy(app.id, workflow);
    const { id: run } = await stepwell.runs.create(app.id, workflow, { input: {} });
    await untilStep(server, run, "first", "running");
    const { page, go } = await openConsole(browser, server, { viewport: { width: 1280, height: 500 } });
    await go(`/apps/${app.id}/runs`);
    await page.locator(`[data-run="${run}"]`).focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "h1", "Watched");
    await page.locator(".waterfall-row.running [data-row=first]").waitFor();
    actor.release(run);
    await page.locator(".waterfall-row.running [data-row=middle]").waitFor();
    await focusAt(page, "h1", "Watched");
    expect(await isFocusSeen(page)).toBe(true);
    // Who clicks beside everything only looks.
    await page.locator(".run-facts").click();
    actor.release(`${run} middle`);
    await page.locator(".waterfall-row.running [data-row=second]").waitFor();
    await expect
      .poll(() => row(page, "second").evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true);
    await stepwell.runs.cancel(app.id, run);
  });
});

describe("a retry that fails again", () => {
  const failing = async () => {
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Fails again",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["held"] },
        { type: "code", key: "held", code: "throw new Error('It is down.')" },
      ],
    });
    await stepwell.workflows.deploy(app.id, id);
    return ended(id);
  };

  it("is said with its start and its end, and leaves the focus at the heading", async () => {
    const run = await failing();
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.waitForURL(/step=held/);
    await page.getByRole("button", { name: "Retry…", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Retry", exact: true }).click();
    await page.locator(".announced").getByText("The retry has started.").waitFor({ state: "attached" });
    await focusAt(page, "h1");
    await page.locator("[aria-live=assertive]").getByText("held failed.").waitFor({ state: "attached" });
    await page.locator("[aria-live=polite]").getByText("The run has ended: Failed.").waitFor({ state: "attached" });
    await focusAt(page, "h1");
  });

  it("leaves the focus at the heading of the step where that of the run is not in view", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server, { viewport: { width: 1440, height: 500 } });
    await go(pathOf(run));
    await focusAt(page, "[data-row=step_190]");
    await page.getByRole("button", { name: "Retry from here…" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Retry", exact: true }).click();
    await page.locator(".announced").getByText("The retry has started.").waitFor({ state: "attached" });
    await focusAt(page, ".run-inspector h2", "step_190");
    expect(await isFocusSeen(page)).toBe(true);
  });
});

describe("the end of a run", () => {
  it("is no news if it came before the page was opened again", async () => {
    const { id } = await stepwell.runs.create(app.id, ids.loan, { input: { amount: 2_000 } });
    await untilStep(server, id, "approve", "waiting");
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(id));
    await row(page, "approve").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
    await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
    await stepwell.runs.cancel(app.id, id);
    await page.goBack();
    await page.locator(".run-screen .page-head").getByText("Canceled", { exact: true }).waitFor();
    expect(await page.locator("[aria-live=polite]").getByText("The run has ended").count()).toBe(0);
  });
});

describe("the canvas of a run in a small window", () => {
  it.each([
    { width: 320, height: 256 },
    { width: 390, height: 780 },
  ])("shows the step that arrows lead to at $width × $height", async (viewport) => {
    const { id } = await stepwell.runs.create(app.id, ids.loan, { input: { amount: 2_000 } });
    await untilStep(server, id, "approve", "waiting");
    const { page, go } = await openConsole(browser, server, { viewport });
    await go(pathOf(id, "?view=canvas"));
    await page.locator("[data-step=start]").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Home", "End"]) {
      const before = await focusedStep(page);
      await page.keyboard.press(key);
      await expect.poll(() => focusedStep(page), { message: key }).not.toBe(before);
      await expect.poll(() => isFocusSeen(page), { message: key }).toBe(true);
    }
  });
});
