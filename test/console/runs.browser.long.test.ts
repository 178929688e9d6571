/** The list of runs: filters, live rows, selection and the keyboard. */
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Step } from "../../src/workflows/step.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsoleServer } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { refuse } from "./support/refuse.ts";
import { createSeedClock, HOSTILE_NAME, seed } from "./support/seed.ts";

const clock = createSeedClock();
const { browser, server } = await openBrowserAndServer({ clock });
const seeded = await seed(server, clock, { runs: 200, workflows: 10, records: 5 });

const runs = (query = "") => `/apps/${server.app.id}/runs${query}`;
const queryOf = (page: Page) => new URL(page.url()).searchParams;
const rows = (page: Page) => page.locator(".run-table [data-run]");
const idOfRow = (page: Page, index: number) => rows(page).nth(index).getAttribute("data-run");
/** Until the sign in the bar says that the stream is open. */
const untilLive = (page: Page) => page.locator(".live-sign.live").waitFor();

async function statusesOf(page: Page): Promise<ReadonlySet<string>> {
  return new Set(await page.locator(".run-table [data-run] .status-sign").allInnerTexts());
}

describe("filters of the list of runs", () => {
  it("leave each failed run with its whole status, in German too", async () => {
    const { page, go } = await openConsole(browser, server, { locale: "de-DE" });
    await go(runs("?status=failed"));
    const cells = page.locator(".run-table [data-run] > .status", { hasText: "Fehlgeschlagen" });
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await cells.first().waitFor();
      const hidden = await cells.evaluateAll((all) => all.map((cell) => cell.scrollWidth - cell.clientWidth));
      expect(hidden.filter((pixels) => pixels > 0)).toEqual([]);
    }
  });

  it("stand in the address, and the back button takes them away", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    await page.getByRole("checkbox", { name: "Failed", exact: true }).check();
    await until(async () => [...(await statusesOf(page))].join() === "Failed");
    expect(queryOf(page).get("status")).toBe("failed");
    const total = await page.locator(".page-head .total").innerText();
    await page.locator(".announced").getByText(total, { exact: true }).waitFor({ state: "attached" });
    await page.getByLabel("Workflow", { exact: true }).selectOption({ label: "Nightly batch" });
    await until(async () => (await rows(page).count()) === 1);
    expect(queryOf(page).get("workflow")).toBe(seeded.looping);
    await page.goBack();
    await until(async () => (await rows(page).count()) > 1);
    await page.goBack();
    await until(async () => (await statusesOf(page)).size > 1);
    expect(await page.getByRole("checkbox", { name: "Failed", exact: true }).isChecked()).toBe(false);
  });

  it("keep the fields of a time between two moments while one of them is typed anew", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    await page.getByLabel("Created").selectOption({ label: "Between…" });
    const from = page.getByLabel("From", { exact: true });
    await from.fill("2026-11-01T10:00");
    await expect.poll(() => queryOf(page).has("from")).toBe(true);
    await from.press("Backspace");
    await expect.poll(() => queryOf(page).has("from")).toBe(false);
    await from.fill("2026-11-02T10:00");
    await expect.poll(() => queryOf(page).has("from")).toBe(true);
    await page.getByLabel("Created").selectOption({ label: "Any time" });
    await from.waitFor({ state: "detached" });
  });

  it("are read from the address, and leave out what is wrong in it", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs("?status=waiting,nonsense&trigger=nobody&version=x&from=24h"));
    await until(async () => [...(await statusesOf(page))].join() === "Waiting");
    expect(await page.getByLabel("Created").inputValue()).toBe("24h");
  });

  it("search, and say when nothing matches", async () => {
    const { page, go, faults } = await openConsole(browser, server);
    await go(runs());
    await page.getByLabel("Search", { exact: true }).fill("hour-3");
    await until(async () => queryOf(page).get("search") === "hour-3");
    await until(async () => (await rows(page).count()) > 0 && (await rows(page).count()) < 20);
    await page.getByLabel("Search", { exact: true }).fill("nothing has this text");
    await page.getByText("No run matches these filters.").waitFor();
    expect(await faults()).toEqual([]);
    await page.locator(".empty-state").getByRole("button", { name: "Clear filters" }).click();
    await until(async () => (await rows(page).count()) > 10);
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("");
  });
});

