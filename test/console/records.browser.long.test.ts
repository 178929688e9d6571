/** Records: an import says how it went. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

/** Opens a collection, and its dialog for imports. */
async function openImport(name: string, key?: string) {
  const { stepwell, app } = server;
  const collection = await stepwell.collections.create(app.id, { name });
  const tab = await openConsole(browser, server, key === undefined ? {} : { key });
  const { page, go } = tab;
  await go(`/apps/${app.id}/collections/${collection.id}`);
  await page.getByRole("main").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  return {
    ...tab,
    collection,
    dialog,
    async send(text: string, name = "loans.csv") {
      await dialog
        .getByLabel("File", { exact: true })
        .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
      await dialog.getByRole("button", { name: "Import" }).click();
    },
  };
}

it("says what an import has created, changed and refused when it has ended", async () => {
  const { page, dialog, send, faults } = await openImport("Loans");
  await send("loan:number,loan:amount\nA-1,5\nA-2,6\nA-3\n");
  await dialog.getByText("2 created, 0 updated, 0 unchanged, 1 failed").waitFor();
  expect(await dialog.getByRole("heading", { level: 2 }).innerText()).toBe("Import records");
  expect(await dialog.getByRole("status").innerText()).toBe("Finished: 2 created, 0 updated, 0 unchanged, 1 failed");
  expect(await dialog.getByRole("progressbar").count()).toBe(0);
  expect(await dialog.getByRole("listitem").innerText()).toBe("Line 4: The row has 1 cell, but the header has 2.");
  expect(await faults()).toEqual([]);
  // The list behind the dialog has the records already.
  await page.getByRole("link", { name: "A-2" }).waitFor();
  await page.getByText("2 records", { exact: true }).waitFor();
  await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
});

it("says how many rows of all an import has done", async () => {
  const { page, dialog, send } = await openImport("Slow");
  await page.route("**/jobs/*", async (route) => {
    const response = await route.fetch();
    const job: object = await response.json();
    await route.fulfill({ response, json: { ...job, status: "running", done: 2 } });
  });
  await send('loan:number\n1\n"2\n2"\n\n3\n');
  await expect.poll(() => dialog.getByRole("status").innerText()).toBe("2 of 3 done");
  const bar = dialog.getByRole("progressbar", { name: "Import records" });
  expect(await bar.getAttribute("max")).toBe("3");
  expect(await bar.getAttribute("value")).toBe("2");
});

it("says why an import has failed", async () => {
  const { dialog, send } = await openImport("Broken");
  await send('loan:number\n1\n"2\n');
  await dialog.getByText("The row that starts at line 3 has an unclosed quote.").waitFor();
  expect(await dialog.getByRole("status").innerText()).toBe(
    "Failed: The row that starts at line 3 has an unclosed quote.",
  );
  await dialog.getByText("Until then: 1 created, 0 updated, 0 unchanged, 0 failed").waitFor();
  expect(await dialog.getByRole("progressbar").count()).toBe(0);
});

it("says that a file is none before it is sent, that it has no rows, and that nothing was written", async () => {
  const { page, dialog, send, faults } = await openImport("Others");
  await send('[{"data":{"loan":{"number":1}}}]', "loans.json");
  await dialog.getByText("This file is neither CSV nor JSON Lines (one record on each line).").waitFor();
  expect(await faults()).toEqual([]);
  await send("loan:number\n");
  await dialog.getByText("Finished: The file has no rows.").waitFor();
  await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("button", { name: "Import" }).first().click();
  await send(`${"x".repeat(70_000)}\n1\n`);
  await dialog.getByText("The header is wrong.").waitFor();
  expect(await dialog.getByRole("status").innerText()).toMatch(/^Failed: .*The header is wrong\./);
});

it("says that an import goes on where its progress may not be read", async () => {
  const { key } = await server.createKey("collections:read", "collections:write");
  const { dialog, send } = await openImport("Unseen", key);
  await send("loan:number\n1\n");
  expect(await dialog.getByRole("status").innerText()).toBe(
    "The server does it in the background. Needs the permission jobs:read.",
  );
});

