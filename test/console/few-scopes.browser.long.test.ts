/** Sessions that may do little, and sessions that another tab replaces. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import type { Complaints } from "./support/complaints.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("offers only the sections that a key can read, and says what the others need", async () => {
  const { key } = await server.createKey("runs:read", "workflows:read");
  const { page, go, follow, faults } = await openConsole(browser, server, { key });
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await go(`/apps/${server.app.id}/runs`);
  const navigation = page.getByRole("navigation");
  expect(await navigation.getByRole("link").allInnerTexts()).toEqual(["Overview", "Workflows", "Runs", "Inbox"]);
  const closed = (name: string) => navigation.getByRole("listitem").filter({ hasText: name }).innerText();
  expect(await closed("API keys")).toContain("Only an admin can see and change keys.");
  expect(await closed("Files")).toContain("Needs the permission files:read.");
  expect(await faults()).toEqual([]);
  for (const section of ["files", "collections", "schedules", "webhooks", "connections"]) {
    await follow(`/apps/${server.app.id}/${section}`);
    await page
      .locator("main")
      .getByText(/^Needs the permission \w+:read(?: \/ \w+:read)?\.$/)
      .waitFor();
  }
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(refused).toEqual([]);
});

it("begins with what a key can read, asks for no stream that it may not follow, and opens no list of apps", async () => {
  const { key } = await server.createKey("files:read");
  const { page, faults } = await openConsole(browser, server, { key });
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await page.goto(server.at("/"));
  await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
  await page.getByText("Every 5 s", { exact: true }).waitFor();
  await page.goto(server.at(`/apps/${server.app.id}`));
  await page.getByRole("main").getByText("Needs the permission runs:read.").waitFor();
  await page.goto(server.at("/apps"));
  await page.getByText("Only an admin sees the apps of this server. This session opens one app.").waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "Files" }).click();
  await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
  expect(refused).toEqual([]);
});

it("says nothing of schedules that a key may not read, and once that workflows have no names", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Report", steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  await stepwell.runs.create(app.id, id);
  await stepwell.schedules.create(app.id, { workflow_id: id, cron: "30 9 * * *" });
  const { key } = await server.createKey("runs:read");
  const { page, go } = await openConsole(browser, server, { key });
  await go(`/apps/${app.id}`);
  await page.getByText("Running now").waitFor();
  const note = page.getByText(
    "Workflows appear with their ids in place of their names. Needs the permission workflows:read.",
  );
  expect(await note.count()).toBe(1);
  expect(await page.getByText("Nothing scheduled").count()).toBe(0);
  expect(await page.getByRole("main").getByRole("link", { name: /^Next/ }).count()).toBe(0);
  await go(`/apps/${app.id}/runs`);
  await note.waitFor();
  // A key for everything sees both.
  const all = await openConsole(browser, server);
  await all.go(`/apps/${app.id}`);
  await all.page.getByRole("main").getByRole("link", { name: /^Next/ }).waitFor();
  expect(await all.page.getByText("Workflows appear with their ids").count()).toBe(0);
});

/** Opens an address in another tab, which signs in there in place of the session before. */
async function openInstead(page: Page, complaints: Complaints, url: string): Promise<Page> {
  complaints.allow(/409/);
  const second = await page.context().newPage();
  second.once("dialog", (dialog) => dialog.accept());
  await second.goto(url);
  return second;
}

it("leads the keyboard to buttons that it may not press, says why, and sends nothing", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Seen", steps: [] });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id);
  const { key } = await server.createKey("runs:read", "workflows:read");
  const { page, go, faults } = await openConsole(browser, server, { key });
  await go(`/apps/${app.id}/runs/${run.id}`);
  const replay = page.getByRole("button", { name: "Replay", description: "Needs the permission runs:write." });
  await replay.focus();
  expect(await replay.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await replay.isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "More" }).first().click();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await faults()).toEqual([]);
});

it("notices that another tab has signed in to another app", async () => {
  const { page, go, faults, complaints } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/runs`);
  const other = await server.stepwell.apps.create({ name: "Library" });
  const { url } = await server.stepwell.console.createSignIn({ app_id: other.id });
  const second = await openInstead(page, complaints, url);
  await second.getByText("Library", { exact: true }).waitFor();
  const dialog = page.getByRole("dialog", { name: "You are now signed in to another app in this browser." });
  await page.bringToFront();
  await dialog.waitFor();
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Open the other app" }).click();
  await page.getByText("Library", { exact: true }).waitFor();
  expect(await dialog.count()).toBe(0);
});

it("does not take the session of another app for the deletion of the workflow that is edited", async () => {
  const { path, id } = await createWorkflow(server, "Kept", [{ type: "note", key: "a", note: "x" }]);
  const { page, go, complaints } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  await page.getByRole("treeitem").waitFor();
  const other = await server.stepwell.apps.create({ name: "Elsewhere" });
  const { url } = await server.stepwell.console.createSignIn({ app_id: other.id });
  await openInstead(page, complaints, url);
  const refused = page.waitForResponse(
    (response) => response.url().endsWith(`${id}/draft`) && response.status() === 401,
  );
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await refused;
  await page.waitForResponse((response) => response.url().endsWith("/console/session"));
  await page.waitForResponse((response) => response.url().endsWith(`${id}/draft`));
  expect(await page.getByText("Somebody has deleted this workflow.").count()).toBe(0);
});

it.each(["constructor", "__proto__", "nothing"])("says that there is no operation %s", async (name) => {
  const { page, go } = await openConsole(browser, server);
  await go(`/docs/${name}`);
  expect(await page.getByRole("alert").innerText()).toBe(`There is no operation ${name}.`);
});

it("offers no file that a key may not send or choose, and no address that it may not create", async () => {
  const { id, path } = await createWorkflow(server, "Contract", [
    { type: "input", key: "start", input: { contract: { type: "file", name: "Contract" } } },
  ]);
  await server.stepwell.workflows.deploy(server.app.id, id);
  const { key } = await server.createKey("runs:read", "runs:write", "workflows:read");
  const { page, go, faults } = await openConsole(browser, server, { key });
  await go(`${path}/new-run`);
  for (const [name, scope] of [
    ["Choose a file", "files:write"],
    ["Use a stored file", "files:read"],
  ] as const) {
    const button = page.getByRole("button", { name });
    await button.waitFor();
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    expect(await button.getAttribute("title")).toBe(`Needs the permission ${scope}.`);
  }
  expect(await faults()).toEqual([]);
  const { key: reader } = await server.createKey("files:read");
  const other = await openConsole(browser, server, { key: reader });
  await other.go(`/apps/${server.app.id}/uploads/new`);
  const create = other.page.getByRole("button", { name: "Create" });
  await create.waitFor();
  expect(await create.getAttribute("title")).toBe("Needs the permission files:write.");
  expect(await other.faults()).toEqual([]);
});
