/** A record that two people edit at once, in a real browser. */
import { expect, it, onTestFinished } from "vitest";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { focusAt } from "../support/focus.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

async function openRecord() {
  const collection = await stepwell.collections.create(app.id, { name: "Loans" });
  const data = { loan: { amount: 5, note: "hello", state: "new" } };
  const record = await stepwell.records.create(app.id, collection.id, { data });
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${app.id}/collections/${collection.id}/records/${record.id}`);
  const field = (name: string) => tab.page.getByRole("textbox", { name, exact: true });
  await field("note").waitFor();
  return {
    ...tab,
    field,
    save: () => tab.page.getByRole("button", { name: "Save", exact: true }).click(),
    said: tab.page.locator("form.entity > p").getByRole("status"),
    stored: async () => (await stepwell.records.get(app.id, collection.id, record.id)).data["loan"],
    change: (loan: Readonly<Record<string, string | number>>) =>
      stepwell.records.update(app.id, collection.id, record.id, { data: { loan } }),
    isPatch: (method = "", url = "") => method === "PATCH" && url.endsWith(`/records/${record.id}`),
  };
}

it("keeps what somebody else changed in other fields, and says so", async () => {
  const { field, save, said, stored, change, faults } = await openRecord();
  await field("amount").fill("577");
  await change({ note: "theirs" });
  await save();
  await expect.poll(() => said.innerText()).toBe("Saved. Changed elsewhere and shown now: loan › note.");
  expect(await stored()).toEqual({ amount: 577, note: "theirs", state: "new" });
  expect(await field("note").inputValue()).toBe("theirs");
  expect(await field("amount").inputValue()).toBe("577");
  expect(await faults()).toEqual([]);
});

it("asks only about the fields that both changed, and takes theirs for one of them", async () => {
  const { page, field, save, said, stored, change, faults } = await openRecord();
  await field("amount").fill("577");
  await field("note").fill("mine");
  await change({ amount: 6, note: "theirs", state: "done" });
  await save();
  const note = page.getByRole("alert");
  await note.getByText("Somebody else has changed the same fields meanwhile.").waitFor();
  await focusAt(page, "[role='alert']", "Somebody else");
  expect(await note.getByRole("listitem").count()).toBe(2);
  await note.getByText("Changed elsewhere and shown now: loan › state.").waitFor();
  expect(await field("state").inputValue()).toBe("done");
  expect(await faults()).toEqual([]);
  expect(await stored()).toEqual({ amount: 6, note: "theirs", state: "done" });
  await note.getByRole("button", { name: "Take theirs: loan › note" }).click();
  await expect.poll(() => field("note").inputValue()).toBe("theirs");
  expect(await field("amount").inputValue()).toBe("577");
  await save();
  await expect.poll(() => said.innerText()).toBe("Saved.");
  expect(await stored()).toEqual({ amount: 577, note: "theirs", state: "done" });
  expect(await note.count()).toBe(0);
});

it("takes all of theirs without another question", async () => {
  const { page, field, save, said, stored, change } = await openRecord();
  await field("amount").fill("577");
  await field("note").fill("mine");
  await change({ amount: 6, note: "theirs" });
  await save();
  await page.getByRole("button", { name: "Take all of theirs" }).click();
  await expect.poll(() => field("amount").inputValue()).toBe("6");
  expect(await field("note").inputValue()).toBe("theirs");
  expect(await page.getByRole("alert").count()).toBe(0);
  await save();
  await expect.poll(() => said.innerText()).toBe("Saved.");
  expect(await stored()).toEqual({ amount: 6, note: "theirs", state: "new" });
});

/**
 * Stores what is sent next, and closes the connection without a response: also when the browser repeats the request by
 * itself, until the returned function is called.
 */
function loseResponses(tab: Awaited<ReturnType<typeof openRecord>>, note: string): () => void {
  tab.complaints.allow(/Failed to load resource: net::ERR/);
  let stored: Promise<unknown> | null = null;
  server.intercept(({ method, url, socket }) => {
    if (!tab.isPatch(method, url)) return false;
    stored ??= tab.change({ note });
    void stored.then(() => socket.destroy());
    return true;
  });
  const end = () => server.intercept(() => false);
  onTestFinished(end);
  return end;
}

// Whether the page hears by its stream what it has stored, or when it saves again, is the same to the person.
it("does not clash with itself when the response to what it stored was lost, and more was typed", async () => {
  const tab = await openRecord();
  const { page, field, save, said, stored } = tab;
  const end = loseResponses(tab, "hello L");
  await field("note").fill("hello L");
  await save();
  await page.locator("button[type='submit']:not([aria-disabled='true'])").waitFor();
  end();
  await field("note").fill("hello L M");
  await save();
  await expect.poll(() => said.innerText()).toBe("Saved.");
  expect(await stored()).toEqual({ amount: 5, note: "hello L M", state: "new" });
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("says that it is saved when the stream shows what it stored without a response", async () => {
  const tab = await openRecord();
  const { page, field, save, said } = tab;
  loseResponses(tab, "hello L");
  await field("note").fill("hello L");
  await save();
  await expect.poll(() => said.innerText()).toBe("Saved.");
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await field("note").inputValue()).toBe("hello L");
});
