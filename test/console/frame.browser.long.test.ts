/** The frame of the console, and who may come in. */
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

describe("signing in to the console", () => {
  it("refuses a wrong key, and opens the app of a right one", async () => {
    const { page, faults } = await openConsole(browser, server, { key: null });
    await page.goto(server.at("/"));
    await page.getByLabel("API key").fill("a wrong key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("This key is unknown, revoked or expired.").waitFor();
    expect(await faults()).toEqual([]);
    const { id, key } = await server.createKey();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(server.at(`/apps/${server.app.id}`));
    await page.getByText("Lending", { exact: true }).waitFor();
    // No script can read the cookie, and nothing else holds the key: only its id says whose texts are kept.
    expect(await page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }))).toBe(
      JSON.stringify({ "stepwell-typed-by": JSON.stringify(["key", id]) }),
    );
  });

  it("says that a key is unknown which is longer than any", async () => {
    const { page } = await openConsole(browser, server, { key: null });
    await page.goto(server.at("/"));
    for (const length of [1_025, 20_000]) {
      await page.getByLabel("API key").fill("k".repeat(length));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("This key is unknown, revoked or expired.").waitFor();
      expect(await page.getByText("cannot be reached").count()).toBe(0);
      await page.reload();
    }
  });

  it("says that an address has been used, and where there is another one, also of stepwell dev", async () => {
    const { url } = await server.stepwell.console.createSignIn({ app_id: server.app.id });
    const { page: first } = await openConsole(browser, server, { key: null });
    await first.goto(url);
    await first.getByText("Lending", { exact: true }).waitFor();
    const { page, faults } = await openConsole(browser, server, { key: null });
    await page.goto(url);
    await page.getByText("This link has been used, or has expired.").waitFor();
    await page.getByText(/Ask for a new address where you got this one/).waitFor();
    expect(await page.getByText(/stepwell dev/).count()).toBe(0);
    expect(await faults()).toEqual([]);

    const ofDev = { session: null, sign_in: null, workflow_files: [] };
    await page.route("**/console/session", (route) =>
      route.request().method() === "GET" ? route.fulfill({ json: ofDev }) : route.continue(),
    );
    await page.goto(url);
    await page.getByText(/Press o in the terminal of stepwell dev/).waitFor();
  });

  it("moves the focus to the heading of the page that signing in or out leads to", async () => {
    const { page, faults } = await openConsole(browser, server, { key: null });
    await page.goto(server.at("/"));
    await page.getByLabel("API key").fill((await server.createKey()).key);
    await page.keyboard.press("Enter");
    await focusAt(page, "h1, main");
    await page.getByText("Lending", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Tests" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Sign out" }).focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "h1", "Sign in");
    expect(await faults()).toEqual([]);
  });

  it("signs out, also for the back button", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}`);
    await page.getByRole("button", { name: "Tests" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
  });

  it("opens the app of the address when an admin signs in there", async () => {
    const { page } = await openConsole(browser, server, { key: null });
    await page.goto(server.at(`/apps/${server.app.id}/runs`));
    await page.getByLabel("API key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    await expect.poll(() => page.locator(".app-name").innerText()).toBe("Lending");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("opens the app of a link for an admin who has another one open, and names the app of each tab", async () => {
    const other = await server.stepwell.apps.create({ name: "Library" });
    const { page, go, complaints } = await openConsole(browser, server, { key: ADMIN_KEY });
    await go(`/apps/${server.app.id}/runs`);
    const second = await page.context().newPage();
    await second.goto(server.at(`/apps/${other.id}/workflows`));
    await second.getByText("Library", { exact: true }).waitFor();
    await second.getByRole("heading", { level: 1, name: "Workflows" }).waitFor();
    await complaints.look(second);
    await page.bringToFront();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    await page.locator(".app-name").getByText("Lending", { exact: true }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await second.bringToFront();
    await second.reload();
    await second.locator(".app-name").getByText("Library", { exact: true }).waitFor();
  });

  it.each([
    ["an admin", ADMIN_KEY],
    ["a key of another app", undefined],
  ])("says that nothing is at the address of an app that is not open to %s", async (_, key) => {
    const { page } = await openConsole(browser, server, key === undefined ? {} : { key });
    await page.goto(server.at("/apps/app_0000000000000000/runs"));
    await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
    expect(await page.locator(".app-name").count()).toBe(0);
    await page.getByRole("main").getByRole("link", { name: "Overview" }).click();
    await page.locator(".app-name").getByText("Lending", { exact: true }).waitFor();
  });

  it("opens an app for an admin", async () => {
    const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
    await go("/apps");
    await page.getByRole("button", { name: "Lending" }).click();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/apps/${server.app.id}`);
  });
});
