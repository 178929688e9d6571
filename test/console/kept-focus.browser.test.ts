/** The focus stays where a person works: after the command menu. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, inject, it } from "vitest";
import { launch } from "../support/browser/site.ts";
import { createWorkflow, untilFocused } from "./editor/open-editor.ts";
import { type ConsoleServer, openConsoleServer } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

let browser: Browser;
let server: ConsoleServer;
beforeAll(async () => {
  browser = await launch(inject("headlessShell"));
  server = await openConsoleServer();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("the command menu", () => {
  it("gives the focus back to what had it, also after a dialog that it has opened", async () => {
    const { path } = await createWorkflow(server, "Kept", [{ type: "code", key: "a", code: "return 1" }]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=canvas&step=a`);
    await page.locator("[data-step=a]").focus();
    await page.keyboard.press("Control+k");
    await focusAt(page, ".command-menu input");
    await page.keyboard.press("Escape");
    await untilFocused(page, "a");
    await page.keyboard.press("Control+k");
    await page.locator(".command-menu input").fill("deploy");
    await page.getByRole("option", { name: /^Deploy v1/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Deploy version 1" }).waitFor();
    await page.keyboard.press("Escape");
    await untilFocused(page, "a");
    await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await focusAt(page, "nav a", "Schedules");
  });

  it("leads to the content of another page", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/workflows`);
    await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).focus();
    await page.keyboard.press("Control+k");
    await page.locator(".command-menu input").fill("connections");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
    await focusAt(page, "#content, h1");
  });
});
