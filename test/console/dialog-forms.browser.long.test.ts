/** Dialogs that ask for values of a schema or of an input definition, in a real browser: fields instead of JSON. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

const LOAN: InputDefinition = {
  amount: { type: "number", name: "Amount", order: 1 },
  purpose: {
    type: "select",
    name: "Purpose",
    options: [{ value: "car" }, { value: "house" }],
    order: 2,
    optional: true,
  },
};

async function deployed(name: string, input: InputDefinition): Promise<string> {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name, input, steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  return id;
}

const dialogOf = (page: Page) => page.getByRole("dialog");

describe("a connection of the service http", () => {
  it("is created with the fields of the way to sign in that was chosen, and keeps what was typed for another one", async () => {
    const { stepwell, app } = server;
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${app.id}/connections`);
    await page.getByRole("button", { name: "New connection" }).first().click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Service").selectOption({ label: "HTTP" });
    const kind = dialog.getByLabel("Type of Values");
    await dialog.getByLabel("Base URL").fill("https://api.example.com");
    await dialog.getByLabel("Token").fill("a token");
    await expect.poll(() => dialog.getByLabel("Token").getAttribute("type")).toBe("password");
    await kind.selectOption({ label: "User name and password" });
    await expect.poll(() => dialog.getByLabel("Base URL").inputValue()).toBe("https://api.example.com");
    await dialog.getByLabel("User name").fill("a:b");
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("link", { name: "User name: Must not contain a colon." }).waitFor();
    await kind.selectOption({ label: "Bearer token" });
    await expect.poll(() => dialog.getByLabel("Token").inputValue()).toBe("a token");
    await dialog.getByLabel("Token").press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    const { items } = await stepwell.connections.list(app.id, { service: "http" });
    expect(items).toHaveLength(1);
  });
});

describe("the input of a schedule", () => {
  it("has the fields of the workflow, shows errors at them, and can be written as JSON", async () => {
    const { stepwell, app } = server;
    const workflow = await deployed("Daily loan", LOAN);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${app.id}/schedules`);
    await page.getByRole("button", { name: "New schedule" }).first().click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Workflow").selectOption(workflow);
    await dialog.getByLabel("Amount").fill("many");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("link", { name: "Amount: This is not a number. Write it like 1,234.5." }).waitFor();
    await dialog.getByLabel("Amount").fill("250");
    await dialog.getByLabel("house").check();
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Edit as JSON" }).click();
    const json = dialog.getByLabel("Values");
    expect(JSON.parse(await json.inputValue())).toEqual({ amount: 250, purpose: "house" });
    await json.fill('{ "amount": "many" }');
    await json.press("Control+Enter");
    await dialog.locator(".error-summary").getByText("amount: ").waitFor();
    await json.fill('{ "amount": 300 }');
    await dialog.getByRole("button", { name: "Edit as a form" }).click();
    await expect.poll(() => dialog.getByLabel("Amount").inputValue()).toBe("300");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    const { items } = await stepwell.schedules.list(app.id, { workflow_id: workflow });
    expect(items[0]?.input).toEqual({ amount: 300 });
  });
});

describe("a collection", () => {
  it("gets a trigger and a rule with the fields that the server describes", async () => {
    const { stepwell, app } = server;
    const workflow = await deployed("Check", {
      record: { type: "object", fields: {}, additional_fields: true },
      ...LOAN,
    });
    const { id } = await stepwell.collections.create(app.id, { name: "Loans" });
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${app.id}/collections/${id}/settings?section=triggers`);
    await page.getByRole("button", { name: "New trigger" }).click();
    const trigger = dialogOf(page);
    await trigger.getByLabel("Name").first().fill("Feed");
    await trigger.getByLabel("Type").selectOption({ label: "Poll a URL" });
    await trigger.getByLabel("URL").fill("https://example.com/loans");
    await trigger.getByRole("button", { name: "Add to Path to the id" }).click();
    await page.keyboard.type("id");
    await trigger.getByRole("button", { name: "Add to Mappings" }).click();
    await page.keyboard.type("key");
    await trigger.getByLabel("Field of the record").fill("loan:id");
    await trigger.getByRole("button", { name: "Add to Path in the event" }).click();
    await page.keyboard.type("id");
    await trigger.getByRole("group", { name: "Mappings 1" }).getByLabel("Name").fill("Id");
    await trigger.getByLabel("Interval").fill("5");
    expect(await faults()).toEqual([]);
    await trigger.getByRole("button", { name: "Create" }).click();
    await trigger.getByRole("link", { name: /Settings › Interval: Must be/ }).waitFor();
    await trigger.getByLabel("Interval").fill("60");
    await trigger.getByRole("button", { name: "Create" }).click();
    await trigger.waitFor({ state: "detached" });
    const { triggers } = await stepwell.collections.get(app.id, id);
    expect(triggers[0]?.config).toMatchObject({
      ...{ type: "poll", url: "https://example.com/loans", id_path: ["id"], interval: 60 },
      mappings: [{ type: "key", entity_path: "loan:id", input_path: ["id"], name: "Id" }],
    });

    await go(`/apps/${app.id}/collections/${id}/settings?section=rules`);
    await page.getByRole("button", { name: "New rule" }).click();
    const rule = dialogOf(page);
    await rule.getByLabel("Name").fill("Credit");
    await rule.getByLabel("Key").fill("credit");
    await rule.getByLabel("Workflow", { exact: true }).selectOption(workflow);
    await rule.getByLabel("Amount").fill("9");
    await expect.poll(() => rule.getByLabel("record").count()).toBe(0);
    expect(await faults()).toEqual([]);
    await rule.getByRole("button", { name: "Create" }).click();
    await rule.waitFor({ state: "detached" });
    const { config } = await stepwell.collections.get(app.id, id);
    expect(config.rules[0]?.workflow_input_default).toEqual({ amount: 9 });
  });

  it("offers the fields of its records where settings name one", async () => {
    const { stepwell, app } = server;
    const config = { indexes: ["loan:number"] };
    const { id } = await stepwell.collections.create(app.id, { name: "Offers", config });
    await stepwell.records.create(app.id, id, { data: { loan: { amount: 3 }, customer: { name: "Ada" } } });
    const fields = ["loan:number", "loan:amount", "customer:name"];
    const { page, go, faults } = await openConsole(browser, server);
    const offeredAt = (field: Locator) =>
      field.evaluate((input) =>
        input instanceof HTMLInputElement ? [...(input.list?.options ?? [])].map(({ value }) => value) : null,
      );
    await go(`/apps/${app.id}/collections/${id}/settings?section=triggers`);
    await page.getByRole("button", { name: "New trigger" }).click();
    const trigger = dialogOf(page);
    await trigger.getByRole("button", { name: "Add to Mappings" }).click();
    expect(await offeredAt(trigger.getByLabel("Field of the record"))).toEqual(fields);
    const kinds = trigger.getByLabel("Kind", { exact: true }).locator("option");
    expect((await kinds.allInnerTexts()).map((text) => text.split(" ")[0])).toEqual(
      expect.arrayContaining(["field", "key", "file"]),
    );
    expect(await faults()).toEqual([]);
    await go(`/apps/${app.id}/collections/${id}/settings?section=mappings`);
    await page.getByRole("button", { name: "Add a mapping" }).click();
    await expect.poll(() => offeredAt(page.getByLabel("Source field"))).toEqual(fields);
    const destinations = page.getByLabel("Destination fields");
    await destinations.fill("loan:number, lo");
    expect(await offeredAt(destinations)).toEqual(fields.map((field) => `loan:number, ${field}`));
    expect(await faults()).toEqual([]);
  });

  it("gets records with the fields of the others, and values whose types a person says", async () => {
    const { stepwell, app } = server;
    const { id } = await stepwell.collections.create(app.id, { name: "People" });
    await stepwell.records.create(app.id, id, { data: { person: { name: "Ada", age: 36 } } });
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${app.id}/collections/${id}`);
    await page.getByRole("link", { name: "Ada" }).waitFor();
    await page.getByRole("button", { name: "New record" }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("button", { name: "Fill in person" }).click();
    await dialog.getByLabel("name", { exact: true }).last().fill("Bob");
    await dialog.getByLabel("age", { exact: true }).last().fill("42");
    const person = dialog.locator('[data-place="/person"]');
    await person.getByRole("button", { name: "Add a value" }).click();
    await page.keyboard.type("zip");
    await person.getByLabel("zip", { exact: true }).last().fill("007");
    await person.getByRole("button", { name: "Add a value" }).click();
    await page.keyboard.type("member");
    await person.getByLabel("Type of member").selectOption({ label: "Yes or no" });
    await person.getByRole("checkbox", { name: "member" }).check();
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    const { items } = await stepwell.records.list(app.id, id);
    const data = { person: { name: "Bob", age: 42, zip: "007", member: true } };
    const created = items.find((one) => one.data["person"]?.["name"] === "Bob");
    expect(created?.data).toEqual(data);
    await go(`/apps/${app.id}/collections/${id}/records/${created?.id}`);
    await page.getByLabel("age", { exact: true }).last().fill("");
    await page.getByRole("button", { name: "Save" }).click();
    const { age: _, ...rest } = data.person;
    await expect
      .poll(async () => (await stepwell.records.get(app.id, id, created?.id ?? "")).data)
      .toEqual({ person: rest });
    expect(await faults()).toEqual([]);
  });
});

describe("a form without a needed value", () => {
  it.each(["/workflows", "/webhooks", "/keys", "/tags", "/collections"])(
    "says so at the field (%s)",
    async (screen) => {
      const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
      await go(`/apps/${server.app.id}${screen}`);
      await page.getByRole("button", { name: /^New / }).first().click();
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: /^(Create|Save)$/ }).click();
      await dialog.getByText("Fill in this field.").first().waitFor();
      await focusAt(page, "dialog [aria-invalid=true]");
      // The browser shows a bubble only if nothing has canceled the event.
      const isShownByBrowser = await dialog
        .locator("[aria-invalid=true]")
        .first()
        .evaluate((field) => field.dispatchEvent(new Event("invalid", { cancelable: true })));
      expect(isShownByBrowser).toBe(false);
    },
  );
});
