/** Schedules: a cron expression is said in words, in the language of the page. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { launch } from "../support/browser/site.ts";
import { type ConsoleServer, openConsoleServer } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";

let browser: Browser;
let server: ConsoleServer;
beforeAll(async () => {
  browser = await launch(inject("headlessShell"));
  server = await openConsoleServer();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

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
  await page.getByText(words).waitFor();
  expect(await page.getByText("30 9 * * mon-fri").count()).toBe(1);
});