describe("live rows of the list of runs", () => {
  it("come at once to somebody at the top", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    await untilLive(page);
    const { id } = await server.stepwell.runs.create(server.app.id, seeded.quick, {});
    await until(async () => (await idOfRow(page, 0)) === id);
    expect(await rows(page).first().innerText()).toContain("Intake");
  });

  it("are counted for somebody who looks further down, and move nothing", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    await untilLive(page);
    await page.evaluate(() => scrollTo(0, 900));
    await until(() => page.evaluate(() => document.querySelector('[data-index="25"]') !== null));
    const place = () => page.evaluate(() => document.querySelector('[data-index="25"]')?.getBoundingClientRect().top);
    const id = () => page.locator('[data-index="25"]').getAttribute("data-run");
    const before = [await place(), await id()];
    for (let n = 0; n < 7; n++) await server.stepwell.runs.create(server.app.id, seeded.quick, {});
    const fresh = page.getByRole("button", { name: "Show 7 runs that the list does not show yet" });
    await fresh.waitFor();
    expect([await place(), await id()]).toEqual(before);
    await fresh.click();
    await until(async () => (await page.locator('[data-index="32"]').count()) === 0);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await fresh.count()).toBe(0);
  });

  it("change in their place", async () => {
    const { page, go } = await openConsole(browser, server);
    const { id } = await server.stepwell.runs.create(server.app.id, seeded.asking, {});
    const other = await server.stepwell.runs.create(server.app.id, seeded.asking, {});
    await go(runs("?status=waiting"));
    await untilLive(page);
    const row = page.locator(`[data-run="${id}"]`);
    await row.getByText("Waiting").waitFor();
    const index = await row.getAttribute("data-index");
    await server.stepwell.runs.provide(server.app.id, id, "approve", { ok: true });
    // It no longer matches the filter, and stays where somebody may be looking at it.
    await row.getByText("Succeeded").waitFor();
    expect(await row.getAttribute("data-index")).toBe(index);
    // Whoever opens the list again looks for runs that match.
    await row.getByRole("link").first().click();
    await page.waitForURL("**/runs/*");
    await page.locator("[data-row]").first().waitFor();
    await page.goBack();
    await page.locator(`[data-run="${other.id}"]`).waitFor();
    expect(await row.count()).toBe(0);
  });

  it("have their whole height, whatever the size of the font", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    await rows(page).nth(5).waitFor();
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".run-table .run-row { min-block-size: 41.25px !important }");
      document.adoptedStyleSheets.push(sheet);
    });
    const overlaps = () =>
      rows(page).evaluateAll((all) =>
        all.flatMap((row, at) => {
          const below = all[at + 1]?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
          return below - row.getBoundingClientRect().bottom < -0.1 ? [at] : [];
        }),
      );
    await expect.poll(overlaps).toEqual([]);
    expect(
      await rows(page)
        .first()
        .evaluate((row) => row.getBoundingClientRect().height),
    ).toBe(41.25);
  });

  it("say when the server is away, and return to it", async () => {
    const { page, go, complaints } = await openConsole(browser, server);
    await go(runs());
    await untilLive(page);
    complaints.allow(/net::ERR_/);
    await server.down();
    await page.getByText(/^Offline since \d/).waitFor();
    await server.up();
    await untilLive(page);
    expect(await rows(page).count()).toBeGreaterThan(10);
  });
});

describe("selected runs", () => {
  it("are those whose boxes are checked, also after a range that ends at a checked one", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    const boxes = page.locator("[data-run]").getByRole("checkbox", { name: /^Select / });
    await boxes.nth(4).waitFor();
    const names = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute("aria-label")));
    expect(new Set(names).size).toBe(names.length);
    await boxes.first().check();
    for (const last of [4, 2, 4]) {
      await boxes.nth(last).click({ modifiers: ["Shift"] });
      await page.getByText("5 runs selected").first().waitFor();
      await expect.poll(() => page.locator("[data-run]").getByRole("checkbox", { checked: true }).count()).toBe(5);
    }
  });

  it("are retried as one job, with their progress", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs("?status=failed"));
    const boxes = page.locator("[data-run]").getByRole("checkbox", { name: /^Select / });
    await boxes.first().check();
    await boxes.nth(2).click({ modifiers: ["Shift"] });
    await page.getByText("3 runs selected").first().waitFor();
    const chosen = await Promise.all([0, 1, 2].map((index) => idOfRow(page, index)));
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
    await page.getByRole("region", { name: "Retrying runs" }).waitFor();
    await page.getByText("3 of 3 · Finished").waitFor();
    const [job] = (await server.stepwell.jobs.list(server.app.id)).items;
    expect(job).toMatchObject({ kind: "runs.bulk", total: 3, done: 3 });
    const retried = await Promise.all(chosen.map((id) => server.stepwell.runs.get(server.app.id, id ?? "")));
    expect(retried.map(({ steps }) => steps.some(({ attempts }) => attempts > 0))).toEqual([true, true, true]);
  });

  it("are a job that can be stopped", async () => {
    // The queue is full, so the job waits.
    const full = await openConsoleServer({ limits: { concurrentRuns: 1, queuedRuns: 0 } });
    onTestFinished(() => full.close());
    const { stepwell, app } = full;
    const deploy = async (name: string, step: Step) => {
      const { id } = await stepwell.workflows.create(app.id, { name, steps: [step] });
      await stepwell.workflows.deploy(app.id, id);
      return id;
    };
    const done = await stepwell.runs.create(
      app.id,
      await deploy("Quick", { type: "code", key: "a", code: "return 1" }),
    );
    await stepwell.runs.wait(app.id, done.id);
    const hold: Step = { type: "service", key: "hold", service: { service: "tests", action: "hold", input: {} } };
    await stepwell.runs.create(app.id, await deploy("Held", hold));
    const { page, go, faults } = await openConsole(browser, full);
    await go(`/apps/${app.id}/runs`);
    await page
      .locator(`[data-run="${done.id}"]`)
      .getByRole("checkbox", { name: /^Select / })
      .check();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await page.getByText("Replaying runs · 0 of 1").waitFor();
    expect(await faults()).toEqual([]);
    const allow = refuse(full, "POST", /\/cancel$/, "It goes on.");
    await page.getByRole("button", { name: "Stop" }).click();
    const dialog = page.getByRole("dialog", { name: "That didn't work." });
    await dialog.getByText("It goes on.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    allow();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Replaying runs · 0 of 1 · Stopped").waitFor();
    expect((await stepwell.jobs.list(app.id)).items).toMatchObject([{ status: "canceled", done: 0 }]);
    full.release();
    expect((await stepwell.runs.list(app.id)).total).toBe(2);
  });

  it("are all that match, as a job with its progress", async () => {
    const { page, go, faults } = await openConsole(browser, server);
    const create = () => server.stepwell.runs.create(server.app.id, seeded.quick, { tags: ["to-delete"] });
    // More than a page. Only runs that have ended are deleted.
    const created = await Promise.all(Array.from({ length: 60 }, create));
    await Promise.all(created.map(({ id }) => server.stepwell.runs.wait(server.app.id, id)));
    await go(runs("?search=to-delete"));
    await page.getByRole("checkbox", { name: "Select all runs shown" }).check();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Select all that match" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    expect(await faults()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText(/60 · Finished/).waitFor();
    await page.getByText("No run matches these filters.").waitFor();
    expect((await server.stepwell.runs.list(server.app.id, { tags: "to-delete" })).items).toEqual([]);
  });

  it("can be chosen, and runs opened, by the keyboard alone", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs());
    await rows(page).first().focus();
    for (const key of ["j", "x", "j", "j", "Shift+X"]) await page.keyboard.press(key);
    await page.getByText("3 runs selected").first().waitFor();
    await page.keyboard.press("k");
    const id = await idOfRow(page, 2);
    // The focus follows the key when the rows have been drawn.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-run"))).toBe(id);
    await page.keyboard.press("Escape");
    await page.getByText("3 runs selected").first().waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.waitForURL(server.at(runs(`/${id}`)));
    await page.goBack();
    await rows(page).first().waitFor();
  });
});

