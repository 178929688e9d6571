/** The focus stays where a person works: after the command menu, and after an action of the server. */
import { describe, expect, it } from "vitest";
import { createGate } from "../support/gate.ts";
import { createWorkflow, untilFocused } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt, focusedText } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

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

describe("a button that is busy", () => {
  it("keeps the focus, and sends once", async () => {
    const { page, go } = await openConsole(browser, server);
    await go("/docs/workflows.list");
    const gate = createGate();
    let calls = 0;
    await page.route("**/apps/*/workflows*", async (route) => {
      calls++;
      await gate.released;
      await route.continue();
    });
    await page.getByText("Try it", { exact: true }).click();
    const send = page.getByRole("button", { name: "Send" });
    await send.focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "button[aria-busy=true]", "Send");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    gate.release();
    await page.getByRole("region", { name: "Response" }).waitFor();
    await focusAt(page, "button[aria-busy=false]", "Send");
    expect(calls).toBe(1);
  });

  it("keeps the focus when a record is saved, which the page says", async () => {
    const { stepwell, app } = server;
    const { id } = await stepwell.collections.create(app.id, { name: "People" });
    const record = await stepwell.records.create(app.id, id, { data: { person: { name: "Ada" } } });
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/collections/${id}/records/${record.id}`);
    await page.getByLabel("name", { exact: true }).last().fill("Grace");
    await page.getByRole("button", { name: "Save" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Saved.", { exact: true }).waitFor();
    await focusAt(page, "button", "Save");
    await page.getByLabel("name", { exact: true }).last().fill("Ada");
    await page.getByText("Saved.", { exact: true }).waitFor({ state: "detached" });
  });
});

describe("a refusal by the server", () => {
  it("takes the focus to the field that is wrong, else to the message", async () => {
    const { stepwell, app } = server;
    const { id } = await stepwell.workflows.create(app.id, { name: "Refused", steps: [] });
    await stepwell.workflows.deploy(app.id, id).catch(() => undefined);
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(/Failed to load resource/);
    await go(`/apps/${app.id}/schedules`);
    await page.getByRole("button", { name: "New schedule" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Workflow").selectOption(id);
    await dialog.getByLabel("Time zone").fill("Europe/Nowhere");
    await dialog.getByRole("button", { name: "Create" }).focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "dialog input[aria-invalid=true]");
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe("Europe/Nowhere");
    await page.route("**/schedules", (route) => route.abort());
    await dialog.getByLabel("Time zone").fill("Europe/Berlin");
    await dialog.getByRole("button", { name: "Create" }).focus();
    await page.keyboard.press("Enter");
    await focusAt(page, "dialog .callout");
    expect(await focusedText(page)).toContain("The server cannot be reached.");
  });
});
