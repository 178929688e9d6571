/** JSON of which half is typed while a colleague changes the draft: once it is valid again, it has what both have done. */
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { type ConsoleTab, openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const STEP: Step = { type: "code", key: "a", code: "return 1", timeout: 500 };

const letters = (editor: Locator) => editor.evaluate((element: HTMLElement) => element.innerText.replace(/\s/g, ""));

/** Stores another timeout of the step, and waits until the page has taken it over. */
async function changeElsewhere(id: string, { page }: ConsoleTab, timeout: number): Promise<void> {
  const { revision } = await storedDraft(server, id);
  const { app, stepwell } = server;
  const taken = page.waitForResponse(async (response) => {
    if (response.request().method() !== "GET" || !response.url().endsWith("/draft")) return false;
    const draft: unknown = await response.json();
    return JSON.stringify(draft).includes(`"timeout":${timeout}`);
  });
  await stepwell.workflows.putDraft(app.id, id, { steps: [{ ...STEP, timeout }], expected_revision: revision });
  await taken;
}

const storedStep = async (id: string) => (await storedDraft(server, id)).steps[0];

it("a step shows what a colleague has changed, at once or when it is valid again", async () => {
  const { id, path } = await createWorkflow(server, "Step of two", [STEP]);
  const tab = await openConsole(browser, server);
  const { page, go } = tab;
  await go(`${path}?view=outline&step=a`);
  const summary = page.locator("summary", { hasText: "Step as JSON" });
  await summary.click();
  const json = page.locator("details", { has: summary }).locator(".cm-content");
  await expect.poll(() => letters(json)).toContain('"timeout":500');
  await json.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(",");
  await changeElsewhere(id, tab, 901);
  expect(await letters(json)).toContain('"timeout":500');
  await page.keyboard.press("Backspace");
  await expect.poll(() => letters(json)).toContain('"timeout":901');
  expect(await storedStep(id)).toEqual({ ...STEP, timeout: 901 });
  await changeElsewhere(id, tab, 902);
  await expect.poll(() => letters(json)).toContain('"timeout":902');
  // Undo in the field takes back nothing of theirs.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(() => letters(json)).toContain('"timeout":902');
  expect(await storedStep(id)).toEqual({ ...STEP, timeout: 902 });
});

it("a definition keeps what a colleague has changed while half of it was typed", async () => {
  const { id, path } = await createWorkflow(server, "Definition of two", [STEP]);
  const tab = await openConsole(browser, server);
  const { page, go } = tab;
  await go(`${path}?view=json`);
  const json = page.locator(".definition-text .cm-content");
  await expect.poll(() => letters(json)).toContain('"timeout":500');
  await json.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(",");
  await page.getByText("This text is not a definition yet").waitFor();
  await changeElsewhere(id, tab, 901);
  await page.keyboard.press("Backspace");
  await expect.poll(() => letters(json)).toContain('"timeout":901');
  expect(await storedStep(id)).toEqual({ ...STEP, timeout: 901 });
});
