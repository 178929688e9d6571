/** Schedules: a cron expression is said in words, in the language of the page. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

it.each([
  ["en-US", "At 09:30 AM, Monday through Friday"],
  ["de-DE", "Um 09:30, Montag bis Freitag"],
])("says a cron expression in words (%s)", async (locale, words) => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Report",
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const schedule = await stepwell.schedules.create(app.id, { workflow_id: id, cron: "30 9 * * mon-fri" });
  const { page, go } = await openConsole(browser, server, { locale });
  await go(`/apps/${app.id}/schedules/${schedule.id}`);
  await page.getByText(words, { exact: true }).waitFor();
  expect(await page.getByText("30 9 * * mon-fri").count()).toBe(1);
});

it("says what is wrong with a cron expression while it is typed, and what a form lacks in its own words", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Night",
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/schedules`);
  await page.getByRole("button", { name: "New schedule" }).first().click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByLabel("Workflow").locator("option:checked").innerText()).toBe("Choose…");
  const cron = dialog.getByLabel("Cron expression", { exact: true }).last();
  await cron.fill("99 * * *");
  await dialog.getByText("minute, hour, day, month, weekday. Fields now: 4.").waitFor();
  await cron.fill("99 * * * *");
  await dialog.getByText("“99” is not a valid minute. Use 0 to 59.").waitFor();
  expect(await cron.getAttribute("aria-invalid")).toBe("true");
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Fill in this field.").waitFor();
  await focusAt(page, "dialog select[aria-invalid=true]");
  await dialog.getByLabel("Workflow").selectOption(id);
  await expect.poll(() => dialog.getByText("Fill in this field.").count()).toBe(0);
  await dialog.getByRole("button", { name: "Create" }).click();
  await focusAt(page, "dialog input[aria-invalid=true]");
  expect(await cron.evaluate((input) => input === document.activeElement)).toBe(true);
  await cron.fill("30 3 * * *");
  await dialog.getByText("At 03:30 AM").waitFor();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  const { items } = await stepwell.schedules.list(app.id, { workflow_id: id });
  expect(items.map((one) => one.cron)).toEqual(["30 3 * * *"]);
});

it("keeps the order of a date that names a schedule in Arabic", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Lead scoring", steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  await stepwell.schedules.create(app.id, { workflow_id: id, at: "2031-11-29T08:24:00Z" });
  const { page, go } = await openConsole(browser, server, { locale: "ar", timezoneId: "UTC" });
  await go(`/apps/${app.id}/schedules`);
  const title = page.locator(".schedule-title", { hasText: "Lead scoring" });
  const places = await title.evaluate((place) => {
    const text = place.firstChild;
    return ["8:24", "2031", "29"].map((part) => {
      const range = document.createRange();
      const start = text?.textContent?.indexOf(part) ?? 0;
      if (text !== null) range.setStart(text, start);
      if (text !== null) range.setEnd(text, start + part.length);
      return range.getBoundingClientRect().left;
    });
  });
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

it("names a schedule without a name by what it runs and when, and shows the next runs in its time zone", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Digest", steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const schedule = await stepwell.schedules.create(app.id, {
    workflow_id: id,
    cron: "30 9 * * mon-fri",
    timezone: "Asia/Tokyo",
  });
  const { page, go, faults } = await openConsole(browser, server, { timezoneId: "America/New_York" });
  await go(`/apps/${app.id}/schedules/${schedule.id}`);
  const main = page.getByRole("main");
  await main.getByRole("heading", { level: 1, name: "Digest: At 09:30 AM, Monday through Friday" }).waitFor();
  await main.getByRole("heading", { name: "Next runs (Asia/Tokyo)" }).waitFor();
  expect(await main.getByRole("listitem").first().innerText()).toMatch(/day, .* at 9:30:00\sAM GMT\+9$/);
  expect(await faults()).toEqual([]);
  await main.getByRole("button", { name: "Pause" }).click();
  await main.getByText("Paused", { exact: true }).waitFor();
  await main.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").waitFor();
});

it("says an interval in its unit, takes it in a unit, and runs a schedule now", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Sync",
    steps: [{ type: "input", key: "start", input: { full: { type: "boolean", name: "Full", optional: true } } }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const schedule = await stepwell.schedules.create(app.id, { workflow_id: id, every: 3_600, input: { full: true } });
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/schedules/${schedule.id}`);
  const main = page.getByRole("main");
  await main.getByRole("heading", { level: 1, name: "Sync: Every hour" }).waitFor();
  await main.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByLabel("Run every");
  expect(await amount.inputValue()).toBe("1");
  expect(await dialog.getByLabel("Unit").inputValue()).toBe("hours");
  expect(await faults()).toEqual([]);
  await amount.fill("90");
  await dialog.getByLabel("Unit").selectOption("minutes");
  await dialog.getByRole("button", { name: "Save" }).click();
  await main.getByRole("heading", { level: 1, name: "Sync: Every 90 minutes" }).waitFor();
  expect((await stepwell.schedules.get(app.id, schedule.id)).every).toBe(5_400);
  await go(`/apps/${app.id}/schedules`);
  await main.getByRole("button", { name: "More actions: Sync: Every 90 minutes" }).click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await page.waitForURL(/\/runs\/run_/);
  const { items } = await stepwell.runs.list(app.id, { workflow_id: id });
  expect(items.map((run) => page.url().endsWith(run.id))).toEqual([true]);
  expect((await stepwell.runs.get(app.id, items[0]?.id ?? "")).input).toEqual({ full: true });
});

it("does not ask for a version of a workflow that was never deployed", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Never",
    steps: [{ type: "input", key: "start", input: { who: { type: "string", name: "Who" } } }],
  });
  const { page, go } = await openConsole(browser, server);
  const missing: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  await go(`/apps/${app.id}/schedules`);
  await page.getByRole("button", { name: "New schedule" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Workflow").selectOption(id);
  await dialog.getByLabel("Values").waitFor();
  await dialog.getByLabel("Version").selectOption("draft");
  await dialog.getByLabel("Who").waitFor();
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await page.getByLabel("Who").waitFor();
  expect(missing).toEqual([]);
});

it("says that the workflow of a schedule is deleted", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Gone",
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const schedule = await stepwell.schedules.create(app.id, { workflow_id: id, cron: "30 9 * * *" });
  await stepwell.workflows.remove(app.id, id, { force: true });
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/404/);
  await go(`/apps/${app.id}/schedules/${schedule.id}`);
  await page.getByText(`${id} (deleted)`, { exact: true }).waitFor();
  expect(await page.getByRole("link", { name: id }).count()).toBe(0);
});
