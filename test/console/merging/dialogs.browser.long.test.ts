/** Dialogs whose resource somebody else changes while they are open, in a real browser. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { focusAt } from "../support/focus.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

const dialogOf = (page: Page) => page.getByRole("dialog");
const saveIn = (page: Page) => dialogOf(page).getByRole("button", { name: "Save", exact: true }).click();
const closed = (page: Page) => dialogOf(page).waitFor({ state: "detached" });

async function openCollection(section: string) {
  const collection = await stepwell.collections.create(app.id, { name: "Loans", description: "first" });
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${app.id}/collections/${collection.id}/settings?section=${section}`);
  return { ...tab, id: collection.id, stored: () => stepwell.collections.get(app.id, collection.id) };
}

describe("the settings of a collection", () => {
  it("keep what somebody else changed in other fields", async () => {
    const { page, id, stored } = await openCollection("general");
    const tag = await stepwell.tags.create(app.id, { name: "Theirs", color: "red" });
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialogOf(page).getByLabel("Name").fill("Mine");
    await stepwell.collections.update(app.id, id, { description: "theirs", tags: [tag.id] });
    await saveIn(page);
    await closed(page);
    const { name, description, tags } = await stored();
    expect([name, description, tags.map((one) => one.name)]).toEqual(["Mine", "theirs", ["Theirs"]]);
    await page.getByRole("main").getByText("theirs", { exact: true }).waitFor();
  });

  it("ask about a field that both changed, and store mine when they are saved again", async () => {
    const { page, id, stored, faults } = await openCollection("general");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialogOf(page).getByLabel("Name").fill("Mine");
    await stepwell.collections.update(app.id, id, { name: "Theirs", visibility: "PUBLIC" });
    await saveIn(page);
    const note = dialogOf(page).getByRole("alert");
    await focusAt(page, "[role='alert']", "Their value of Name:");
    await note.getByText("Changed elsewhere and shown now: Visibility.").waitFor();
    expect(await note.locator("bdi").innerText()).toBe("Theirs");
    expect(await faults()).toEqual([]);
    expect(await stored()).toMatchObject({ name: "Theirs" });
    await saveIn(page);
    await closed(page);
    expect(await stored()).toMatchObject({ name: "Mine", visibility: "PUBLIC" });
  });

  it("show what somebody else changes while the page is open", async () => {
    const { page, id } = await openCollection("general");
    await stepwell.collections.update(app.id, id, { description: "theirs" });
    await page.getByRole("main").getByText("theirs", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    expect(await dialogOf(page).getByLabel("Description").inputValue()).toBe("theirs");
  });

  it("keep the indexes that somebody else added", async () => {
    const { page, id, stored } = await openCollection("indexes");
    await page.getByLabel("Indexed fields").fill("loan:mine");
    await stepwell.collections.update(app.id, id, { config: { indexes: ["loan:theirs"] } });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved. Changed elsewhere and shown now: loan:theirs.").waitFor();
    expect((await stored()).config.indexes).toEqual(["loan:mine", "loan:theirs"]);
    expect(await page.getByLabel("Indexed fields").inputValue()).toBe("loan:mine\nloan:theirs");
  });

  it("ask before mappings replace those that somebody else stored", async () => {
    const { page, id, stored } = await openCollection("mappings");
    await page.getByRole("button", { name: "Add a mapping" }).click();
    await page.getByLabel("Source field").fill("loan:mine");
    await page.getByLabel("Destination fields").fill("loan:copy");
    const theirs = [{ source_path: "loan:theirs", destination_paths: ["loan:copy"] }];
    await stepwell.mappings.put(app.id, id, theirs);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Take theirs: Mappings" }).click();
    await expect.poll(() => page.getByLabel("Source field").inputValue()).toBe("loan:theirs");
    expect((await stored()).config.mappings).toEqual(theirs);
  });

  it("keep what somebody else changed of a rule, which has no revision", async () => {
    const workflow = await stepwell.workflows.create(app.id, { name: "Check", steps: [] });
    await stepwell.workflows.deploy(app.id, workflow.id);
    const { page, id, go } = await openCollection("general");
    const rule = { name: "Rule", key: "rule", workflow_id: workflow.id, workflow_input_default: { a: 1 } };
    await stepwell.rules.create(app.id, id, rule);
    await go(`/apps/${app.id}/collections/${id}/settings?section=rules`);
    await page.getByRole("button", { name: "More actions: Rule" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialogOf(page).getByLabel("Name", { exact: true }).first().fill("Mine");
    await stepwell.rules.update(app.id, id, "rule", { on_fail: "FAIL", workflow_input_default: { a: 2 } });
    await saveIn(page);
    await closed(page);
    expect(await stepwell.rules.get(app.id, id, "rule")).toMatchObject({
      name: "Mine",
      on_fail: "FAIL",
      workflow_input_default: { a: 2 },
    });
  });
});

it("the details of a workflow keep what somebody else changed", async () => {
  const { id } = await stepwell.workflows.create(app.id, { name: "Flow", steps: [] });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Name, description, access…" }).click();
  await dialogOf(page).getByLabel("Description").first().fill("mine");
  await stepwell.workflows.update(app.id, id, { name: "Theirs" });
  await saveIn(page);
  await closed(page);
  expect(await stepwell.workflows.get(app.id, id)).toMatchObject({ name: "Theirs", description: "mine" });
});

it("a schedule keeps what somebody else changed, but not half of another timing", async () => {
  const workflow = await stepwell.workflows.create(app.id, { name: "Daily", steps: [], input: {} });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { id } = await stepwell.schedules.create(app.id, {
    workflow_id: workflow.id,
    name: "Schedule",
    cron: "0 9 * * *",
    timezone: "UTC",
  });
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/schedules/${id}`);
  await page.getByRole("main").getByRole("button", { name: "Edit", exact: true }).click();
  await dialogOf(page).getByLabel("Name").first().fill("Mine");
  await dialogOf(page).getByRole("textbox", { name: "Cron expression" }).fill("0 10 * * *");
  await stepwell.schedules.update(app.id, id, { every: 3_600, missed: "all" });
  await saveIn(page);
  const note = dialogOf(page).getByRole("alert");
  await note.getByText("Their value of When:").waitFor();
  expect(await faults()).toEqual([]);
  await note.getByRole("button", { name: "Take theirs: When" }).click();
  await saveIn(page);
  await closed(page);
  expect(await stepwell.schedules.get(app.id, id)).toMatchObject({
    name: "Mine",
    every: 3_600,
    missed: "all",
    cron: null,
  });
});

it("a connection keeps its new name when its credentials are replaced", async () => {
  const { id } = await stepwell.connections.create(app.id, {
    name: "Service",
    service: "http",
    credentials: { type: "bearer", base_url: "https://a.example", token: "t" },
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/connections`);
  await page.getByRole("button", { name: "More actions: Service" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialogOf(page).getByRole("checkbox").first().check();
  await dialogOf(page).getByLabel("Token").fill("new");
  await dialogOf(page).getByLabel("Base URL").fill("https://b.example");
  await stepwell.connections.update(app.id, id, { name: "Theirs" });
  await saveIn(page);
  await closed(page);
  expect((await stepwell.connections.get(app.id, id)).name).toBe("Theirs");
});