it("offers what fills an empty collection, and asks for the fields of columns whose header names none", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Empty" });
  const { page, go, faults } = await openConsole(browser, server);
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/import")) uploads.push(request.url());
  });
  await go(`/apps/${app.id}/collections/${id}`);
  const empty = page.locator(".empty-state");
  await empty.getByRole("button", { name: "New record" }).waitFor();
  await empty.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("customer:name,customer:age").waitFor();
  const choose = (text: string) =>
    dialog
      .getByLabel("File", { exact: true })
      .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  const columns = dialog.getByRole("group", { name: "Fields of the columns" });

  await choose("person:name,person:age\nAda,36\n");
  await choose("Full name;age;Internal\nAda;36;x\n");
  await columns.getByText("First value: Ada").waitFor();
  expect(await columns.getByLabel("age").inputValue()).toBe("record:age");
  await columns.getByLabel("Entity").fill("person");
  await expect.poll(() => columns.getByLabel("Full name").inputValue()).toBe("person:full_name");
  await columns.getByLabel("Full name").fill("person:age");
  await columns.getByText("Another column has this field.").waitFor();
  await dialog.getByRole("button", { name: "Import" }).click();
  expect(await faults()).toEqual([]);
  expect(uploads).toEqual([]);

  await columns.getByLabel("Full name").fill("person:name");
  await columns.getByLabel("Internal").fill("");
  await columns.getByText("Another column has this field.").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText("1 created, 0 updated, 0 unchanged, 0 failed").waitFor();
  const { items } = await stepwell.records.list(app.id, id);
  expect(items.map(({ data }) => data)).toEqual([{ person: { name: "Ada", age: 36 } }]);
});

it("names a record, leads back to its collection, and says that a deletion is final", async () => {
  const { stepwell, app } = server;
  const collection = await stepwell.collections.create(app.id, { name: "People" });
  const record = await stepwell.records.create(app.id, collection.id, { data: { person: { age: 36, name: "Ada" } } });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections/${collection.id}/records/${record.id}`);
  const main = page.getByRole("main");
  expect(await main.getByRole("heading", { level: 1 }).innerText()).toBe("Ada");
  await main.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Ada”?" });
  await dialog.getByText("This cannot be undone.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await main.getByRole("link", { name: "People" }).click();
  await main.getByRole("heading", { level: 1, name: "People" }).waitFor();
});

it("says that somebody has deleted the record that is shown, and keeps what was typed", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Gone" });
  const record = await stepwell.records.create(app.id, id, { data: { loan: { name: "Ada" } } });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections/${id}/records/${record.id}`);
  const name = page.getByRole("textbox", { name: "name", exact: true });
  await name.fill("Ada Lovelace");
  await stepwell.records.remove(app.id, id, record.id);
  await page.getByText("It was deleted while it was open here.").waitFor();
  expect(await name.inputValue()).toBe("Ada Lovelace");
});

it("offers columns that no record on the page has", async () => {
  const { stepwell, app } = server;
  const mappings = [{ source_path: "loan:number", destination_paths: ["loan:copy"] }];
  const { id } = await stepwell.collections.create(app.id, {
    name: "Mixed",
    config: { mappings, indexes: ["file:id"] },
  });
  const { page, go, faults } = await openConsole(browser, server);
  await stepwell.records.create(app.id, id, { data: { other: { note: "Kept" } } });
  await go(`/apps/${app.id}/collections/${id}`);
  const heads = () => page.getByRole("columnheader").allInnerTexts();
  await page.getByRole("columnheader", { name: "other:note" }).waitFor();
  expect(await heads()).not.toContain("file:id");
  await page.getByText("Columns", { exact: true }).click();
  await page.getByRole("checkbox", { name: "file:id" }).check();
  await expect.poll(heads).toContain("file:id");
  const other = page.getByLabel("Another field, as entity:field");
  await other.fill("amount");
  await other.press("Enter");
  await page.getByText("Must have the form entity:field, such as loan:amount.").waitFor();
  expect(await faults()).toEqual([]);
  await other.fill("old:amount");
  await other.press("Enter");
  await expect.poll(heads).toContain("old:amount");
  await page.reload();
  await page.getByRole("columnheader", { name: "old:amount" }).waitFor();
  await page.getByText("Columns", { exact: true }).click();
  await page.getByRole("checkbox", { name: "old:amount" }).uncheck();
  await page.getByRole("columnheader", { name: "old:amount" }).waitFor({ state: "detached" });
});
