/** Fields whose entry means nothing yet, or the same as before: the page neither loses nor keeps it against the person. */
import { expect, it } from "vitest";
import { createWorkflow, storedDraft } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { app, stepwell } = server;

it("clears half of a date, of a time, and of both with their form", async () => {
  const input = {
    born: { type: "date", name: "Born", optional: true },
    call: { type: "time", name: "Call", optional: true },
    meeting: { type: "datetime", name: "Meeting", optional: true },
  } as const;
  const { id } = await stepwell.workflows.create(app.id, { name: "Dates", input, steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  const fields = ["Born", "Call", "Meeting"].map((name) => page.locator("form").getByLabel(name));
  const areBad = () =>
    Promise.all(fields.map((field) => field.evaluate((one: HTMLInputElement) => one.validity.badInput)));
  for (const field of fields) await field.pressSequentially("12");
  expect(await areBad()).toEqual([true, true, true]);
  await page.getByRole("button", { name: "Clear the form" }).click();
  await expect.poll(areBad).toEqual([false, false, false]);
  // Half of a date that was whole is left alone while it is typed.
  const [born] = fields;
  await born?.fill("2020-12-24");
  await born?.focus();
  await page.keyboard.press("Delete");
  await expect.poll(areBad).toEqual([true, false, false]);
  await page.keyboard.type("11");
  await expect.poll(() => born?.inputValue()).toBe("2020-11-24");
});

it("keeps the dot and the zeros of a number that is typed into the settings of a workflow", async () => {
  const { id, path } = await createWorkflow(server, "Limits", [{ type: "input", key: "start", input: {} }]);
  const { page, go } = await openConsole(browser, server);
  await go(path);
  await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Settings of runs…" }).click();
  const dialog = page.getByRole("dialog");
  const keep = dialog.getByLabel(/^Keep runs/);
  /** Types a number as a person does, and returns what the field then shows. */
  async function typed(text: string): Promise<string> {
    await keep.press("ControlOrMeta+a");
    await keep.press("Delete");
    expect(await keep.inputValue()).toBe("");
    for (const character of text) {
      await keep.press(character);
      // Until the page has drawn what the key has changed.
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    return keep.inputValue();
  }
  await keep.focus();
  expect(await typed("1.05")).toBe("1.05");
  expect(await typed("0.5")).toBe("0.5");
  expect(await typed("100.50")).toBe("100.50");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(async () => (await storedDraft(server, id)).settings).toEqual({ keep_runs: 100.5 });
});

it("keeps a version as it is typed into the filters of runs, until the address has another one", async () => {
  const { id } = await createWorkflow(server, "Versions", [{ type: "input", key: "start", input: {} }]);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs?workflow=${id}&version=3`);
  const version = page.getByLabel("Version");
  expect(await version.inputValue()).toBe("3");
  await version.press("End");
  await version.press("Backspace");
  expect(await version.inputValue()).toBe("");
  for (const character of "007") {
    await version.press(character);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(await version.inputValue()).toBe("007");
  await expect.poll(() => new URL(page.url()).searchParams.get("version")).toBe("7");
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await page.getByLabel("Workflow").selectOption(id);
  await expect.poll(() => version.inputValue()).toBe("");
});

it("keeps the typed key that another step has, and says which one stays in force", async () => {
  const { id, path } = await createWorkflow(server, "Keys", [
    { type: "code", key: "first", code: "return 1" },
    { type: "code", key: "second", code: "return 2" },
  ]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?step=second`);
  const key = page.getByLabel("Key", { exact: true });
  await key.fill("first");
  await page.getByText("This name is empty or already taken. “second” stays in use.").waitFor();
  await key.press("Tab");
  expect(await key.evaluate((input) => input === document.activeElement)).toBe(false);
  expect(await key.inputValue()).toBe("first");
  expect(await key.getAttribute("aria-invalid")).toBe("true");
  await page.getByText("“second” stays in use.").waitFor();
  await key.fill("third");
  await key.press("Tab");
  await expect
    .poll(async () => (await storedDraft(server, id)).steps.map((step) => step.key))
    .toEqual(["first", "third"]);
  expect(await page.getByText("stays in use.").count()).toBe(0);
});

it("starts no run with half of a date, and says so at the field", async () => {
  const input = {
    born: { type: "date", name: "Born", optional: true },
    meeting: { type: "datetime", name: "Meeting", optional: true },
  } as const;
  const { id } = await stepwell.workflows.create(app.id, { name: "Unfinished", input, steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  const form = page.locator("form").first();
  const message = form.getByText("Complete this date or time, or clear the field.", { exact: true });
  await form.getByLabel("Born").pressSequentially("0130");
  await form.getByLabel("Meeting").pressSequentially("12");
  // Once the field is left.
  await form.getByLabel("Meeting").press("Shift+Tab");
  await page.getByRole("button", { name: "Start run" }).focus();
  await expect.poll(() => message.count()).toBe(2);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.locator(".error-summary").getByRole("link", { name: /^Born/ }).click();
  expect(await form.getByLabel("Born").evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await faults()).toEqual([]);
  const runs = async () => (await stepwell.runs.list(app.id, { workflow_id: id })).items;
  expect(await runs()).toEqual([]);
  await form.getByLabel("Born").fill("2020-01-30");
  await form.getByLabel("Meeting").fill("");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_/);
  const [run] = await runs();
  expect((await stepwell.runs.get(app.id, run?.id ?? "")).input).toEqual({ born: "2020-01-30" });
});

it("forgets half of a date that a reload has taken out of its field", async () => {
  const input = { born: { type: "date", name: "Born", optional: true } } as const;
  const { id } = await stepwell.workflows.create(app.id, { name: "Reloaded", input, steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await page.locator("form").getByLabel("Born").pressSequentially("0130");
  await page.reload();
  await page.locator("form").getByLabel("Born").waitFor();
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_/);
});

it("saves no end of a file of which half is typed", async () => {
  const file = await stepwell.files.create(app.id, { name: "offer.txt", body: new TextEncoder().encode("An offer") });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/files/${file.id}`);
  await page.getByRole("main").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("input[type=datetime-local]").pressSequentially("12");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Complete this date or time, or clear the field.").waitFor();
});
