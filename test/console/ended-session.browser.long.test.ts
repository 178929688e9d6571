/** A session that ends while somebody types: the page asks to sign in over what was typed, and goes on with it. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { untilEditors } from "./support/editors.ts";

const { browser, server } = await openBrowserAndServer();

async function signInAgain(page: Page, key: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText(/^Your session has ended/).waitFor();
  await dialog.getByLabel("API key").fill(key);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** With another key than before, the page asks whose it is what was typed. */
async function decide(page: Page, answer: "Keep it" | "Start over"): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Another session has begun." });
  await dialog.getByRole("button", { name: answer }).click();
  await dialog.waitFor({ state: "detached" });
}

it("keeps the fields of a record, and stores them after the sign-in", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Sites" });
  const record = await stepwell.records.create(app.id, id, { data: { site: { street: "Main" } } });
  const key = await server.createKey();
  const { page, go, faults } = await openConsole(browser, server, { key: key.key });
  await go(`/apps/${app.id}/collections/${id}/records/${record.id}`);
  const street = page.getByRole("textbox", { name: "street" });
  await street.fill("Side");
  await page.locator(".live-sign.live").waitFor();
  await stepwell.keys.remove(app.id, key.id);
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText(/^Your session has ended/).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await faults()).toEqual([]);
  await dialog.getByLabel("API key").fill("sk_unknown");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByText("This key is unknown, revoked or expired.").waitFor();
  await signInAgain(page, (await server.createKey()).key);
  expect(await faults()).toEqual([]);
  await decide(page, "Keep it");
  expect(await street.inputValue()).toBe("Side");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await stepwell.records.get(app.id, id, record.id)).data)
    .toEqual({ site: { street: "Side" } });
});

it("keeps a dialog with what was typed, and sends what was about to be sent", async () => {
  const { stepwell, app } = server;
  const workflow = await stepwell.workflows.create(app.id, { name: "Nightly", steps: [] });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  await go(`/apps/${app.id}/schedules`);
  await page.getByRole("button", { name: "New schedule" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name").fill("Every night");
  // What is read of the chosen workflow must not be what finds the session ended.
  const read = page.waitForResponse(/\/versions\/latest$/);
  await dialog.getByLabel("Workflow").selectOption(workflow.id);
  await read;
  await page.context().clearCookies();
  await dialog.getByRole("button", { name: "Create" }).click();
  await signInAgain(page, ADMIN_KEY);
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Every night").first().waitFor();
  const { items } = await stepwell.schedules.list(app.id);
  expect(items.map(({ name }) => name)).toEqual(["Every night"]);
});

it("does not do with another key what was about to be done, and does it when it is asked for again", async () => {
  const { stepwell, app } = server;
  const key = await server.createKey();
  const { page, go, complaints } = await openConsole(browser, server, { key: key.key });
  complaints.allow(/401|Failed to load resource/);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "New tag" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New tag" });
  await dialog.getByLabel("Name").fill("Later");
  await page.route("**/me/stream**", (route) => route.abort());
  await stepwell.keys.remove(app.id, key.id);
  await dialog.getByRole("button", { name: "Create" }).click();
  await signInAgain(page, (await server.createKey()).key);
  await decide(page, "Keep it");
  await dialog.getByRole("alert").waitFor();
  expect((await stepwell.tags.list(app.id)).items).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await stepwell.tags.list(app.id)).items).toMatchObject([{ name: "Later" }]);
});

it("shows nothing of the page before to a key of another app", async () => {
  const { stepwell, app } = server;
  const other = await stepwell.apps.create({ name: "Library" });
  const key = await server.createKey();
  await stepwell.workflows.create(app.id, { name: "Private workflow", steps: [] });
  const { page, go } = await openConsole(browser, server, { key: key.key });
  await go(`/apps/${app.id}/workflows`);
  await page.getByText("Private workflow").first().waitFor();
  await page.locator(".live-sign.live").waitFor();
  await stepwell.keys.remove(app.id, key.id);
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByLabel("API key").fill((await stepwell.keys.create(other.id, { name: "Tests" })).key);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByRole("button", { name: "Open the other app" }).click();
  await page.locator(".app-name").getByText("Library", { exact: true }).waitFor();
  expect(await page.getByText("Private workflow").count()).toBe(0);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
  expect(await page.getByText("Private workflow").count()).toBe(0);
});

it("goes on when somebody has signed in in another tab", async () => {
  const { stepwell, app } = server;
  const key = await server.createKey();
  const { page, go, complaints } = await openConsole(browser, server, { key: key.key });
  await go(`/apps/${app.id}/workflows`);
  await page.locator(".live-sign.live").waitFor();
  await stepwell.keys.remove(app.id, key.id);
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.waitFor();
  const second = await page.context().newPage();
  await second.goto(server.at("/"));
  await second.getByLabel("API key").fill((await server.createKey()).key);
  await second.getByRole("button", { name: "Sign in" }).click();
  await second.getByText("Lending", { exact: true }).waitFor();
  await complaints.look(second);
  await page.bringToFront();
  await decide(page, "Keep it");
  expect(await dialog.count()).toBe(0);
  await page.getByRole("heading", { level: 1, name: "Workflows" }).waitFor();
});

