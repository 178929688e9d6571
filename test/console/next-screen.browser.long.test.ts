/** What is shown while the files of a screen are loaded. */
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

async function leaveRuns() {
  const tab = await openConsole(browser, server);
  const { page, go } = tab;
  await go(`/apps/${server.app.id}/runs`);
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  const [held, asked] = [createGate(), createGate()];
  onTestFinished(held.release);
  await page.route(/\/assets\/files-screen.*\.js$/, async (route) => {
    asked.release();
    await held.released;
    await route.continue();
  });
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
  await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
  await asked.released;
  return { page, held, focused };
}

it("is what was there, and a word if it takes long; the focus goes to the new heading", async () => {
  const { page, held, focused } = await leaveRuns();
  await page.getByRole("status").getByText("Loading").waitFor();
  expect(await page.locator("h1").allInnerTexts()).toEqual(["Runs"]);
  expect(await page.locator(".screen").evaluate((screen: HTMLElement) => screen.inert)).toBe(true);
  expect(new URL(page.url()).pathname).toMatch(/\/files$/);
  await expect.poll(focused).toBe("content");
  held.release();
  await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
  expect(await page.getByRole("heading", { name: "Runs", level: 1 }).count()).toBe(0);
  await expect.poll(focused).toBe("H1");
  expect(await page.locator(".screen").evaluate((screen: HTMLElement) => screen.inert)).toBe(false);
});

it("stays where it was scrolled to; the next one begins at its top", async () => {
  const { page, go } = await openConsole(browser, server);
  await page.setViewportSize({ width: 1200, height: 600 });
  await go("/shortcuts");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const scrolled = () => page.evaluate(() => scrollY);
  await page.evaluate(() => scrollTo({ top: 200, behavior: "instant" }));
  const [held, asked] = [createGate(), createGate()];
  onTestFinished(held.release);
  await page.route(/\/assets\/files-screen.*\.js$/, async (route) => {
    asked.release();
    await held.released;
    await route.continue();
  });
  await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
  await asked.released;
  await page.getByRole("status").getByText("Loading").waitFor();
  expect(await scrolled()).toBe(200);
  held.release();
  await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
  await expect.poll(scrolled).toBe(0);
});

it("stays if somebody comes back meanwhile", async () => {
  const { page, held } = await leaveRuns();
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/runs$/);
  held.release();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await page.locator(".next-screen").waitFor({ state: "detached" });
  expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual(["Runs"]);
});

it("can no longer be used meanwhile: a form that was sent is not sent again", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Once",
    steps: [{ type: "input", key: "start", input: { amount: { type: "number", optional: true } } }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  const [held, asked] = [createGate(), createGate()];
  onTestFinished(held.release);
  await page.route(/\/assets\/run-screen.*\.js$/, async (route) => {
    asked.release();
    await held.released;
    await route.continue();
  });
  const send = page.locator("form button[type=submit]");
  await send.click();
  await asked.released;
  await send.click({ force: true });
  await page.keyboard.press("Control+Enter");
  held.release();
  await page.locator("[data-row]").first().waitFor();
  expect((await stepwell.runs.list(app.id, { workflow_id: id })).items).toHaveLength(1);
});
