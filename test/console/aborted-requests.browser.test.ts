/** Who leaves a page waits for nothing of it any more: its requests end with it. */
import type { ServerResponse } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

/** Never responds to requests to a URL. Resolves when one has arrived, and then when the page has ended it. */
function holdUntilClosed(url: RegExp) {
  const arrived = createGate();
  const closed = createGate();
  server.intercept((request, response: ServerResponse) => {
    if (!url.test(request.url ?? "")) return false;
    arrived.release();
    response.once("close", closed.release);
    return true;
  });
  onTestFinished(() => server.intercept(() => false));
  return { arrived: arrived.released, closed: closed.released };
}

it("ends the request of a list with its page", async () => {
  const { page } = await openConsole(browser, server);
  const list = holdUntilClosed(new RegExp(`^/apps/${app.id}/files`));
  await page.goto(server.at(`/apps/${app.id}/files`));
  await list.arrived;
  await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("heading", { name: "Schedules", level: 1 }).waitFor();
  await list.closed;
});

it("ends the request of a run with its page, and reads it again for who returns", async () => {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Quick",
    steps: [{ type: "code", key: "a", code: "return 1" }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id);
  await stepwell.runs.wait(app.id, run.id);
  const { page } = await openConsole(browser, server);
  const read = holdUntilClosed(new RegExp(`^/apps/${app.id}/runs/${run.id}`));
  await page.goto(server.at(`/apps/${app.id}/runs/${run.id}`));
  await read.arrived;
  await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).click();
  await read.closed;
  server.intercept(() => false);
  await page.goBack();
  await page.getByRole("heading", { name: "Quick", level: 1 }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
