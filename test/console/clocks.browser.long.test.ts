/** Clocks that change, and clocks that are wrong. */
import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const { id: workflow } = await stepwell.workflows.create(app.id, {
  name: "Meeting",
  steps: [
    { type: "input", key: "start", input: { at: { type: "datetime", name: "Meeting", optional: true } } },
    { type: "input", key: "wait", input: { ok: { type: "boolean", name: "Approve" } } },
  ],
});
await stepwell.workflows.deploy(app.id, workflow);

describe("a local time", () => {
  const timezoneId = "Europe/Berlin";
  it.each([
    ["that the clocks skip", "2027-03-28T02:30", /This time does not exist here.* 3:30/],
    ["that the clocks show twice", "2026-10-25T02:30", /This time occurs twice.* 2:30:00 AM GMT\+2/],
  ])("%s is explained in forms and schedules", async (_, local, text) => {
    const { page, go, faults } = await openConsole(browser, server, { timezoneId });
    await go(`/apps/${app.id}/workflows/${workflow}/new-run`);
    await page.getByLabel("Meeting").fill(local);
    await page.getByRole("status").filter({ hasText: text }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByLabel("Meeting").fill("2027-01-31T02:30");
    await expect.poll(() => page.getByText(/This time (does not exist|occurs twice)/).count()).toBe(0);
    await go(`/apps/${app.id}/schedules`);
    await page.getByRole("button", { name: "New schedule" }).first().click();
    await page.getByLabel("Once").check();
    await page.locator('input[type="datetime-local"]').fill(local);
    await page.getByRole("dialog").getByRole("status").filter({ hasText: text }).waitFor();
  });
});

describe("a browser whose clock is a day ahead", () => {
  it("shows durations by the clock of the server", async () => {
    const { id } = await stepwell.runs.create(app.id, workflow, {});
    await until(async () => (await stepwell.runs.get(app.id, id)).status === "waiting");
    const { page, go } = await openConsole(browser, server);
    await page.addInitScript(() => {
      const now = Date.now;
      Date.now = () => now() + 86_400_000;
    });
    await go(`/apps/${app.id}/runs/${id}`);
    const duration = page.locator(".duration").first();
    await duration.waitFor();
    expect(await duration.innerText()).not.toContain("1 d");
  });
});
