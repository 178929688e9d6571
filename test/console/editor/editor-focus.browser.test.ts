/** The focus in the editor follows the steps: with the keyboard alone, a person goes on where they were. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { launch } from "../../support/browser/site.ts";
import { type ConsoleServer, openConsoleServer } from "../support/console-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { focusAt } from "../support/focus.ts";
import { chooseKind, createWorkflow, untilFocused, untilStored } from "./open-editor.ts";

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

const STEPS: readonly Step[] = [
  { type: "code", key: "a", code: "return 1", destinations: ["b"] },
  { type: "code", key: "b", code: "return 2", destinations: ["c"] },
  { type: "code", key: "c", code: "return 3" },
];

const stepParam = (page: Page) => new URL(page.url()).searchParams.get("step");

describe.each(["canvas", "outline"])("the %s", (view) => {
  it("takes the focus to the neighbour of a deleted step, and back to it when it returns", async () => {
    const { id, path } = await createWorkflow(server, "Deleted", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}&step=b`);
    await page.locator(`.editor-view [data-step=b]`).focus();
    await page.keyboard.press("Delete");
    await untilFocused(page, "a");
    await untilStored(server, id, ["a", "c"]);
    expect(stepParam(page)).toBe("a");
    await page.keyboard.press("Control+z");
    await untilFocused(page, "b");
    expect(stepParam(page)).toBe("b");
    await page.keyboard.press("Control+y");
    await untilFocused(page, "a");
  });

  it("takes the focus to a step that the toolbar adds", async () => {
    const { path } = await createWorkflow(server, "Added", STEPS);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=${view}&step=c`);
    await page.locator(`.editor-view [data-step=c]`).waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Add step" }).focus();
    await page.keyboard.press("Enter");
    await chooseKind(page, "http");
    await untilFocused(page, "request");
    await page.keyboard.press("Delete");
    await untilFocused(page, "c");
  });
});
