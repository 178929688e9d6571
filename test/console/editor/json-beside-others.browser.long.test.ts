/** JSON of which half is typed while a colleague changes the draft: once it is valid again, it has what both have done. */
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const STEP = { type: "code", key: "a", code: "return 1", timeout: 500 } as const satisfies Step;

const letters = (editor: Locator) => editor.evaluate((element: HTMLElement) => element.innerText.replace(/\s/g, ""));

/** A workflow with one step, whose draft is the version that is deployed: the page says so when a colleague changes it. */
async function open(name: string, query: string) {
  const { id, path } = await createWorkflow(server, name, [STEP]);
  const { app, stepwell } = server;
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?${query}`);
  return {
    id,
    page,
    async changeElsewhere(timeout: number): Promise<void> {
      const { revision } = await storedDraft(server, id);
      const changed: Step = { ...STEP, timeout };
      await stepwell.workflows.putDraft(app.id, id, { steps: [changed], expected_revision: revision });
      await page.getByText("1 change since v1").waitFor();
    },
  };
}

const storedStep = async (id: string) => (await storedDraft(server, id)).steps[0];

it("a step shows what a colleague has changed, at once or when it is valid again", async () => {
  const { id, page, changeElsewhere } = await open("Step of two", "view=outline&step=a");
  const summary = page.locator("summary", { hasText: "Step as JSON" });
  await summary.click();
  const json = page.locator("details", { has: summary }).locator(".cm-content");
  await expect.poll(() => letters(json)).toContain('"timeout":500');
  await json.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(",");
  await changeElsewhere(901);
  expect(await letters(json)).toContain('"timeout":500');
  await page.keyboard.press("Backspace");
  await expect.poll(() => letters(json)).toContain('"timeout":901');
  expect(await storedStep(id)).toEqual({ ...STEP, timeout: 901 });
  await changeElsewhere(902);
  await expect.poll(() => letters(json)).toContain('"timeout":902');
  // Undo in the field takes back nothing of theirs.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(() => letters(json)).toContain('"timeout":902');
  expect(await storedStep(id)).toEqual({ ...STEP, timeout: 902 });
});

it("a definition keeps what a colleague has changed while half of it was typed", async () => {
  const { id, page, changeElsewhere } = await open("Definition of two", "view=json");
  const json = page.locator(".definition-text .cm-content");
  await expect.poll(() => letters(json)).toContain('"timeout":500');
  await json.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(",");
  await page.getByText("This text is not a definition yet").waitFor();
  await changeElsewhere(901);
  await page.keyboard.press("Backspace");
  await expect.poll(() => letters(json)).toContain('"timeout":901');
  expect(await storedStep(id)).toEqual({ ...STEP, timeout: 901 });
});
