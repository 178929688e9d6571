/** Files of a form that are gone from the app, or from the form only. */
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const { id: workflow } = await stepwell.workflows.create(app.id, {
  name: "Loan",
  input: { file: { type: "file", name: "File" } },
  steps: [],
});
await stepwell.workflows.deploy(app.id, workflow);
const file = { name: "big.txt", mimeType: "text/plain", buffer: Buffer.alloc(1_000, "a") };

it("sends an answer once its file is uploaded", async () => {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Approval",
    steps: [
      { type: "input", key: "start", input: {}, destinations: ["approve"] },
      { type: "input", key: "approve", input: { file: { type: "file", name: "File" } } },
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id, {});
  await until(async () => (await stepwell.runs.get(app.id, run.id)).status === "waiting");
  const { page, go } = await openConsole(browser, server);
  const gate = createGate();
  onTestFinished(() => gate.release());
  await page.route(/\/uploads\/.+/, async (route) => {
    if (route.request().method() !== "GET") await gate.released;
    await route.continue();
  });
  await go(`/apps/${app.id}/inbox/${run.id}/approve`);
  await page.locator("input[type=file]:not([capture])").setInputFiles(file);
  await page.getByRole("progressbar", { name: "Upload of big.txt" }).waitFor();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Uploading. The form is sent when the upload has ended.").waitFor();
  gate.release();
  await until(async () => (await stepwell.runs.get(app.id, run.id)).status === "succeeded");
});

/** A run form for which a file is being uploaded. */
async function openUpload() {
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${app.id}/workflows/${workflow}/new-run`);
  await tab.page.locator("input[type=file]:not([capture])").setInputFiles(file);
  return tab;
}

it("says that the file of an earlier run was deleted, and does not send it", async () => {
  const { page, faults } = await openUpload();
  await page.getByText("Uploaded").waitFor();
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_/);
  const run = await stepwell.runs.get(app.id, new URL(page.url()).pathname.split("/").at(-1) ?? "");
  const [id = ""] = Array.isArray(run.input["file"]) ? run.input["file"].map(String) : [];
  // The same page has uploaded the file.
  await page.getByRole("button", { name: "Replay…" }).click();
  const dialog = page.getByRole("dialog");
  const files = dialog.getByRole("group", { name: "File", exact: true });
  await files.getByText("big.txt").waitFor();
  await files.getByText("Uploaded").waitFor();
  await stepwell.files.remove(app.id, id);
  await files.getByText("This file was deleted, so it is not sent.").waitFor();
  expect(await files.getByText("Uploaded").count()).toBe(0);
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Start the run" }).click();
  await dialog.locator(".error-summary").getByText("File").waitFor();
  await files.locator("input[type=file]:not([capture])").setInputFiles({ ...file, name: "other.txt" });
  await files.getByText("Uploaded").waitFor();
  const before = page.url();
  await dialog.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL((url) => url.href !== before);
  const replay = await stepwell.runs.get(app.id, new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(replay.input["file"]).toHaveLength(1);
  expect(replay.input["file"]).not.toContain(id);
});

it("says that a file taken out of the form stays in the app, and deletes it when asked to", async () => {
  const { page, faults } = await openUpload();
  const namesOf = async () => (await stepwell.files.list(app.id, { search: "taken" })).items.map(({ name }) => name);
  const upload = async (name: string) => {
    await page.locator("input[type=file]:not([capture])").setInputFiles({ ...file, name });
    await page.getByRole("button", { name: `Remove ${name}` }).waitFor();
    await page.getByText("Uploaded").waitFor();
  };
  // A file that has not arrived yet is not in Files.
  await page.getByText("Uploaded").waitFor();
  await upload("taken 1.txt");
  await page.locator(".left-files").getByText("big.txt is no longer in the form, but stays in Files.").waitFor();
  await upload("taken 2.txt");
  await page.getByRole("button", { name: "Remove taken 2.txt" }).click();
  await upload("taken 3.txt");
  await page.getByRole("button", { name: "Clear the form" }).click();
  for (const name of ["taken 1.txt", "taken 2.txt", "taken 3.txt"])
    await page.locator(".left-files").getByText(`${name} is no longer in the form, but stays in Files.`).waitFor();
  expect((await namesOf()).sort()).toEqual(["taken 1.txt", "taken 2.txt", "taken 3.txt"]);
  expect(await faults()).toEqual([]);
  await page.getByRole("button", { name: "Delete taken 2.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.locator(".left-files").getByText("taken 2.txt").waitFor({ state: "detached" });
  expect((await namesOf()).sort()).toEqual(["taken 1.txt", "taken 3.txt"]);
});

it("shows signs in names that nobody sees, wherever the form names a file", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${workflow}/new-run`);
  const [name, shown] = ["inv\u202efdp.exe.txt", "inv⟨U+202E⟩fdp.exe.txt"];
  await page.locator("input[type=file]:not([capture])").setInputFiles({ ...file, name });
  await page.getByText("Uploaded").waitFor();
  expect(await page.locator(".file-row .file-name bdi").textContent()).toBe(shown);
  await page.getByRole("button", { name: `Remove ${shown}` }).click();
  await page.locator(".left-files .notes", { hasText: shown }).waitFor();
  expect(await page.locator("main").textContent()).not.toContain("\u202e");
  expect(await faults()).toEqual([]);
});

it("keeps the ending of a name that is too long", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${workflow}/new-run`);
  await page.locator("input[type=file]:not([capture])").setInputFiles({ ...file, name: `${"a".repeat(300)}.txt` });
  await page.getByText("Uploaded").waitFor();
  const { items } = await stepwell.files.list(app.id, { search: "aaaa" });
  expect(items.map(({ name }) => name)).toEqual([`${"a".repeat(251)}.txt`]);
});
