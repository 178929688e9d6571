/** A session that another tab replaces or ends: all tabs of a browser share one. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { omitUndefined } from "../../src/json.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import type { Complaints } from "./support/complaints.ts";
import { openConsole } from "./support/console-tab.ts";
import { untilEditors } from "./support/editors.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

/** What the browser says of requests of a session that has ended. */
const ENDED = /401|Failed to load resource/;

/** Opens another tab, in which somebody signs out. */
async function signOutInstead(page: Page, complaints: Complaints): Promise<Page> {
  complaints.allow(ENDED);
  const second = await page.context().newPage();
  await second.goto(server.at(`/apps/${app.id}/tags`));
  await second.locator(".top-bar").getByRole("button", { name: "Tests" }).click();
  await second.getByRole("menuitem", { name: "Sign out" }).click();
  await second.getByLabel("API key").waitFor();
  return second;
}

it("says in each tab with whose session it goes on, and what it may do", async () => {
  const { page, go, faults, complaints } = await openConsole(browser, server);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "New tag" }).first().waitFor();
  const second = await signOutInstead(page, complaints);
  const signIn = page.getByRole("dialog", { name: "Sign in" });
  await signIn.waitFor();
  const { key } = await stepwell.keys.create(app.id, { name: "Grace", scopes: ["collections:read"] });
  await second.getByLabel("API key").fill(key);
  await second.getByRole("button", { name: "Sign in" }).click();
  const offered = page.getByRole("dialog", { name: "Another session has begun." });
  await offered.getByText("What you do here is now done as Grace.").waitFor();
  expect(await signIn.count()).toBe(0);
  expect(await faults()).toEqual([]);
  await offered.getByRole("button", { name: "Start over" }).click();
  const refused = page.getByRole("button", { name: "New tag", description: "Needs the permission collections:write." });
  await refused.first().waitFor();
});

it("replaces the session of a key at once, and says nothing of one of the same person", async () => {
  const created = await stepwell.keys.create(app.id, { name: "Ada", scopes: ["collections:read"] });
  const { page, go, complaints } = await openConsole(browser, server, { key: created.key });
  complaints.allow(ENDED);
  await go(`/apps/${app.id}/tags`);
  const signInAs = async (key: string) => {
    const second = await page.context().newPage();
    await second.goto(server.at("/nothing"));
    const data = { key };
    await page.context().request.post(server.at("/session"), { headers: { "stepwell-console": "1" }, data });
    // As any tab does that has signed in.
    await second.evaluate(() => new BroadcastChannel("stepwell-session /console/").postMessage(null));
  };
  await signInAs(created.key);
  const { key } = await stepwell.keys.create(app.id, { name: "Grace", scopes: ["collections:read"] });
  await signInAs(key);
  const offered = page.getByRole("dialog", { name: "Another session has begun." });
  await offered.getByText("What you do here is now done as Grace.").waitFor();
  await page.keyboard.press("Escape");
  await offered.getByRole("button", { name: "Keep it" }).click();
  await offered.waitFor({ state: "detached" });
  await page.locator(".top-bar").getByRole("button", { name: "Grace" }).waitFor();
});

it("sends nothing that was typed with one key with the session of another", async () => {
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(ENDED);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "New tag" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New tag" });
  await dialog.getByLabel("Name").fill("Mine");
  const { key } = await server.createKey();
  // No tab has said that there is another session.
  await page.context().request.post(server.at("/session"), { headers: { "stepwell-console": "1" }, data: { key } });
  await dialog.getByRole("button", { name: "Create" }).click();
  const offered = page.getByRole("dialog", { name: "Another session has begun." });
  await offered.getByRole("button", { name: "Keep it" }).click();
  await dialog.getByRole("alert").waitFor();
  expect((await stepwell.tags.list(app.id)).items).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await stepwell.tags.list(app.id)).items).toMatchObject([{ name: "Mine" }]);
});

/** Opens a tab, types into a draft what only the browser gets, and closes the tab. Returns another tab. */
async function closeWithDraft(text: string, key?: string): Promise<{ readonly tab: Page; readonly path: string }> {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Closed",
    steps: [{ type: "note", key: "a", note: "first" }],
  });
  const path = `/apps/${app.id}/workflows/${id}?view=outline&step=a`;
  const { page, go, complaints } = await openConsole(browser, server, omitUndefined({ key }));
  complaints.allow(/ERR_FAILED|Failed to load resource/);
  const context = page.context();
  const tab = await context.newPage();
  await tab.goto(server.at(`/apps/${app.id}`));
  await context.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await go(path);
  const note = page.getByRole("textbox", { name: "Note", exact: true });
  await note.waitFor();
  await untilEditors(page);
  await note.focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
  await page.locator(".saved-sign.kept").waitFor();
  await complaints.look(page);
  await page.goto("about:blank");
  return { tab, path };
}

const DISCARDS = expect.stringContaining("Draft changes that are not on the server");

async function signOut(tab: Page, name: string): Promise<void> {
  await tab.locator(".top-bar").getByRole("button", { name }).click();
  await tab.getByRole("menuitem", { name: "Sign out" }).click();
}

it("asks before it deletes drafts of a closed tab that the server does not have", async () => {
  const { tab } = await closeWithDraft("Kept here only");
  const questions: string[] = [];
  tab.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return questions.length === 1 ? dialog.dismiss() : dialog.accept();
  });
  await signOut(tab, "Tests");
  await expect.poll(() => questions).toEqual([DISCARDS]);
  await signOut(tab, "Tests");
  await tab.getByLabel("API key").waitFor();
  expect(questions).toHaveLength(2);
});

it("keeps drafts of a session that has ended when somebody else signs out", async () => {
  const { key: ownKey } = await stepwell.keys.create(app.id, { name: "Ada" });
  const { tab, path } = await closeWithDraft("Of Ada", ownKey);
  const questions: string[] = [];
  tab.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return dialog.accept();
  });
  const context = tab.context();
  const session = { headers: { "stepwell-console": "1" } };
  const signIn = (key: string) => context.request.post(server.at("/session"), { ...session, data: { key } });
  const { key } = await stepwell.keys.create(app.id, { name: "Grace" });
  await signIn(key);
  await tab.goto(server.at(`/apps/${app.id}`));
  await signOut(tab, "Grace");
  await tab.getByLabel("API key").waitFor();
  expect(questions).toEqual([]);
  await signIn(ownKey);
  await tab.goto(server.at(path));
  await tab.getByText("Of Ada").first().waitFor();
});

it("leads to the app of who signs in where somebody else was", async () => {
  const other = await stepwell.apps.create({ name: "Other" });
  const { key } = await stepwell.keys.create(other.id, { name: "Eve" });
  const { page, go, faults } = await openConsole(browser, server, { key: null });
  await go(`/apps/${app.id}/runs`);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/apps/${other.id}**`);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(await page.getByText("There is nothing at this address").count()).toBe(0);
  expect(await faults()).toEqual([]);
});

it("says that the session is one of another app, also if no tab has", async () => {
  const other = await stepwell.apps.create({ name: "Other" });
  const { key } = await stepwell.keys.create(other.id, { name: "Eve" });
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(ENDED);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "New tag" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New tag" });
  await dialog.getByLabel("Name").fill("Mine");
  await page.context().request.post(server.at("/session"), { headers: { "stepwell-console": "1" }, data: { key } });
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: /another app/ }).waitFor();
  expect((await stepwell.tags.list(other.id)).items).toEqual([]);
});
