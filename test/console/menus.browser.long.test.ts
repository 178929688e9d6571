/** Menus behind buttons, in lists that change, and when the page goes on. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const steps = [{ type: "input", key: "start", input: {} } as const];
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Aged", steps });

/** Pixels between an open menu and its button. */
const gap = (page: Page, name: string) =>
  page.evaluate((wanted) => {
    const menu = document.querySelector("[popover]:popover-open")?.getBoundingClientRect();
    const button = document.querySelector(`button[title="${wanted}"]`)?.getBoundingClientRect();
    return menu === undefined || button === undefined ? null : Math.round(menu.top - button.bottom);
  }, name);

async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("menuitem").first().waitFor();
}

it("stays at its row when others come before it, and closes when its row is scrolled away", async () => {
  const { page, go } = await openConsole(browser, server);
  await page.setViewportSize({ width: 1200, height: 900 });
  await go(`/apps/${app.id}/workflows`);
  await openMenu(page, "Actions of Aged");
  await expect.poll(() => gap(page, "Actions of Aged")).toBe(4);
  for (let at = 0; at < 30; at++) await stepwell.workflows.create(app.id, { name: `Newer ${at}`, steps });
  await page.getByRole("link", { name: "Newer 29" }).waitFor();
  await page.getByRole("menu").waitFor({ state: "hidden" });
  await openMenu(page, "Actions of Newer 29");
  await page.mouse.move(600, 600);
  await page.mouse.wheel(0, 40);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(40);
  await expect.poll(() => gap(page, "Actions of Newer 29")).toBe(4);
  await page.mouse.wheel(0, 2_000);
  await page.getByRole("menu").waitFor({ state: "hidden" });
});

it("closes when somebody goes back", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/files`);
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await page.locator("header [aria-haspopup=menu]").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
  await page.getByRole("menu").waitFor({ state: "hidden" });
});

it("shows why an item is refused, also in the command menu, which keeps it out of the way of others", async () => {
  await stepwell.workflows.deploy(app.id, workflow);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${workflow}?view=outline`);
  await page.locator('button[title="Nothing has changed since version 1."]').waitFor();
  await page.keyboard.press("Control+k");
  const refused = page.getByRole("option", { name: /Nothing has changed since version 1\./ });
  await page.getByRole("option", { name: "Settings", exact: true }).waitFor();
  expect(await refused.count()).toBe(0);
  await page.keyboard.type("deploy");
  await refused.waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("status").filter({ hasText: "1 result" }).count()).toBe(1);
  expect(await page.locator(".command-menu").isVisible()).toBe(true);
  expect(await page.getByRole("dialog").count()).toBe(1);
});

it("leaves the last run of a workflow on its card on a phone", async () => {
  const { id } = await stepwell.workflows.create(app.id, { name: "On a phone", steps });
  await stepwell.workflows.deploy(app.id, id);
  await stepwell.runs.create(app.id, id, {});
  const { page, go } = await openConsole(browser, server, { viewport: { width: 390, height: 780 } });
  await go(`/apps/${app.id}/workflows?search=phone`);
  await page
    .getByRole("row", { name: /On a phone/ })
    .getByText("Succeeded")
    .waitFor();
});