it("does not show what somebody has typed to somebody else who signs in in the same tab", async () => {
  const { stepwell, app } = server;
  const input = { who: { type: "string" as const, name: "Who" } };
  const workflow = await stepwell.workflows.create(app.id, { name: "Typed", input, steps: [] });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const path = `/apps/${app.id}/workflows/${workflow.id}/new-run`;
  const { page, go } = await openConsole(browser, server);
  await go(path);
  await page.getByLabel("Who").fill("Grace");
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("Grace");
  await page.context().clearCookies();
  await page.goto(server.at("/"));
  await page.getByLabel("API key").fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Grace");
  await go(path);
  expect(await page.getByLabel("Who").inputValue()).toBe("");
});

it("gives another key of the app neither a form nor a draft of the session before, unless somebody says that they are theirs", async () => {
  const { stepwell, app } = server;
  const input = { who: { type: "string" as const, name: "Who" } };
  const steps = [{ type: "note" as const, key: "a", note: "first" }];
  const { id } = await stepwell.workflows.create(app.id, { name: "Mine", input, steps });
  await stepwell.workflows.deploy(app.id, id);
  const key = await server.createKey();
  const { page, go, complaints } = await openConsole(browser, server, { key: key.key });
  complaints.allow(/401|Failed to load resource|ERR_FAILED/);
  page.on("dialog", (dialog) => void dialog.accept());
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await page.getByLabel("Who").fill("Grace");
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("Grace");
  await page.getByRole("link", { name: "Mine" }).first().click();
  await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await page.goto(`${page.url().split("?")[0]}?view=outline&step=a`);
  await page.getByRole("treeitem", { name: /^a / }).waitFor();
  await untilEditors(page);
  const note = page.getByRole("textbox", { name: "Note", exact: true });
  await note.focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Kept here only");
  await page.locator(".saved-sign.kept").waitFor();
  await stepwell.keys.remove(app.id, key.id);
  const other = await server.createKey();
  await signInAgain(page, other.key);
  await page.unroute("**/draft");
  await decide(page, "Start over");
  await page.getByRole("treeitem", { name: /^a / }).waitFor();
  await expect.poll(() => page.getByText("Kept here only").count()).toBe(0);
  await go(`/apps/${app.id}/workflows/${id}?view=outline&step=a`);
  await page.getByRole("treeitem", { name: /^a / }).waitFor();
  expect(await page.getByText("Kept here only").count()).toBe(0);
  expect((await stepwell.workflows.getDraft(app.id, id)).steps).toEqual(steps);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  expect(await page.getByLabel("Who").inputValue()).toBe("");
});

it("asks before a page is left of which nobody has decided whose it is", async () => {
  const { stepwell, app } = server;
  const input = { who: { type: "string" as const, name: "Who" } };
  const { id } = await stepwell.workflows.create(app.id, { name: "Asked", input, steps: [] });
  const key = await server.createKey();
  const { page, go, complaints } = await openConsole(browser, server, { key: key.key });
  complaints.allow(/401/);
  await go(`/apps/${app.id}/workflows/${id}/new-run?version=draft`);
  await page.getByLabel("Who").fill("Grace");
  await page.locator(".live-sign.live").waitFor();
  await stepwell.keys.remove(app.id, key.id);
  await signInAgain(page, (await server.createKey()).key);
  await page.getByRole("dialog", { name: "Another session has begun." }).waitFor();
  const asked = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type();
  });
  await page.evaluate(() => location.reload());
  expect(await asked).toBe("beforeunload");
  await decide(page, "Keep it");
  expect(await page.getByLabel("Who").inputValue()).toBe("Grace");
});

it("keeps the page below the sign-in of another app", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    ...{ name: "Wrong key", steps: [] },
    input: { who: { type: "string", name: "Who" } },
  });
  const other = await stepwell.apps.create({ name: "Other" });
  const wrong = await stepwell.keys.create(other.id, { name: "Wrong", scopes: ["runs:read"] });
  const key = await server.createKey();
  const { page, go, faults, complaints } = await openConsole(browser, server, { key: key.key });
  complaints.allow(/401/);
  await go(`/apps/${app.id}/workflows/${id}/new-run?version=draft`);
  await page.getByLabel("Who").fill("Grace");
  await page.locator(".live-sign.live").waitFor();
  await stepwell.keys.remove(app.id, key.id);
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText(/^Your session has ended/).waitFor();
  await dialog.getByLabel("API key").fill(wrong.key);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/^This key is of another app/)
    .waitFor();
  expect(await faults()).toEqual([]);
  await dialog.getByLabel("API key").fill((await server.createKey()).key);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await decide(page, "Keep it");
  expect(await page.getByLabel("Who").inputValue()).toBe("Grace");
});
