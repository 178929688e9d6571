/** The command menu finds what a person can do here, and everywhere. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();
const steps = [{ type: "input", key: "start", input: {} } as const];
const { id: workflow } = await server.stepwell.workflows.create(server.app.id, { name: "Report", steps });

const input = (page: Page) => page.locator(".command-menu input");

async function choose(page: Page, text: string, label: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await input(page).fill(text);
  await page.getByRole("option", typeof label === "string" ? { name: label, exact: true } : { name: label }).click();
}

it("says when it finds nothing", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/files`);
  await page.keyboard.press("Control+k");
  const said = page.locator(".command-menu").getByRole("status");
  await expect.poll(() => said.textContent()).toBe("");
  await input(page).fill("nothing of this kind");
  await expect.poll(() => said.textContent()).toBe("No action or page matches.");
});

it("does not say so before the search has ended", async () => {
  const { page, go } = await openConsole(browser, server);
  const gate = createGate();
  await page.route(/\/workflows\?search=/, async (route) => {
    await gate.released;
    await route.continue();
  });
  await go(`/apps/${server.app.id}/files`);
  await page.keyboard.press("Control+k");
  const said = page.locator(".command-menu").getByRole("status");
  const asked = page.waitForRequest(/\/workflows\?search=Repo/);
  await input(page).fill("Repo");
  await asked;
  await expect.poll(() => page.getByRole("option").count()).toBe(0);
  expect(await said.textContent()).toBe("");
  gate.release();
  await page.getByRole("option", { name: "Report", exact: true }).waitFor();
  await expect.poll(() => said.textContent()).toMatch(/^\d results$/);
});

it("takes what the search finds if Enter comes before its answer, and nothing if the text changes", async () => {
  const { page, go } = await openConsole(browser, server);
  const gate = createGate();
  await page.route(/\/workflows\?search=/, async (route) => {
    await gate.released;
    await route.continue();
  });
  await go(`/apps/${server.app.id}/files`);
  await page.keyboard.press("Control+k");
  await input(page).fill("Repor");
  await page.keyboard.press("Enter");
  const asked = page.waitForRequest(/\/workflows\?search=Report/);
  await page.keyboard.type("t");
  await asked;
  gate.release();
  await page.getByRole("option", { name: "Report", exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/files$/);
  await input(page).fill("Repo");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`/workflows/${workflow}`));
});

it("says how much it finds, and is no open list when that is nothing", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/files`);
  await page.keyboard.press("Control+k");
  const said = page.locator(".command-menu").getByRole("status");
  await input(page).fill("webhooks");
  await expect.poll(() => said.textContent()).toBe("1 result");
  expect(await input(page).getAttribute("aria-expanded")).toBe("true");
  await input(page).fill("nothing of this kind");
  await expect.poll(() => input(page).getAttribute("aria-expanded")).toBe("false");
});

it("names the actions of the editor by what they are about", async () => {
  const step = { type: "code", key: "a", code: "return 1", conditional: "1 +" } as const;
  const { id } = await server.stepwell.workflows.create(server.app.id, { name: "Wrong", steps: [step] });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/workflows/${id}?view=outline`);
  await page.locator(".problem-button.some").waitFor();
  await page.keyboard.press("Control+k");
  for (const name of ["View: Canvas", "View: JSON", "1 problem", "Run: Wrong"])
    await page.getByRole("option", { name, exact: true }).waitFor();
  await input(page).fill("run wrong");
  await page.getByRole("option", { name: "Wrong", exact: true }).waitFor();
  expect(await page.getByRole("option", { name: "Run: Wrong", exact: true }).count()).toBe(1);
});

it("offers the page beside an action of the screen that is called the same, and no button that opens a menu", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/workflows/${workflow}?view=outline`);
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Runs: Report", exact: true }).waitFor();
  expect(await page.getByRole("option", { name: /^More/ }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await choose(page, "runs", "Runs");
  await page.waitForURL(server.at(`/apps/${server.app.id}/runs`));
});

it("creates workflows and keys, runs a workflow and signs out from any screen", async () => {
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  const at = `/apps/${server.app.id}`;
  await go(`${at}/files`);
  await choose(page, "new workflow", "New workflow");
  await page.getByRole("dialog", { name: "New workflow" }).waitFor();
  await go(`${at}/files`);
  await choose(page, "new key", "New key");
  await page.getByRole("dialog").waitFor();
  await go(`${at}/files`);
  await choose(page, "run report", "Run: Report");
  await page.waitForURL(server.at(`${at}/workflows/${workflow}/new-run`));
  await go(`${at}/files`);
  await choose(page, "run: rep", "Run: Report");
  await page.waitForURL(server.at(`${at}/workflows/${workflow}/new-run`));
  await choose(page, "deutsch", "Language: Deutsch");
  await page.getByRole("navigation").getByText("Übersicht").waitFor();
  await page.keyboard.press("Control+k");
  await input(page).fill("english");
  await page.getByRole("option", { name: /English/ }).click();
  await choose(page, "sign out", "Sign out");
  await page.getByLabel("API key").waitFor();
  expect(await page.getByRole("navigation").count()).toBe(0);
});

it("offers the action first that the text begins with", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/files`);
  await page.keyboard.press("Control+k");
  const first = page.getByRole("option").first();
  for (const [text, label] of [
    ["rep", "Report"],
    ["run rep", "Run: Report"],
    ["report run", "Report"],
  ] as const) {
    await input(page).fill(text);
    await expect.poll(() => first.innerText()).toBe(label);
    await expect.poll(() => first.getAttribute("aria-selected")).toBe("true");
  }
});

it("holds the actions of the screen", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/workflows/${workflow}?view=outline`);
  await choose(page, "deploy", /^Deploy v1/);
  await page.getByRole("dialog").waitFor();
  expect(await page.getByRole("dialog").innerText()).toMatch(/deploy/i);
});

it("does not offer what the key may not do", async () => {
  const { key } = await server.createKey("workflows:read", "runs:read");
  const { page, go } = await openConsole(browser, server, { key });
  await go(`/apps/${server.app.id}/runs`);
  await page.keyboard.press("Control+k");
  await input(page).fill("new");
  await page.getByText("No action or page matches.").waitFor();
  expect(await page.locator(".command-menu [role=option]").count()).toBe(0);
});

it("a question mark opens the list of keys over the page, but not while somebody types", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  const path = `/apps/${server.app.id}/workflows`;
  await go(path);
  await page.getByRole("searchbox").fill("a");
  await page.keyboard.press("?");
  await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("a?");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "New workflow" }).first().focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Search or run an action").waitFor();
  expect(await faults()).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await focusAt(page, "button", "New workflow");
  expect(new URL(page.url()).pathname).toBe(new URL(server.at(path)).pathname);
});

it("lists the keys of canvas, editor and inbox, and no single letters where they are off", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go("/shortcuts");
  const keysOf = (group: string, does: string) =>
    page
      .locator("section", { has: page.getByRole("heading", { name: group, exact: true }) })
      .locator("dl > div", { hasText: does })
      .locator("dd > *");
  expect(await keysOf("On the canvas", "Add a step after it").allInnerTexts()).toEqual(["A"]);
  expect(await keysOf("On the canvas", "Move the step").allInnerTexts()).toEqual(
    ["↑", "↓", "←", "→"].map((arrow) => `Alt + ${arrow}`),
  );
  expect(await keysOf("In the editor of a workflow", "Redo").allInnerTexts()).toEqual(["Ctrl + Y", "Ctrl + Shift + Z"]);
  expect(await keysOf("In the inbox", "Next entry").allInnerTexts()).toEqual(["J"]);
  expect(await faults()).toEqual([]);
  await go("/settings");
  await page.getByLabel("Single-letter shortcuts").click();
  await go("/shortcuts");
  await page.getByText("Single letters are off.").waitFor();
  expect(await keysOf("On the canvas", "Add a step after it").count()).toBe(0);
  expect(await keysOf("On the canvas", "Rename the step").allInnerTexts()).toEqual(["F2"]);
});
