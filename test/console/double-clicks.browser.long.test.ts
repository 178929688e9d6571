/** A double click is one order, also where the answer comes between its two clicks. */
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { app, stepwell } = server;

/** Counts the requests whose method and path match. */
function countRequests(wanted: RegExp) {
  let count = 0;
  onTestFinished(() => server.intercept(() => false));
  server.intercept(({ method, url = "" }) => {
    if (wanted.test(`${method} ${url}`)) count += 1;
    return false;
  });
  return () => count;
}

/**
 * Clicks a button, and what stands at its place again with each change of the page that the click has caused. Resolves when
 * the button can be used again.
 */
const clickMeanwhile = (page: Page, name: string) =>
  page
    .getByRole("main")
    .getByRole("button", { name })
    .first()
    .evaluate((button: HTMLElement) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const atPlace = () => document.elementFromPoint(left + width / 2, top + height / 2)?.closest("button");
      return new Promise<void>((resolve) => {
        let wasBusy = false;
        const observer = new MutationObserver(() => {
          const isBusy = atPlace()?.ariaBusy === "true";
          if (wasBusy && !isBusy) {
            observer.disconnect();
            resolve();
          } else atPlace()?.click();
          wasBusy ||= isBusy;
        });
        const all = { subtree: true, childList: true, characterData: true, attributes: true };
        observer.observe(document.body, all);
        button.click();
      });
    });

async function createWebhook(): Promise<string> {
  return (await stepwell.webhooks.create(app.id, { url: "https://example.com/events", events: ["run.*"] })).id;
}

it("sends one test to a webhook, and another one with a later click", async () => {
  const id = await createWebhook();
  const { page, go } = await openConsole(browser, server);
  await page.route(`**/webhooks/${id}/test`, (route) =>
    route.fulfill({ json: { status: 200, error: null, duration_ms: 1 } }),
  );
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/test")) sent.push(request.url());
  });
  await go(`/apps/${app.id}/webhooks/${id}`);
  await clickMeanwhile(page, "Send a test");
  await page.getByText("The receiver accepted the test.").waitFor();
  expect(sent).toHaveLength(1);
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect.poll(() => sent).toHaveLength(2);
});

it("sends a delivery of a webhook again once", async () => {
  const id = await createWebhook();
  const workflow = await createWorkflow(server, "Sent", [{ type: "input", key: "start", input: {} }]);
  await stepwell.workflows.deploy(app.id, workflow.id);
  const run = await stepwell.runs.create(app.id, workflow.id, {});
  await stepwell.runs.wait(app.id, run.id);
  await expect
    .poll(async () => (await stepwell.webhooks.deliveries(app.id, id)).items.length)
    .toBeGreaterThanOrEqual(1);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/webhooks/${id}`);
  await page.getByRole("button", { name: "Send again" }).first().waitFor();
  const sent = countRequests(/^POST .*\/redeliver$/);
  await clickMeanwhile(page, "Send again");
  expect(sent()).toBe(1);
});

it("pauses a schedule once, and not back again", async () => {
  const workflow = await createWorkflow(server, "Paused", [{ type: "input", key: "start", input: {} }]);
  await stepwell.workflows.deploy(app.id, workflow.id);
  const schedule = await stepwell.schedules.create(app.id, { workflow_id: workflow.id, cron: "30 9 * * *" });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/schedules/${schedule.id}`);
  const sent = countRequests(/^(PUT|PATCH|POST) .*\/schedules\//);
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await clickMeanwhile(page, "Pause");
  await page.getByRole("button", { name: "Resume" }).waitFor();
  expect(sent()).toBe(1);
  expect((await stepwell.schedules.get(app.id, schedule.id)).paused).toBe(true);
});

it("sends an operation of the reference once", async () => {
  const { page, go } = await openConsole(browser, server);
  await go("/docs/tags.create");
  await page.getByText("Try it").click();
  const sent = countRequests(/^POST .*\/tags$/);
  const button = page.getByRole("main").getByRole("button", { name: "Send" });
  await button.evaluate((element: HTMLElement) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(".try-it .result") === null) return;
      observer.disconnect();
      element.click();
    });
    observer.observe(document.body, { subtree: true, childList: true });
    element.click();
  });
  await page.locator(".try-it .result").getByText("201 Created").waitFor();
  await expect.poll(() => button.getAttribute("aria-busy")).toBe("false");
  expect(sent()).toBe(1);
});
