/** Text that is no JSON yet: it is stored nowhere, so that somebody is asked before it is lost. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

/** What the browser says of requests that fail. */
const FAILED = /Failed to load resource/;

const STEPS = [
  { type: "code", key: "a", code: "return 1", output: { type: "number" } },
  { type: "code", key: "b", code: "return 2" },
] as const;

/** Until the fields for code have their editors, which take the place of what was there to type into. */
const untilEditors = (page: Page) =>
  page.waitForFunction(() => document.querySelector(".code-editor > textarea") === null);

/** Refuses the first question that is asked, and accepts the second. */
function answerQuestions(page: Page): readonly string[] {
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return questions.length === 1 ? dialog.dismiss() : dialog.accept();
  });
  return questions;
}

it("of the whole definition is kept in its view, or given up by who says so", async () => {
  const { path } = await createWorkflow(server, "Half a definition", STEPS);
  const { page, go, faults } = await openConsole(browser, server);
  const questions = answerQuestions(page);
  await go(`${path}?view=json`);
  await page.getByRole("textbox", { name: "Definition" }).waitFor();
  await untilEditors(page);
  const text = page.getByRole("textbox", { name: "Definition" });
  await text.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("half typed");
  await page.getByText("This text is not a definition yet").waitFor();
  const outline = page.getByRole("button", { name: "Outline", exact: true });
  await outline.click();
  await expect.poll(() => questions.length).toBe(1);
  expect(await text.textContent()).toContain("half typed");
  await outline.click();
  await page.getByRole("tree").waitFor();
  expect(questions).toEqual(Array(2).fill("There are changes that are not saved. Discard them?"));
  expect(await faults()).toEqual([]);
});

it("of a field keeps its step open, or is given up by who says so", async () => {
  const { id, path } = await createWorkflow(server, "Half a schema", STEPS);
  const { page, go, faults } = await openConsole(browser, server);
  const questions = answerQuestions(page);
  await go(`${path}?view=outline&step=a`);
  const schema = page.getByRole("textbox", { name: "Schema of the output" });
  await schema.waitFor();
  await untilEditors(page);
  await schema.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("half typed");
  await page
    .getByText(/not valid JSON/)
    .filter({ visible: true })
    .first()
    .waitFor();
  const other = page.getByRole("treeitem", { name: /^b / });
  const chosen = () => new URL(page.url()).searchParams.get("step");
  await other.click();
  await expect.poll(() => questions.length).toBe(1);
  expect(chosen()).toBe("a");
  await expect
    .poll(async () => {
      await other.click();
      return chosen();
    })
    .toBe("b");
  expect(questions).toHaveLength(2);
  expect((await storedDraft(server, id)).steps).toEqual(STEPS);
  expect(await faults()).toEqual([]);
});

it("of what others have changed is compared once somebody has left the field", async () => {
  const { id, path } = await createWorkflow(server, "Typed on", STEPS);
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(FAILED);
  await go(`${path}?view=outline&step=a`);
  const code = page.getByRole("textbox", { name: "Code", exact: true });
  await code.waitFor();
  await untilEditors(page);
  await page.route("**/draft", (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  await server.stepwell.workflows.putDraft(server.app.id, id, { steps: [{ ...STEPS[0], code: "return 3" }, STEPS[1]] });
  await code.focus();
  await page.keyboard.type("// mine ");
  // The page hears of it by its own change.
  await page.unroute("**/draft");
  await page.locator(".saved-sign.clash").waitFor();
  await page.keyboard.type("goes on");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await code.textContent()).toContain("goes on");
  await page.getByRole("heading", { level: 1 }).click();
  await page.getByRole("dialog", { name: "Somebody else changed this draft" }).waitFor();
});

it("of a field is kept when its step is renamed, and nothing is asked when the step is deleted", async () => {
  const { id, path } = await createWorkflow(server, "Half and renamed", STEPS);
  const { page, go } = await openConsole(browser, server);
  const questions = answerQuestions(page);
  await go(`${path}?view=outline&step=a`);
  const schema = page.getByRole("textbox", { name: "Schema of the output" });
  await schema.waitFor();
  await untilEditors(page);
  await schema.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("half typed");
  const chosen = () => new URL(page.url()).searchParams.get("step");
  const key = page.getByRole("textbox", { name: "Key", exact: true });
  await key.fill("renamed");
  await key.press("Enter");
  await expect.poll(chosen).toBe("renamed");
  expect(await schema.textContent()).toContain("half typed");
  await page.getByRole("treeitem", { name: /^renamed / }).focus();
  await page.keyboard.press("Delete");
  await expect.poll(chosen).toBe("b");
  await expect.poll(async () => (await storedDraft(server, id)).steps.map((step) => step.key)).toEqual(["b"]);
  expect(questions).toEqual([]);
});

it("of the whole definition stays while problems of the draft are looked at", async () => {
  const { path } = await createWorkflow(server, "Half and wrong", [
    STEPS[0],
    { type: "code", key: "b", code: "return (" },
  ]);
  const { page, go } = await openConsole(browser, server);
  const questions = answerQuestions(page);
  await go(`${path}?view=json`);
  await page.getByRole("button", { name: "1 problem" }).waitFor();
  await untilEditors(page);
  const text = page.getByRole("textbox", { name: "Definition" });
  await text.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("half typed");
  await page.getByText("This text is not a definition yet").waitFor();
  await page.keyboard.press("F8");
  await expect.poll(() => new URL(page.url()).searchParams.get("step")).toBe("b");
  expect(await text.textContent()).toContain("half typed");
  expect(questions).toEqual([]);
});

it("of the whole definition is neither called saved, nor run or deployed", async () => {
  const { path } = await createWorkflow(server, "Half and run", STEPS);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`${path}?view=json`);
  await page.locator(".problem-button", { hasText: "No problems" }).waitFor();
  await untilEditors(page);
  await page.getByRole("textbox", { name: "Definition" }).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("x");
  for (const sign of [".saved-sign", ".problem-button"])
    await page.locator(sign, { hasText: "JSON has errors, not saved" }).waitFor();
  const buttons = ["Run", "Deploy v1…"].map((name) => page.getByRole("button", { name, exact: true }));
  for (const button of buttons) {
    expect(await button.getAttribute("title")).toContain("it is not part of the draft");
    await button.click({ force: true });
  }
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(new URL(page.url()).pathname).not.toContain("new-run");
  await page.getByRole("textbox", { name: "Definition" }).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("Delete");
  await page.locator(".problem-button", { hasText: "No problems" }).waitFor();
  for (const button of buttons) expect(await button.getAttribute("aria-disabled")).toBe("false");
  expect(await faults()).toEqual([]);
});
