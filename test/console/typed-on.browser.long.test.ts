/** What somebody types while the server is still busy with what was sent before. */
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import type { RecordPatch } from "../../src/collections/records/record.ts";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { holdNext } from "./support/hold-next.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

/** Opens the page of a record whose amount the collection copies to its total. */
async function openRecord() {
  const collection = await stepwell.collections.create(app.id, { name: "Loans" });
  await stepwell.mappings.put(app.id, collection.id, [
    { source_path: "loan:amount", destination_paths: ["loan:total"] },
  ]);
  const data = { loan: { number: "A-7", amount: "1", note: "first" } };
  const { id } = await stepwell.records.create(app.id, collection.id, { data });
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${app.id}/collections/${collection.id}/records/${id}`);
  const field = (name: string) => tab.page.getByRole("group", { name: "loan" }).getByRole("textbox", { name });
  await field("note").waitFor();
  const update = (data: RecordPatch) => stepwell.records.update(app.id, collection.id, id, { data });
  return {
    ...tab,
    field,
    update,
    stored: async () => (await stepwell.records.get(app.id, collection.id, id)).data["loan"],
  };
}

const hasFocus = (page: Page, label: string) =>
  page.evaluate((text) => {
    const { activeElement: active } = document;
    return active instanceof HTMLTextAreaElement && active.labels[0]?.textContent?.startsWith(text) === true;
  }, label);

it("keeps what is typed into a record while it is saved, and takes over what the server has stored", async () => {
  const { page, field, stored } = await openRecord();
  const save = page.getByRole("button", { name: "Save" });
  await field("amount").fill("2");
  const saving = holdNext(server, "PATCH", /\/records\//);
  await save.click();
  await saving.arrived;
  await field("note").fill("second");
  await field("note").press("End");
  saving.release();
  await expect.poll(() => field("total").inputValue()).toBe("2");
  await page.keyboard.type(" thought");
  expect(await field("note").inputValue()).toBe("second thought");
  expect(await hasFocus(page, "note")).toBe(true);
  expect(await page.getByText("Saved.").count()).toBe(0);
  expect(await stored()).toMatchObject({ amount: "2", total: "2", note: "first" });
  await expect.poll(() => save.getAttribute("aria-busy")).not.toBe("true");
  await save.click();
  await page.getByText("Saved.").waitFor();
  expect(await stored()).toMatchObject({ number: "A-7", amount: "2", total: "2", note: "second thought" });
});

it("leaves the focus in the field from which a record was saved with the Enter key", async () => {
  const { page, field } = await openRecord();
  await field("amount").fill("3");
  await field("amount").press("Enter");
  await page.getByText("Saved.").waitFor();
  expect(await field("total").inputValue()).toBe("3");
  expect(await hasFocus(page, "amount")).toBe(true);
});

/** Refuses requests of a method, once they are let go. */
function refuseLater(method: string, detail: string) {
  const [arrived, held] = [createGate(), createGate()];
  onTestFinished(() => {
    held.release();
    server.intercept(() => false);
  });
  server.intercept((request, response) => {
    if (request.method !== method) return false;
    arrived.release();
    void held.released.then(() => {
      response.writeHead(403, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ status: 403, code: "forbidden", title: "Forbidden", detail }));
    });
    return true;
  });
  return { arrived: arrived.released, release: held.release };
}

it("moves the focus to the message of a refused record only if nobody has gone on", async () => {
  const { page, field } = await openRecord();
  const message = page.getByText("The record is locked.");
  await field("amount").fill("2");
  const refusal = refuseLater("PATCH", "The record is locked.");
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await refusal.arrived;
  await field("note").click();
  await page.keyboard.press("End");
  await page.keyboard.type("a");
  refusal.release();
  await message.waitFor();
  await page.keyboard.type("b");
  expect(await field("note").inputValue()).toBe("firstab");
  await save.click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("alert");
});

it("moves the focus to what is wrong with a refused run only if nobody has gone on", async () => {
  const input = { note: { type: "string", name: "Note" } } as const;
  const { id } = await stepwell.workflows.create(app.id, { name: "Refused", input, steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("a");
  const refusal = refuseLater("POST", "No runs today.");
  await page.getByRole("button", { name: "Start run" }).click();
  await refusal.arrived;
  await note.click();
  await page.keyboard.press("End");
  refusal.release();
  await page.getByText("No runs today.", { exact: true }).waitFor();
  await page.keyboard.type("b");
  expect(await note.inputValue()).toBe("ab");
});

it("shows what others have stored in a record once it is opened again, while nothing is changed", async () => {
  const { page, field, update } = await openRecord();
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await update({ loan: { note: "theirs" } });
  await page.goBack();
  await expect.poll(() => field("note").inputValue()).toBe("theirs");
  // What is typed stays, whatever others store.
  await field("note").fill("mine");
  await update({ loan: { note: "theirs again" } });
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("theirs again").first().waitFor();
  expect(await field("note").inputValue()).toBe("mine");
});

it("takes nothing more into a dialog that is being sent, and lets it be changed after a refusal", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "New tag" }).first().click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel("Name");
  await name.fill("urgent");
  const refusal = refuseLater("POST", "No tags today.");
  await name.press("Enter");
  await refusal.arrived;
  await page.keyboard.type("ly");
  expect(await name.inputValue()).toBe("urgent");
  const isTaken = (key: string, hasControl: boolean) =>
    name.evaluate(
      (field, [key, ctrlKey]) =>
        !field.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true })),
      [key, hasControl] as const,
    );
  expect(await isTaken("z", true)).toBe(true);
  expect(await isTaken("r", false)).toBe(true);
  // The browser reloads the page, and copies.
  expect(await isTaken("F5", false)).toBe(false);
  expect(await isTaken("r", true)).toBe(false);
  expect(await isTaken("c", true)).toBe(false);
  refusal.release();
  await dialog.getByText("No tags today.").waitFor();
  await name.fill("urgently");
  server.intercept(() => false);
  await name.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("urgently").waitFor();
});

it("takes nothing more into a form for an upload URL, which leads to another screen once it is sent", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/uploads/new`);
  const name = page.getByRole("main").getByLabel("Name of the file");
  await name.fill("receipt");
  const sending = holdNext(server, "POST", /\/uploads$/);
  await name.press("Enter");
  await sending.arrived;
  await page.keyboard.type(".pdf");
  expect(await name.inputValue()).toBe("receipt");
  sending.release();
  await page.getByRole("main").getByRole("link", { name: "/public/apps/files/uploads/" }).waitFor();
});

it("does not call what was typed into the indexes of a collection saved while it was not sent", async () => {
  const collection = await stepwell.collections.create(app.id, { name: "Indexed" });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections/${collection.id}/settings?section=indexes`);
  const indexes = page.getByRole("main").getByRole("textbox");
  const save = page.getByRole("button", { name: "Save" });
  await indexes.fill("loan:number");
  const saving = holdNext(server, "PATCH", /\/collections\//);
  await save.click();
  await saving.arrived;
  await indexes.fill("loan:number\nloan:amount");
  saving.release();
  await expect.poll(() => save.getAttribute("aria-busy")).not.toBe("true");
  expect(await page.getByText("Saved.", { exact: true }).count()).toBe(0);
  expect(await indexes.inputValue()).toBe("loan:number\nloan:amount");
  await save.click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  const { config } = await stepwell.collections.get(app.id, collection.id);
  expect(config.indexes).toEqual(["loan:number", "loan:amount"]);
});
