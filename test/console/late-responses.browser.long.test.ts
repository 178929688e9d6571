/** Responses that come after somebody has gone on: what they are about is no longer what the page shows. */
import type { Route } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Step } from "../../src/index.ts";
import { createGate } from "../support/gate.ts";
import { until } from "../support/until.ts";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { holdNext } from "./support/hold-next.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

const code = (key: string, text: string, more: Partial<Step> = {}): Step =>
  ({ type: "code", key, code: text, ...more }) as Step; // a code step

/** Runs the steps once, and returns the path of the run. */
async function ran(steps: Step[]): Promise<{ readonly run: string; readonly workflow: string }> {
  const { id } = await stepwell.workflows.create(app.id, { name: "Late", steps });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id);
  await stepwell.runs.wait(app.id, run.id);
  return { run: `/apps/${app.id}/runs/${run.id}`, workflow: `/apps/${app.id}/workflows/${id}` };
}

/** Creates a workflow whose runs wait for somebody, and returns its id. */
async function approval(): Promise<string> {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Approval",
    steps: [
      { type: "input", key: "start", input: {}, destinations: ["approve"] },
      { type: "input", key: "approve", input: { note: { type: "string", name: "Note" } } },
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  return id;
}

describe("a response that comes late", () => {
  it("of a deployment closes no dialog that was opened meanwhile", async () => {
    const { path } = await createWorkflow(server, "Deployed", [code("a", "return 1")]);
    const { page, go } = await openConsole(browser, server);
    await go(path);
    const deployment = holdNext(server, "POST", /\/versions$/);
    await page.getByRole("button", { name: "Deploy v1…" }).click();
    const dialog = page.getByRole("dialog", { name: "Deploy version 1" });
    await dialog.getByRole("button", { name: "Deploy v1" }).click();
    await deployment.arrived;
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Find step (/)" }).click();
    const find = page.getByRole("dialog", { name: "Find a step" });
    await find.waitFor();
    deployment.release();
    await page.getByText("Version 1 is deployed.").waitFor();
    expect(await find.count()).toBe(1);
  });

  it("of a new run leads nobody away who has left its form", async () => {
    const { workflow } = await ran([{ type: "input", key: "start", input: {} }]);
    const { page, go } = await openConsole(browser, server);
    await go(`${workflow}/new-run`);
    const creation = holdNext(server, "POST", /\/runs$/);
    await page.getByRole("button", { name: "Start run" }).click();
    await creation.arrived;
    await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
    await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
    creation.release();
    // What follows the response is done by the next frame.
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/runs")),
    );
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(new URL(page.url()).pathname).toBe(`/console/apps/${app.id}/files`);
  });

  it("of an item is awaited, and the error of the item before it is not shown in its place", async () => {
    const { run } = await ran([
      code("list", "return ['first', 'second']", { destinations: ["each"] }),
      code("each", "throw new Error('The ' + item + ' is broken')", {
        for_each: { items: "steps.list.output", on_error: "continue" },
        retry: { max_attempts: 1 },
      } as Partial<Step>),
    ]);
    const { page, go } = await openConsole(browser, server);
    const first = page.waitForResponse((one) => /\/steps\/each\?.*item=0/.test(one.url()));
    await go(`${run}?step=each&at=0&tab=error`);
    await first;
    const message = page.getByRole("region", { name: "Step", exact: true }).locator(".error-message");
    await message.getByText("The first is broken").waitFor();
    const item = holdNext(server, "GET", /\/steps\/each\?.*item=1/);
    await page.keyboard.press("n");
    await item.arrived;
    await message.getByText("The second is broken").waitFor();
    item.release();
  });

  it("of a search leads nobody back who has gone on", async () => {
    const { page, go } = await openConsole(browser, server);
    await page.clock.install();
    await go(`/apps/${app.id}/schedules`);
    const held = createGate();
    const asked = createGate();
    // The files of the next screen come after the search has begun.
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      asked.release();
      await held.released;
      await route.continue();
    });
    await page.getByRole("searchbox", { name: "Search" }).fill("night");
    await page.getByRole("navigation").getByRole("link", { name: "Inbox" }).click();
    await asked.released;
    // Longer than a search waits for the next letter.
    await page.clock.runFor(5_000);
    held.release();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/apps/${app.id}/inbox`);
  });

  it("of an answer is known when somebody returns who has gone on to another entry", async () => {
    const id = await approval();
    const waiting = async () => {
      const run = await stepwell.runs.create(app.id, id);
      await until(async () => (await stepwell.runs.get(app.id, run.id)).status === "waiting");
      return run.id;
    };
    const [first, second] = [await waiting(), await waiting()];
    const { page, go } = await openConsole(browser, server);
    const entry = (run: string) => page.locator(`.inbox-list a[href*="${run}"]`);
    await go(`/apps/${app.id}/inbox/${first}/approve`);
    await page.getByLabel("Note").fill("Fine");
    const answer = holdNext(server, "POST", /\/inputs\/approve$/);
    await page.getByRole("button", { name: "Send" }).click();
    await answer.arrived;
    await entry(second).click();
    await page.waitForURL(`**/${second}/approve`);
    answer.release();
    await stepwell.runs.wait(app.id, first);
    await entry(first).waitFor({ state: "detached" });
    await page.goBack();
    await page.getByText(/You answered this at /).waitFor();
  });

  it("of a list is read again, if something in it changed meanwhile", async () => {
    const { page } = await openConsole(browser, server);
    const read = createGate();
    const held = createGate();
    onTestFinished(held.release);
    const hold = async (route: Route) => {
      const response = await route.fetch();
      read.release();
      await held.released;
      await route.fulfill({ response });
    };
    await page.route(new RegExp(`^${server.baseUrl}/apps/${app.id}/tags(\\?|$)`), hold, { times: 1 });
    await page.goto(server.at(`/apps/${app.id}/tags`));
    await read.released;
    await page.locator(".live-sign.live").waitFor();
    await stepwell.tags.create(app.id, { name: "Urgent", color: "#ff0000" });
    // The page knows of what came later, so it knows of the tag.
    await stepwell.runs.create(app.id, await approval());
    await page
      .getByRole("navigation")
      .getByText(/^\d+ waiting$/)
      .waitFor({ state: "attached" });
    held.release();
    await page.getByText("Urgent").first().waitFor();
  });
});

it("the result of a tested step is not shown as that of another one", async () => {
  const { workflow } = await ran([
    code("one", "return { n: 1 }", { destinations: ["two"] }),
    code("two", "return { sum: steps.one.output.n + 1 }"),
  ]);
  const { page, go } = await openConsole(browser, server);
  await go(`${workflow}?view=outline&step=two`);
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("button", { name: /^Test this step with the run of/ }).click();
  const result = page.getByRole("region", { name: "Test this step" }).locator(".step-result");
  await result.getByText("sum").waitFor();
  await page.getByRole("treeitem", { name: /^one / }).click();
  await page.getByRole("complementary", { name: "Step one" }).waitFor();
  await page.getByRole("button", { name: /^Test this step with the run of/ }).waitFor();
  expect(await result.count()).toBe(0);
});
