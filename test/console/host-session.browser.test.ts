/** People whom the host knows, and addresses that sign in once, in a real browser. */
import { expect, it } from "vitest";
import { webConsole } from "../../adapters/console/web-console.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

let person: string | null = null;
const { browser, server } = await openBrowserAndServer({
  mount: "/a/b",
  console: webConsole({
    session: () => (person === null ? null : { app_id: server.app.id, name: person }),
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
  person = "Ann";
  await page.reload();
  await page.getByRole("button", { name: "Ann" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Sign out" }).count()).toBe(0);
  person = null;
  await context.close();
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
