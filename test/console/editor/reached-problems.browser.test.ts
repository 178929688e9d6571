/** Going from problem to problem with the keyboard: what is typed next changes what is wrong. */
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { focusAt } from "../support/focus.ts";
import { createWorkflow, storedDraft } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const CODE: Step = { type: "code", key: "a", code: "const x = 1;\nreturn x +* 2;" };
const BRANCH: Step = {
  type: "branch",
  key: "a",
  conditions: { large: { order: 1, condition: "true &&", destinations: [] } },
};

it.each([
  ["code", CODE, "// ", "\\n// return x +* 2;"],
  ["branch", BRANCH, " true", '"true && true"'],
] as const)("F8 puts the cursor at the mistake of an open %s step", async (kind, step, typed, mended) => {
  const { id, path } = await createWorkflow(server, `Mistake in a ${kind}`, [step]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=a`);
  await page.locator(".problem-button", { hasText: "1 problem" }).waitFor();
  await page.locator(".step-panel .code-editor-host:not([hidden])").first().waitFor();
  await page.locator(".canvas [data-step=a]").focus();
  await page.keyboard.press("F8");
  await focusAt(page, ".code-editor-host");
  await page.keyboard.type(typed);
  await expect.poll(async () => JSON.stringify(await storedDraft(server, id))).toContain(mended);
});