describe("how the list of runs looks", () => {
  it.each([
    { width: 390, height: 844 },
    { width: 1280, height: 500 },
  ])("keep the focus below the bar at the top, %o", async (viewport) => {
    const { page, go } = await openConsole(browser, server, { viewport });
    await go(runs());
    await rows(page).nth(5).waitFor();
    await rows(page).first().focus();
    const focused = () =>
      page.evaluate(() => {
        const row = document.activeElement;
        const { left, top, width, height } = row?.getBoundingClientRect() ?? new DOMRect();
        const shown = document.elementFromPoint(left + width / 2, top + Math.min(height, 20) / 2);
        const index = row instanceof HTMLElement ? Number(row.dataset["index"]) : -1;
        return [index === 0 ? "first" : index > 20 ? "low" : index, row?.contains(shown) === true];
      });
    await expect.poll(focused).toEqual(["first", true]);
    await page.keyboard.press("End");
    await expect.poll(focused).toEqual(["low", true]);
    await page.keyboard.press("Home");
    await expect.poll(focused).toEqual(["first", true]);
  });

  it("gives the message of a failed run the whole width of its column", async () => {
    const { page, go } = await openConsole(browser, server, { viewport: { width: 1280, height: 800 } });
    await go(runs("?status=failed"));
    const message = page.locator(".run-table [data-run] .error bdi").first();
    await message.waitFor();
    // The code before it has a line of its own.
    const places = await message.evaluate((element) => {
      const cell = element.closest(".error");
      if (cell === null) throw new Error("There is no cell.");
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      const edge = cell.getBoundingClientRect();
      element.textContent = "long ".repeat(100);
      const { left, right } = element.getBoundingClientRect();
      return {
        left: left - edge.left - Number.parseFloat(paddingLeft),
        right: edge.right - Number.parseFloat(paddingRight) - right,
      };
    });
    expect(places.left).toBeCloseTo(0, 0);
    expect(places.right).toBeCloseTo(0, 0);
  });

  it("shows hostile names as text", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(runs(`?workflow=${seeded.hostile}`));
    const row = page.locator(`[data-run="${seeded.hostileRun}"]`);
    await row.waitFor();
    expect(await row.getByRole("link").textContent()).toBe(HOSTILE_NAME);
    expect(await row.locator(".tag").innerText()).toBe("<b>bold</b>");
    // Marks of direction end with the name.
    expect(await row.getByRole("link").locator("bdi").count()).toBe(1);
  });

  it.each(["light", "dark"] as const)("is accessible in %s, on screens of every width", async (colorScheme) => {
    const { page, go, faults } = await openConsole(browser, server, { colorScheme });
    await go(runs());
    await rows(page).first().waitFor();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await faults(), `${colorScheme}, ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
