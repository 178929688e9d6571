/** Dialogs of what has no revision, changed by somebody else while they are open, in a real browser. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

const dialogOf = (page: Page) => page.getByRole("dialog");
const saveIn = (page: Page) => dialogOf(page).getByRole("button", { name: "Save", exact: true }).click();
const closed = (page: Page) => dialogOf(page).waitFor({ state: "detached" });

it("a tag keeps the color that somebody else chose, and a name that both changed is asked about", async () => {
  const { id } = await stepwell.tags.create(app.id, { name: "Tag", color: "red" });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "More actions: Tag" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialogOf(page).getByLabel("Name").fill("Mine");
  await stepwell.tags.update(app.id, id, { name: "Theirs", color: "blue" });
  await saveIn(page);
  await dialogOf(page).getByText("Their value of Name:").waitFor();
  expect(await stepwell.tags.get(app.id, id)).toMatchObject({ name: "Theirs", color: "blue" });
  await saveIn(page);
  await closed(page);
  expect(await stepwell.tags.get(app.id, id)).toMatchObject({ name: "Mine", color: "blue" });
});

it("a webhook keeps the events that somebody else added", async () => {
  const { id } = await stepwell.webhooks.create(app.id, { url: "https://a.example/events", events: ["run.*"] });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/webhooks/${id}`);
  await page.locator(".page-head").getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialogOf(page).getByRole("textbox").first().fill("https://b.example/events");
  await stepwell.webhooks.update(app.id, id, { events: ["run.*", "record.created"] });
  await saveIn(page);
  await closed(page);
  const { url, events } = await stepwell.webhooks.get(app.id, id);
  expect([url, [...events].sort()]).toEqual(["https://b.example/events", ["record.created", "run.*"]]);
});

it("a file keeps its visibility when it gets another name", async () => {
  const { id } = await stepwell.files.create(app.id, { name: "a.txt", body: new TextEncoder().encode("a") });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/files/${id}`);
  await page.locator(".page-head").getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialogOf(page).getByLabel("Name").fill("b.txt");
  await stepwell.files.update(app.id, id, { visibility: "PUBLIC" });
  await saveIn(page);
  await closed(page);
  expect(await stepwell.files.get(app.id, id)).toMatchObject({ name: "b.txt", visibility: "PUBLIC" });
});

const mapping = (name: string) => ({ type: "field", entity_path: `loan:${name}`, input_path: [name], name });

async function openTrigger() {
  const collection = await stepwell.collections.create(app.id, { name: "Loans" });
  const config = { type: "webhook", mappings: [mapping("amount")] };
  const trigger = await stepwell.triggers.create(app.id, collection.id, { type: "webhook", name: "Orders", config });
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${app.id}/collections/${collection.id}/settings?section=triggers`);
  await tab.page.getByRole("button", { name: "More actions: Orders" }).click();
  await tab.page.getByRole("menuitem", { name: "Edit" }).click();
  await dialogOf(tab.page).getByRole("button", { name: "Edit as JSON" }).waitFor();
  const ids = [app.id, collection.id, trigger.id] as const;
  return {
    ...tab,
    stored: () => stepwell.triggers.get(...ids),
    update: (changes: Parameters<typeof stepwell.triggers.update>[3]) => stepwell.triggers.update(...ids, changes),
  };
}

it("a trigger with another name keeps the type that somebody else gave it", async () => {
  const { page, stored, update } = await openTrigger();
  await dialogOf(page).getByLabel("Name").first().fill("Mine");
  const config = { type: "poll", url: "https://a.example/orders", id_path: ["id"], mappings: [mapping("amount")] };
  await update({ type: "poll", config });
  await saveIn(page);
  await closed(page);
  expect(await stored()).toMatchObject({ name: "Mine", type: "poll", config });
});

it("the settings of a trigger are not mixed with those of another type", async () => {
  const { page, stored, update } = await openTrigger();
  await dialogOf(page).getByRole("button", { name: "Edit as JSON" }).click();
  await dialogOf(page)
    .locator("textarea")
    .fill(JSON.stringify({ config: { mappings: [mapping("total")] } }));
  const config = { type: "poll", url: "https://a.example/orders", id_path: ["id"], mappings: [mapping("amount")] };
  await update({ type: "poll", config });
  await saveIn(page);
  await dialogOf(page).getByText("Their value of Trigger:").waitFor();
  expect(await stored()).toMatchObject({ type: "poll", config });
  await dialogOf(page).getByRole("button", { name: "Take theirs: Trigger" }).click();
  await expect.poll(() => dialogOf(page).getByLabel("Type", { exact: true }).inputValue()).toBe("poll");
});
