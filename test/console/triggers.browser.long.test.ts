/** Triggers of a collection: their addresses, signatures and tests. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

async function openTriggers() {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Loans" });
  const tab = await openConsole(browser, server, { permissions: ["clipboard-read", "clipboard-write"] });
  return { ...tab, id, open: () => tab.go(`/apps/${app.id}/collections/${id}/settings?section=triggers`) };
}

it("shows the address of a new trigger, and again later, and sets its signature", async () => {
  const { stepwell, app, baseUrl } = server;
  const { page, id, open, faults } = await openTriggers();
  await open();
  await page.getByRole("button", { name: "New trigger" }).click();
  const form = page.getByRole("dialog", { name: "New trigger" });
  await form.getByLabel("Name").fill("Orders");
  await form.getByRole("button", { name: "Edit as JSON" }).click();
  const mapping = { type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" };
  await form.locator("textarea").fill(JSON.stringify({ config: { mappings: [mapping] } }));
  await form.getByRole("button", { name: "Create" }).click();
  const dialog = page.getByRole("dialog", { name: "Address: Orders" });
  await dialog.waitFor();
  const [trigger] = (await stepwell.triggers.list(app.id, id)).items;
  const url = `${baseUrl}/public/apps/triggers/${trigger?.id}/events`;
  await dialog.getByText(`POST ${url}`).waitFor();
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Address: Orders" }).click();
  await dialog.getByText("None: anyone who knows the address can send events").waitFor();
  await dialog.getByRole("button", { name: "Require a signature" }).click();
  await page.getByRole("dialog", { name: "Require a signature" }).getByRole("button", { name: "Save" }).click();
  const secret = page.getByRole("dialog", { name: "Secret of the signatures" });
  await secret.getByRole("button", { name: "I have stored it" }).click();
  await dialog.getByText("standard-webhooks").waitFor();
  const signed = await stepwell.triggers.getSignature(app.id, id, trigger?.id ?? "");
  expect(signed.signature?.scheme).toBe("standard-webhooks");
});

it("offers the kinds of mappings, and shows examples as examples", async () => {
  const { page, open, faults } = await openTriggers();
  await open();
  await page.getByRole("button", { name: "New trigger" }).click();
  const form = page.getByRole("dialog", { name: "New trigger" });
  await form.getByRole("button", { name: "Add to Mappings" }).click();
  const kind = form.getByLabel("Kind", { exact: true });
  expect(await kind.locator("option:checked").innerText()).toBe("field – writes the value");
  expect(await kind.locator("option").allInnerTexts()).toContain("key – finds the record");
  const examples = form.getByPlaceholder("loan:amount");
  expect(await examples.getAttribute("placeholder")).toBe("Such as loan:amount");
  expect(await faults()).toEqual([]);
});

it("asks for the event of a test where the type has no sample", async () => {
  const { stepwell, app } = server;
  const { page, id, open, faults } = await openTriggers();
  const config = {
    type: "webhook",
    mappings: [{ type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" }],
  };
  await stepwell.triggers.create(app.id, id, { type: "webhook", name: "Orders", config });
  await open();
  await page.getByRole("button", { name: "More actions: Orders" }).click();
  await expect
    .poll(() => page.getByRole("menuitem").allInnerTexts())
    .toEqual(["Edit", "Send a test event", "Disable", "Delete"]);
  await page.getByRole("menuitem", { name: "Send a test event" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test event" });
  await dialog.getByRole("textbox").fill('{"amount": 5000}');
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "Last events: Orders" }).waitFor();
  await expect
    .poll(async () => (await stepwell.records.list(app.id, id)).items.map(({ data }) => data))
    .toEqual([{ loan: { amount: 5000 } }]);
});

it("says how each event ended, and that one had no value for any field", async () => {
  const { stepwell, app } = server;
  const { page, id, open, faults } = await openTriggers();
  const mappings = [{ type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" }];
  const config = { type: "webhook", mappings };
  const trigger = await stepwell.triggers.create(app.id, id, { type: "webhook", name: "Orders", config });
  await stepwell.triggers.test(app.id, id, trigger.id, { data: { other: 1 } });
  await open();
  await page.getByRole("button", { name: "Show Last events: Orders" }).click();
  const row = page.getByRole("row").filter({ hasText: "No field found: the event has no value for any mapping." });
  await row.waitFor();
  expect(await row.innerText()).toContain("Created");
  expect(await faults()).toEqual([]);
});
