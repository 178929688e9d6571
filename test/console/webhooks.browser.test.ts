/** Outgoing webhooks: which events they send. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("are chosen one by one, by group, or all, from a list", async () => {
  const { stepwell, app } = server;
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/webhooks?tab=outgoing`);
  await page.getByRole("button", { name: "New webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  const event = (name: string) => dialog.getByRole("checkbox", { name, exact: true });
  await dialog.getByLabel("URL").fill("https://example.com/events");
  await event("run.*").uncheck();
  await event("run.failed").check();
  // A group takes the place of its types.
  await event("record.created").check();
  await event("record.*").check();
  expect(await event("record.created").isDisabled()).toBe(true);
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByText("https://example.com/events").first().waitFor();
  const [webhook] = (await stepwell.webhooks.list(app.id)).items;
  expect(webhook?.events).toEqual(["run.failed", "record.*"]);
});
