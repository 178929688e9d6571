/** The overview of an app: three ways to begin in an empty one, and what goes on in another. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/open-browser.ts";
import { until } from "../support/until.ts";
import { type ConsoleServer, openConsoleServer } from "./support/console-server.ts";
import { openConsole, type TabOptions } from "./support/console-tab.ts";
import { createSeedClock, type Seeded, seed } from "./support/seed.ts";

const browser = await openBrowser();

describe("the overview of an empty app", () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsoleServer();
  });
  afterAll(() => server.close());

  /** Opens the overview of a new app. */
  async function openNew(options: TabOptions = {}) {
    const { stepwell } = server;
    const app = await stepwell.apps.create({ name: "New" });
    const { key } = await stepwell.keys.create(app.id, { name: "New" });
    const tab = await openConsole(browser, server, { key, ...options });
    await tab.go(`/apps/${app.id}`);
    return { ...tab, app: app.id };
  }

  it("creates the sample, whose form is then open", async () => {
    const { page, app, faults } = await openNew();
    await page.getByText("This app has no workflows yet.").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "See one run" }).click();
    await page.waitForURL(/\/workflows\/work_\w+\/new-run$/);
    const [workflow] = (await server.stepwell.workflows.list(app)).items;
    expect(workflow).toMatchObject({ name: "Expense check", latest_version: 1 });
    const start = (amount: number) =>
      server.stepwell.runs.create(app, workflow?.id ?? "", { input: { purpose: "Train", amount } });
    const small = await server.stepwell.runs.wait(app, (await start(120.456)).id);
    expect(small.output).toEqual({ booked: 120.46, purpose: "Train" });
    const { id } = await start(900);
    await until(async () => (await server.stepwell.runs.get(app, id)).status === "waiting");
    await server.stepwell.runs.provide(app, id, "approve", { approved: true });
    expect((await server.stepwell.runs.wait(app, id)).output).toEqual({ booked: 900, purpose: "Train" });
  });

  it("offers the newest deployed workflow where nothing has run", async () => {
    const { page, app, go, faults } = await openNew();
    await page.getByText("This app has no workflows yet.").waitFor();
    const { id } = await server.stepwell.workflows.create(app, { name: "Expense check", steps: [] });
    await server.stepwell.workflows.deploy(app, id);
    await server.stepwell.workflows.create(app, { name: "Only a draft", steps: [] });
    await go(`/apps/${app}`);
    const first = page.getByRole("link", { name: "Run Expense check" });
    await first.waitFor();
    expect(await page.getByRole("heading", { name: "Recent runs" }).count()).toBe(0);
    expect(await faults()).toEqual([]);
    await first.click();
    await page.waitForURL(`**/workflows/${id}/new-run`);
    await page.getByText("This workflow needs no input.").waitFor();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL(/\/runs\/run_/);
    await go(`/apps/${app}`);
    await page.getByRole("heading", { name: "Recent runs" }).waitFor();
    // Hours without runs are left out: this one follows the head of the table.
    await expect.poll(() => page.getByRole("table", { name: "Runs by hour" }).getByRole("row").count()).toBe(2);
  });

  it("draws, counts and reads out the same runs of the day, canceled ones too", async () => {
    const { page, app, go, faults } = await openNew();
    const { stepwell } = server;
    const steps = [{ type: "input" as const, key: "ask", input: { ok: { type: "boolean" as const } } }];
    const end = [{ type: "code" as const, key: "end", code: "return 1;" }];
    const waiting = await stepwell.workflows.create(app, {
      name: "Asks",
      steps: [{ type: "input", key: "start", input: {}, destinations: ["ask"] }, ...steps],
    });
    const quick = await stepwell.workflows.create(app, { name: "Quick", steps: end });
    for (const { id } of [waiting, quick]) await stepwell.workflows.deploy(app, id);
    await stepwell.runs.wait(app, (await stepwell.runs.create(app, quick.id)).id);
    for (let n = 0; n < 3; n++) await stepwell.runs.cancel(app, (await stepwell.runs.create(app, waiting.id)).id);
    await go(`/apps/${app}`);
    const panel = page.locator("section", { has: page.getByRole("heading", { name: "Runs, last 24 hours" }) });
    await expect
      .poll(() => panel.locator(".rate").innerText())
      .toMatch(/^25% succeeded\s*Succeeded 1\s*Failed 0\s*Canceled 3$/);
    const rows = await panel.getByRole("row").allInnerTexts();
    // Of two hours, if a new one has begun meanwhile.
    const counts = rows.slice(1).map((row) => row.split("\t").slice(1).map(Number));
    expect([0, 1, 2].map((outcome) => counts.reduce((sum, hour) => sum + (hour[outcome] ?? 0), 0))).toEqual([1, 0, 3]);
    const drawn = await panel
      .locator(".bars rect:not(.room)")
      .evaluateAll((all) => all.filter((one) => Number(one.getAttribute("height")) > 0).map((one) => one.classList[0]));
    expect(new Set(drawn)).toEqual(new Set(["succeeded", "canceled"]));
    expect(await faults()).toEqual([]);
  });

  it("speaks the language of the browser, in the sample too", async () => {
    const { page, app } = await openNew({ locale: "de-DE" });
    await page.getByText("Diese App hat noch keine Workflows.").waitFor();
    await page.getByRole("button", { name: "Einen Lauf ansehen" }).click();
    await page.waitForURL(/\/new-run$/);
    expect((await server.stepwell.workflows.list(app)).items[0]?.name).toBe("Spesenprüfung");
  });

  it("creates an empty workflow, and opens it", async () => {
    const { page, app } = await openNew();
    await page.getByRole("button", { name: "New workflow" }).click();
    await page.waitForURL(/\/workflows\/work_\w+$/);
    expect((await server.stepwell.workflows.list(app)).total).toBe(1);
  });

  it("imports a pasted document, and says where a wrong one is wrong", async () => {
    const { page, app, faults } = await openNew();
    await page.getByRole("button", { name: "Paste JSON" }).click();
    const dialog = page.getByRole("dialog");
    const paste = async (text: string) => {
      await dialog.getByLabel("JSON").fill(text);
      await dialog.getByRole("button", { name: "Import" }).click();
    };
    await dialog.getByLabel("JSON").fill("{ no JSON");
    await dialog.getByText(/^This is not JSON: ./).waitFor();
    await dialog.getByLabel("JSON").fill("[1]");
    await dialog.getByText(/^This is not a JSON object/).waitFor();
    await paste('{ "format": "stepwell", "format_version": 1, "workflows": [{ "id": "x" }] }');
    await dialog.getByText("/workflows/0/name").waitFor();
    expect(await faults()).toEqual([]);
    const { id } = await server.stepwell.workflows.create(server.app.id, { name: "Moved", steps: [] });
    await paste(JSON.stringify(await server.stepwell.workflows.export(server.app.id, id, "draft")));
    await page.waitForURL(/\/workflows\/work_\w+$/);
    expect((await server.stepwell.workflows.list(app)).items[0]?.name).toBe("Moved");
  });
});

