/** People whom the host knows, and addresses that sign in once, in a real browser. */
import { expect, it } from "vitest";
import { webConsole } from "../../adapters/console/web-console.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

let person: { readonly name?: string; readonly user?: { readonly id: string } } | null = null;
const { browser, server } = await openBrowserAndServer({
  mount: "/a/b",
  console: webConsole({
    session: () => (person === null ? null : { app_id: server.app.id, ...person }),
    signIn: "/login?next={return_to}",
  }),
});
const { stepwell, app } = server;

it("leads to the sign-in of the host and names the way back, and leaves signing out to it", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const path = `/apps/${app.id}/runs?status=failed`;
  await page.goto(server.at(path));
  const link = page.getByRole("link", { name: "Sign in with your account" });
  const wanted = `/login?next=${encodeURIComponent(`/a/b/console${path}`)}`;
  expect(await link.getAttribute("href")).toBe(wanted);
  person = { name: "Ann" };
  await page.reload();
  await page.getByRole("button", { name: "Ann" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Sign out" }).count()).toBe(0);
  person = null;
  await context.close();
});

it.each([
  ["two users without a name", { user: { id: "ada" } }, { user: { id: "bob" } }],
  ["people whom the host does not tell apart", {}, {}],
])("does not do for one what another was about to do: %s", async (_, one, two) => {
  person = one;
  const { page, go, complaints } = await openConsole(browser, server, { key: null });
  complaints.allow(/401|Failed to load resource/);
  await go(`/apps/${app.id}/tags`);
  await page.getByRole("button", { name: "New tag" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New tag" });
  await dialog.getByLabel("Name").fill("Later");
  person = null;
  await dialog.getByRole("button", { name: "Create" }).click();
  const signIn = page.getByRole("dialog", { name: "Sign in" });
  await signIn.waitFor();
  person = two;
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await signIn.waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
  expect((await stepwell.tags.list(app.id)).items).toEqual([]);
  person = null;
});

it("asks before an address ends the session of somebody else", async () => {
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/409|Failed to load resource/);
  await go("/");
  const other = await stepwell.apps.create({ name: "Library" });
  const { url } = await stepwell.console.createSignIn({ app_id: other.id, name: "Bob" });
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return questions.length === 1 ? dialog.dismiss() : dialog.accept();
  });
  await page.goto(url);
  await page.locator(".app-name").getByText("Lending", { exact: true }).waitFor();
  expect(questions).toEqual([expect.stringContaining("signs you in as somebody else")]);
  await page.goto(url);
  await page.locator(".app-name").getByText("Library", { exact: true }).waitFor();
  expect(questions).toHaveLength(2);
});
