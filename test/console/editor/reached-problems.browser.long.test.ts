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

it("F8 goes from step to step in their order, as the list shows them", async () => {
  const input: Step = { type: "input", key: "a", input: {}, destinations: ["b"] };
  const code = (key: string, more: Partial<Step>): Step =>
    Object.assign<Step, Partial<Step>>({ type: "code", key, code: "return" }, more);
  const { path } = await createWorkflow(server, "Three mistakes", [
    input,
    code("b", { conditional: "1 +", destinations: ["c"] }),
    code("c", { destinations: ["nowhere"] }),
    code("d", { destinations: ["e"] }),
    code("e", { conditional: "2 +" }),
  ]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  const button = page.locator(".problem-button", { hasText: "3 problems" });
  await button.click();
  const places = page.locator(".problem-list .problem .problem-place");
  await expect.poll(() => places.allTextContents()).toEqual(["b", "c", "e"]);
  for (const key of ["b", "c", "e", "b"]) {
    await page.keyboard.press("F8");
    await page.getByRole("complementary", { name: `Step ${key}` }).waitFor();
  }
});
