/** What is switched on the server looks as the server has it, also while it is asked and after it has refused. */
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { app, stepwell } = server;

it.each([403, 500])("leaves a schedule as it is when the server refuses to pause it with %i", async (status) => {
  const workflow = await createWorkflow(server, "Nightly", [{ type: "input", key: "start", input: {} }]);
  await stepwell.workflows.deploy(app.id, workflow.id);
  const schedule = await stepwell.schedules.create(app.id, { workflow_id: workflow.id, cron: "30 9 * * *" });
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/\b500\b/);
  const arrived = createGate();
  const held = createGate();
  onTestFinished(held.release);
  await page.route(`**/schedules/${schedule.id}`, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    arrived.release();
    await held.released;
    const problem = { status, code: status === 403 ? "forbidden" : "internal", title: "Refused", detail: "Not today." };
    return route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await go(`/apps/${app.id}/schedules/${schedule.id}`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Pause" }).waitFor();
  // What it has looked like, however briefly.
  await main.evaluate((element) => {
    const seen = new Set<string>();
    Reflect.set(window, "seen", seen);
    new MutationObserver(() => {
      for (const text of ["Resume", "Paused"]) if (element.textContent?.includes(text)) seen.add(text);
    }).observe(element, { subtree: true, childList: true, characterData: true });
  });
  await main.getByRole("button", { name: "Pause" }).click();
  await arrived.released;
  expect(await main.getByRole("button", { name: "Pause" }).getAttribute("aria-busy")).toBe("true");
  held.release();
  const dialog = page.getByRole("dialog", { name: "That didn't work." });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await dialog.waitFor({ state: "detached" });
  await page.unroute(`**/schedules/${schedule.id}`);
  expect(await page.evaluate(() => [...Reflect.get(window, "seen")])).toEqual([]);
  // Nothing is stuck: it can be tried again at once.
  await main.getByRole("button", { name: "Pause" }).click();
  await main.getByRole("button", { name: "Resume" }).waitFor();
  expect((await stepwell.schedules.get(app.id, schedule.id)).paused).toBe(true);
});
