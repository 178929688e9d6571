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
  await expect.poll(() => event("record.created").isDisabled()).toBe(true);
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByText("https://example.com/events").first().waitFor();
  const [webhook] = (await stepwell.webhooks.list(app.id)).items;
  expect(webhook?.events).toEqual(["run.failed", "record.*"]);
});

it("give their secret to the receiver, and say that tests are not listed", async () => {
  const { stepwell, app, baseUrl } = server;
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/webhooks?tab=outgoing`);
  await page.getByRole("button", { name: "New webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("https://example.com/secret");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Copy it now to the receiver").waitFor();
  const { items } = await stepwell.webhooks.list(app.id);
  const id = items.find(({ url }) => url === "https://example.com/secret")?.id ?? "";
  await page.route(`${baseUrl}/apps/${app.id}/webhooks/${id}/test`, (route) =>
    route.fulfill({ json: { status: 200, error: null, duration_ms: 1 } }),
  );
  await go(`/apps/${app.id}/webhooks/${id}`);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The receiver accepted the test. Tests are not listed below.").waitFor();
  expect(await page.getByText("No event has been sent yet.").count()).toBe(1);
});

it("show a test that fails as a failure, and one that works after it as that", async () => {
  const { stepwell, app, baseUrl } = server;
  const { id } = await stepwell.webhooks.create(app.id, { url: "https://example.com/down", events: ["run.failed"] });
  const { page, go, faults } = await openConsole(browser, server);
  const answers = [
    { status: 500, error: "The receiver responded with 500.", duration_ms: 1 },
    { status: 200, error: null, duration_ms: 1 },
  ];
  await page.route(`${baseUrl}/apps/${app.id}/webhooks/${id}/test`, (route) =>
    route.fulfill({ json: answers.shift() }),
  );
  await go(`/apps/${app.id}/webhooks/${id}`);
  const send = page.getByRole("button", { name: "Send a test" });
  await send.click();
  const failure = page.getByRole("status").locator(".callout");
  await failure.getByText("The test was not delivered").waitFor();
  await failure.getByText("500 The receiver responded with 500.").waitFor();
  expect(await faults()).toEqual([]);
  await expect.poll(() => send.isEnabled()).toBe(true);
  await send.click();
  await page.getByText("The receiver accepted the test.").waitFor();
  expect(await failure.count()).toBe(0);
});

it("can be limited to the events of one collection", async () => {
  const { stepwell, app } = server;
  const collection = await stepwell.collections.create(app.id, { name: "Loans" });
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/webhooks?tab=outgoing`);
  await page.getByRole("button", { name: "New webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("https://example.com/loans");
  await dialog.getByLabel("run.*").uncheck();
  await dialog.getByLabel("record.*").check();
  await dialog.getByRole("combobox", { name: "Collection" }).selectOption({ label: "Loans" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Copy it now to the receiver").waitFor();
  const { items } = await stepwell.webhooks.list(app.id);
  const webhook = items.find(({ url }) => url === "https://example.com/loans");
  expect(webhook?.collection_id).toBe(collection.id);
  await go(`/apps/${app.id}/webhooks/${webhook?.id}`);
  await page.getByRole("main").getByText("Loans", { exact: true }).waitFor();
  expect(await faults()).toEqual([]);
});
