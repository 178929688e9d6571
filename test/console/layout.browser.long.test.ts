/** What stands where on the screens of the console, at the widths of a desktop and of a tablet. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

const { id: workflow } = await stepwell.workflows.create(app.id, {
  name: "Month end closing of all subsidiaries",
  steps: [{ type: "input", key: "start", input: {} }],
});
await stepwell.workflows.deploy(app.id, workflow);
const schedule = await stepwell.schedules.create(app.id, {
  ...{ workflow_id: workflow, name: "Closing of all subsidiaries" },
  ...{ cron: "0 9 * * mon-fri", timezone: "Europe/Berlin" },
});
const collection = await stepwell.collections.create(app.id, { name: "Loans" });
const record = await stepwell.records.create(app.id, collection.id, {
  data: {
    loan: { number: "L-100", borrower: "A borrower with a long name", amount: 100_000, value: 300_000, state: "open" },
  },
});
const file = await stepwell.files.create(app.id, { name: "list.csv", body: new TextEncoder().encode("a,b\n1,2\n") });
await stepwell.keys.create(app.id, { name: "Accounting", scopes: ["runs:read", "runs:write", "files:read"] });

const edgesOf = (place: Locator) =>
  place.evaluate((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return { left, right, width };
  });

it("ends the head of each page at the same edge, and shows the preview of a file beside its facts", async () => {
  const { page, follow } = await openConsole(browser, server);
  const ends: number[] = [];
  for (const path of [
    "/workflows",
    `/schedules/${schedule.id}`,
    `/collections/${collection.id}/settings`,
    `/collections/${collection.id}/records/${record.id}`,
    `/files/${file.id}`,
  ]) {
    await follow(`/apps/${app.id}${path}`);
    ends.push((await edgesOf(page.locator(".page-head .actions"))).right);
  }
  expect(new Set(ends).size).toBe(1);
  const facts = await edgesOf(page.locator(".facts"));
  const preview = await edgesOf(page.locator(".csv-table"));
  expect(preview.left).toBeGreaterThan(facts.right);
  expect(preview.right).toBe(ends[0]);
});

it("shows the map of a workflow only where the canvas has room beside it", async () => {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Long",
    steps: Array.from({ length: 10 }, (_, n) => ({ type: "code" as const, key: `step_${n}`, code: "return 1" })),
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}?view=canvas`);
  const map = page.locator(".canvas-map");
  await map.waitFor();
  await page.locator('.canvas [data-step="step_0"]').focus();
  await page.keyboard.press("Enter");
  await map.waitFor({ state: "hidden" });
  await page.getByRole("complementary").getByRole("button", { name: "Close" }).click();
  await map.waitFor();
  await page.setViewportSize({ width: 768, height: 1024 });
  await map.waitFor({ state: "hidden" });
});

it("keeps long names without a space and long errors in their places", async () => {
  const long = "Supercalifragilistic".repeat(10);
  const { id } = await stepwell.workflows.create(app.id, {
    name: long,
    steps: [{ type: "code", key: "fail", code: `throw new Error("${"no rate ".repeat(600)}");` }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id, {});
  await stepwell.runs.wait(app.id, run.id);
  await stepwell.apps.create({ name: long });
  await stepwell.tags.create(app.id, { name: long, color: "red" });
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  const heightOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().height);
  await go("/apps");
  const name = await edgesOf(page.getByRole("button", { name: long }));
  expect(name.right).toBeLessThan((await edgesOf(page.getByRole("cell", { name: /^app_/ }).first())).left);
  await go(`/apps/${app.id}`);
  const failing = page.locator(".failing", { hasText: long });
  expect(await heightOf(failing)).toBeLessThan(200);
  expect(await failing.getByTitle(long).evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("super");
  const found = page.getByRole("option", { name: long, exact: true });
  expect((await edgesOf(found.getByTitle(long))).right).toBeLessThan((await edgesOf(found)).right);
  await go(`/apps/${app.id}/collections/${collection.id}`);
  expect((await edgesOf(page.getByRole("combobox", { name: "Tags" }))).width).toBeLessThan(300);
  await go(`/apps/${app.id}/runs/${run.id}`);
  expect(await heightOf(page.locator(".run-error"))).toBeLessThan(200);
});

describe("on a tablet", () => {
  const viewport = { width: 768, height: 1024 };
  const overflowOf = (page: Page) =>
    page.locator(".table-scroll").evaluate((table) => table.scrollWidth - table.clientWidth);

  it.each([
    ["/keys", "Accounting"],
    ["/schedules", "Closing of all subsidiaries"],
    [`/collections/${collection.id}`, "L-100"],
  ])("the table of %s has room for all its columns", async (path, name) => {
    const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY, viewport });
    await go(`/apps/${app.id}${path}`);
    await page.getByRole("rowheader", { name }).waitFor();
    expect(await overflowOf(page)).toBe(0);
  });

  it("the list of runs shows whole names, and an error below the name of its run", async () => {
    const { id: failing } = await stepwell.workflows.create(app.id, {
      name: "Send invoice",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["check"] },
        {
          type: "branch",
          key: "check",
          conditions: { any: { condition: "input.missing > 1", destinations: [], order: 1 } },
        },
      ],
    });
    await stepwell.workflows.deploy(app.id, failing);
    for (const id of [workflow, failing]) {
      const run = await stepwell.runs.create(app.id, id, {});
      await stepwell.runs.wait(app.id, run.id);
    }
    const { page, go } = await openConsole(browser, server, { viewport });
    await go(`/apps/${app.id}/runs`);
    const name = page.getByRole("link", { name: "Month end closing of all subsidiaries" });
    expect(await name.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
    const top = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().top);
    const failed = page.getByRole("row").filter({ hasText: "Send invoice" });
    const [named, error] = [await top(failed.locator(".workflow")), await top(failed.locator(".error"))];
    expect(error).toBeGreaterThan(named);
    expect((await edgesOf(failed.locator(".error"))).left).toBe((await edgesOf(failed.locator(".workflow"))).left);
  });
});

it("moves nothing beside a tab, a filter or a view when it is chosen", async () => {
  const { page, go } = await openConsole(browser, server);
  const widthsOf = async (places: Locator) =>
    Promise.all((await places.all()).map(async (one) => (await edgesOf(one)).width));
  await go(`/apps/${app.id}/collections/${collection.id}/settings`);
  const tabs = page.getByRole("tab");
  const before = await widthsOf(tabs);
  await page.getByRole("tab", { name: "Rules" }).click();
  await page.getByRole("tab", { name: "Rules", selected: true }).waitFor();
  expect(await widthsOf(tabs)).toEqual(before);
  await go(`/apps/${app.id}/runs`);
  const chips = page.locator(".chip");
  const unchosen = await widthsOf(chips);
  await page.getByRole("checkbox", { name: "Succeeded" }).check();
  await page.waitForURL("**status=succeeded");
  expect(await widthsOf(chips)).toEqual(unchosen);
  await go(`/apps/${app.id}/workflows/${workflow}`);
  const views = page.locator(".view-switch button");
  const onCanvas = await widthsOf(views);
  await page.getByRole("button", { name: "Outline" }).click();
  await page.waitForURL("**view=outline");
  expect(await widthsOf(views)).toEqual(onCanvas);
});