describe("the overview of an app with runs", () => {
  let server: ConsoleServer;
  let seeded: Seeded;
  beforeAll(async () => {
    const clock = createSeedClock();
    server = await openConsoleServer({ clock });
    seeded = await seed(server, clock, { runs: 100, workflows: 9, records: 5 });
  });
  afterAll(() => server.close());

  const overview = () => `/apps/${server.app.id}`;
  const countOf = (page: Page, label: string) =>
    page.locator(".counts .count", { hasText: label }).locator(".value").innerText();

  it("counts what waits, fails and runs, and leads there", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(overview());
    await until(async () => (await countOf(page, "Waiting for input")) === "3");
    expect(await countOf(page, "Running now")).toBe("2");
    expect(await page.locator(".counts").innerText()).toContain("Daily report");
    const summary = await server.stepwell.apps.summary(server.app.id);
    expect(await countOf(page, "Failed in 24 hours")).toBe(String(summary.last_24_hours.failed));
    // The bars, for people who cannot see them.
    const cells = await page.getByRole("table", { name: "Runs by hour" }).getByRole("row").allInnerTexts();
    const busy = summary.hours.filter((hour) => hour.succeeded + hour.failed + hour.canceled > 0);
    expect(cells.length).toBe(1 + busy.length);
    await page.getByRole("link", { name: /^Failed in 24 hours/ }).click();
    await page.locator("[data-run]").first().waitFor();
    const from = encodeURIComponent(summary.hours[0]?.from ?? "");
    expect(new URL(page.url()).search).toBe(`?status=failed&trigger=no-tests&from=${from}`);
  });

  it("leads to as many failed runs as it counts, without tests of steps", async () => {
    const { stepwell, app } = server;
    const steps = [{ type: "code" as const, key: "only", code: "throw new Error('no')" }];
    const { id } = await stepwell.workflows.create(app.id, { name: "Breaks", steps });
    await stepwell.workflows.deploy(app.id, id);
    await stepwell.runs.wait(app.id, (await stepwell.runs.create(app.id, id)).id);
    const test = await stepwell.runs.testStep(app.id, id, "only", {});
    await stepwell.runs.wait(app.id, test.id);
    expect((await stepwell.runs.get(app.id, test.id)).status).toBe("failed");
    const { failed } = (await stepwell.apps.summary(app.id)).last_24_hours;
    expect(failed).toBeGreaterThan(0);
    const { page, go } = await openConsole(browser, server);
    await go(overview());
    await until(async () => (await countOf(page, "Failed in 24 hours")) === String(failed));
    await page.getByRole("link", { name: /^Failed in 24 hours/ }).click();
    await page.getByText(`${failed} run${failed === 1 ? "" : "s"}`, { exact: true }).waitFor();
    expect(await page.locator(`[data-run="${test.id}"]`).count()).toBe(0);
    expect(await page.getByLabel("Started by").inputValue()).toBe("no-tests");
  });

  it("does not list tests of steps among the newest runs", async () => {
    const { stepwell, app } = server;
    const steps = [{ type: "code" as const, key: "only", code: "return 1" }];
    const workflow = await stepwell.workflows.create(app.id, { name: "Tested", steps });
    const tested = await stepwell.runs.testStep(app.id, workflow.id, "only", {});
    await stepwell.runs.wait(app.id, tested.id);
    const { page, go } = await openConsole(browser, server);
    await go(overview());
    const runs = page.getByRole("region", { name: "Recent runs" }).getByRole("link");
    await runs.nth(8).waitFor();
    const paths = await runs.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(paths.filter((path) => path.endsWith(tested.id))).toEqual([]);
  });

  it("names runs and waiting steps so that people can tell them apart", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(overview());
    const run = page
      .locator(".recent")
      .getByRole("link", { name: /^.+ (Succeeded|Failed|Canceled|Running|Waiting|Queued) .*\d/ });
    await run.nth(7).waitFor();
    const { items } = await server.stepwell.inputs.list(server.app.id);
    for (const { workflow_id, inputs } of items) {
      const { name } = await server.stepwell.workflows.get(server.app.id, workflow_id);
      const link = page.getByRole("link", { name: `${inputs[0]?.step_key} ${name} ` });
      await link.first().waitFor();
    }
  });

  it("is kept up to date by the stream", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(overview());
    await page.locator(".live-sign.live").waitFor();
    await until(async () => (await countOf(page, "Waiting for input")) === "3");
    const { id } = await server.stepwell.runs.create(server.app.id, seeded.asking, {});
    await until(async () => (await countOf(page, "Waiting for input")) === "4");
    await page.locator(".navigation .count", { hasText: "4" }).waitFor();
    await server.stepwell.runs.cancel(server.app.id, id);
    await until(async () => (await countOf(page, "Waiting for input")) === "3");
    expect(await page.getByText("Nothing is waiting.").count()).toBe(0);
  });

  it.each(["light", "dark"] as const)("is accessible in %s, on screens of every width", async (colorScheme) => {
    const { page, go, faults } = await openConsole(browser, server, { colorScheme });
    await go(overview());
    await page.getByRole("heading", { name: "Failing workflows" }).waitFor();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await faults(), `${colorScheme}, ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
