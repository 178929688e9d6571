/** What is entered while a form is sent, and somebody else has changed the same thing, in a real browser. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { holdNext } from "../support/hold-next.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

async function openRecord() {
  const [mine, theirs] = [
    await stepwell.tags.create(app.id, { name: "Mine", color: "red" }),
    await stepwell.tags.create(app.id, { name: "Theirs", color: "blue" }),
  ];
  const collection = await stepwell.collections.create(app.id, { name: "Loans" });
  const record = await stepwell.records.create(app.id, collection.id, { data: { loan: { amount: 5, note: "a" } } });
  const ids = [app.id, collection.id, record.id] as const;
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${app.id}/collections/${collection.id}/records/${record.id}`);
  const field = (name: string) => tab.page.getByRole("textbox", { name, exact: true });
  await field("note").waitFor();
  return {
    ...tab,
    ids,
    theirs,
    mine,
    field,
    save: () => tab.page.getByRole("button", { name: "Save", exact: true }).click(),
    stored: () => stepwell.records.get(...ids),
  };
}

it("a tag that others add stays when another one is chosen while the record is sent", async () => {
  const { page, ids, mine, theirs, field, save, stored } = await openRecord();
  await field("amount").fill("6");
  await stepwell.records.update(...ids, { tags: [theirs.id] });
  const saving = holdNext(server, "PATCH", /\/records\//);
  await save();
  await saving.arrived;
  await page.getByRole("checkbox", { name: "Mine" }).check();
  saving.release();
  await expect.poll(() => page.getByRole("checkbox", { name: "Theirs" }).isChecked()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "Mine" }).isChecked()).toBe(true);
  await expect.poll(() => page.getByRole("button", { name: "Save" }).getAttribute("aria-busy")).not.toBe("true");
  await save();
  await page.getByText("Saved.", { exact: true }).waitFor();
  const { tags, data } = await stored();
  expect(tags.map(({ id }) => id).sort()).toEqual([mine.id, theirs.id].sort());
  expect(data).toEqual({ loan: { amount: 6, note: "a" } });
});

it("tags and fields that are entered while the record is sent stay in a clash", async () => {
  const { page, ids, field, save } = await openRecord();
  await field("amount").fill("6");
  await stepwell.records.update(...ids, { data: { loan: { amount: 7 } } });
  const saving = holdNext(server, "PATCH", /\/records\//);
  await save();
  await saving.arrived;
  await page.getByRole("checkbox", { name: "Mine" }).first().check();
  await field("note").fill("typed");
  saving.release();
  await page.getByText("Their value of loan › amount:").waitFor();
  expect(await page.getByRole("checkbox", { name: "Mine" }).first().isChecked()).toBe(true);
  expect(await field("note").inputValue()).toBe("typed");
  expect(await field("amount").inputValue()).toBe("6");
});

it("what others changed meanwhile is asked about when the same was typed while the record was sent", async () => {
  const { page, ids, field, save, stored } = await openRecord();
  await field("amount").fill("6");
  await stepwell.records.update(...ids, { data: { loan: { note: "theirs" } } });
  const saving = holdNext(server, "PATCH", /\/records\//);
  await save();
  await saving.arrived;
  await field("note").fill("typed");
  saving.release();
  await expect.poll(() => page.getByRole("button", { name: "Save" }).getAttribute("aria-busy")).not.toBe("true");
  expect((await stored()).data).toEqual({ loan: { amount: 6, note: "theirs" } });
  await save();
  await page.getByText("Their value of loan › note:").waitFor();
  expect((await stored()).data).toEqual({ loan: { amount: 6, note: "theirs" } });
  expect(await field("note").inputValue()).toBe("typed");
});

it("mappings that were typed while others were first stay, and replace theirs only when saved again", async () => {
  const { id } = await stepwell.collections.create(app.id, { name: "Mapped" });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections/${id}/settings?section=mappings`);
  await page.getByRole("button", { name: "Add a mapping" }).click();
  await page.getByLabel("Source field").fill("loan:mine");
  await page.getByLabel("Destination fields").fill("loan:copy");
  const theirs = [{ source_path: "loan:theirs", destination_paths: ["loan:other"] }];
  await stepwell.mappings.put(app.id, id, theirs);
  const saving = holdNext(server, "PATCH", /\/collections\//);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saving.arrived;
  await page.getByLabel("Destination fields").fill("loan:copy, loan:more");
  saving.release();
  await page.getByText("Their value of Mappings:").waitFor();
  await page.getByRole("alert").getByText('"loan:other"').waitFor();
  expect(await page.getByLabel("Destination fields").inputValue()).toBe("loan:copy, loan:more");
  expect((await stepwell.collections.get(app.id, id)).config.mappings).toEqual(theirs);
});
