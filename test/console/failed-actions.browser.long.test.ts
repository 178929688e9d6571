/** Actions that fail say so: nothing looks as if it had been done. */
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { refuse } from "./support/refuse.ts";

const { browser, server } = await openBrowserAndServer();
const { app } = server;

it("says that nobody is signed out while the server cannot do it", async () => {
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/503/);
  await go(`/apps/${app.id}/runs`);
  const detail = "The storage is temporarily unavailable.";
  onTestFinished(() => server.intercept(() => false));
  server.intercept(({ method, url = "" }, response) => {
    if (method !== "DELETE" || !url.endsWith("/console/session")) return false;
    response.writeHead(503, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ status: 503, code: "unavailable", detail }));
    return true;
  });
  const signOut = async () => {
    await page.getByRole("banner").getByRole("button").last().click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await signOut();
  const dialog = page.getByRole("dialog", { name: "You may still be signed in." });
  await dialog.getByText(detail).waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  server.intercept(() => false);
  await signOut();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

it("does not say that a session has ended which somebody ends themselves", async () => {
  const { key } = await server.createKey();
  const { page, go } = await openConsole(browser, server, { key });
  await go(`/apps/${app.id}/runs`);
  await page.locator(".live-sign.live").waitFor();
  const held = createGate();
  onTestFinished(held.release);
  await page.route("**/console/session", async (route) => {
    if (route.request().method() !== "DELETE") return route.continue();
    const response = await route.fetch();
    await held.released;
    return route.fulfill({ response });
  });
  await page.getByRole("banner").getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  // The server has ended the session, and its stream with it; the page does not know yet.
  await page.getByRole("dialog", { name: "Sign in" }).waitFor();
  held.release();
  await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

it("says why a file of the editor cannot be downloaded", async () => {
  const { path } = await createWorkflow(server, "Drawn", [{ type: "code", key: "a", code: "return 1" }]);
  const { page, go } = await openConsole(browser, server);
  await go(path);
  refuse(server, "GET", /\/diagram|\/export/, "No downloads today.");
  for (const name of ["Download the diagram of the draft (SVG)", "Download the draft with dependencies (JSON)"]) {
    await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name }).click();
    const dialog = page.getByRole("dialog", { name: "That didn't work." });
    await dialog.getByText("No downloads today.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  }
});

it("says why an app cannot be opened", async () => {
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  await go("/apps");
  refuse(server, "POST", /\/console\/session$/, "Not now.");
  await page.getByRole("button", { name: "Lending" }).click();
  await page.getByRole("dialog", { name: "That didn't work." }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/console/apps");
});
