/** Somebody types into the fields of a step: no key is lost, and an expression without braces is offered with them. */
import { expect, it } from "vitest";
import type { Step } from "../../../src/index.ts";
import { createWorkflow, storedDraft, untilStored } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { untilEditors } from "../support/editors.ts";

const { browser, server } = await openBrowserAndServer();

const START: Step = {
  type: "input",
  key: "start",
  input: {
    borrower: { type: "string" },
  },
  destinations: ["next"],
};

/** Opens the panel of the step `key`. */
async function openStep(key: string, next: Step) {
  const { id, path } = await createWorkflow(server, "Typed", [START, next]);
  const tab = await openConsole(browser, server);
  await tab.go(`${path}?view=outline&step=${key}`);
  await untilEditors(tab.page);
  const stored = async () => (await storedDraft(server, id)).steps.find((step) => step.key === key);
  return { ...tab, stored };
}

const REQUEST: Step = { type: "http_request", key: "next", url: "" };
it("braces in a plain value make it an expression, and no key is lost", async () => {
  const { page, stored } = await openStep("next", REQUEST);
  const url = "https://a.example/?n={{ input.borrower }}&m={{ run.id }}";
  await page.getByRole("textbox", { name: "URL" }).click();
  await page.keyboard.type(url);
  await expect.poll(stored).toMatchObject({ url });
  // Without its braces, the text stays in the editor.
  await page.keyboard.press("Control+A");
  await page.keyboard.type("ab {{ 1 }}");
  await expect.poll(stored).toMatchObject({ url: "ab {{ 1 }}" });
});

it("the caret stays in the middle of a text where braces are typed", async () => {
  const { page, stored } = await openStep("next", { ...REQUEST, url: "https://a.example//end" });
  await page.getByRole("textbox", { name: "URL" }).click();
  await page.keyboard.press("End");
  for (let at = 0; at < 4; at++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("{{ run.id }}");
  await expect.poll(stored).toMatchObject({ url: "https://a.example/{{ run.id }}/end" });
});

it("an expression without braces is offered with them", async () => {
  const { page, stored, faults } = await openStep("next", REQUEST);
  await page.getByRole("group", { name: "How “URL” is given" }).getByRole("button", { name: "Expression" }).click();
  await untilEditors(page);
  await page.getByRole("textbox", { name: "URL" }).click();
  await page.keyboard.type("input.borrower");
  expect(await faults()).toEqual([]);
  await page.getByRole("button", { name: "Write {{ input.borrower }}" }).click();
  await expect.poll(stored).toMatchObject({ url: "{{ input.borrower }}" });
  await page.keyboard.type("/a");
  await expect.poll(stored).toMatchObject({ url: "{{ input.borrower }}/a" });
});

it("completion adds the braces of an expression", async () => {
  const { page, stored } = await openStep("next", REQUEST);
  await page.getByRole("group", { name: "How “URL” is given" }).getByRole("button", { name: "Expression" }).click();
  await untilEditors(page);
  await page.getByRole("textbox", { name: "URL" }).click();
  await page.keyboard.type("input.bor");
  await page.getByRole("option", { name: "input.borrower" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(stored).toMatchObject({ url: "{{ input.borrower }}" });
});

it("an expression without braces in a plain value is offered with them, and the focus goes on in it", async () => {
  const { page, stored } = await openStep("next", { ...REQUEST, url: "input.borrower" });
  await page.getByRole("button", { name: "Write {{ input.borrower }}" }).click();
  await page.keyboard.type("/a");
  await expect.poll(stored).toMatchObject({ url: "{{ input.borrower }}/a" });
});

it("tabs leave arrows with other keys to the browser", async () => {
  const { page } = await openStep("next", REQUEST);
  const settings = page.getByRole("tab", { name: "Settings" });
  await settings.focus();
  await page.keyboard.press("Control+ArrowRight");
  await page.keyboard.press("Meta+ArrowRight");
  await expect.poll(() => settings.getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Data", selected: true }).waitFor();
});

it("a step that is typed as JSON stands while its new key is saved", async () => {
  const { id, path } = await createWorkflow(server, "Typed", [
    { type: "code", key: "first", code: "return 1", timeout: 10 },
  ]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=first`);
  const summary = page.locator("summary", { hasText: "Step as JSON" });
  await summary.click();
  const json = page.locator("details", { has: summary }).locator(".cm-content");
  const shown = () => json.evaluate((element: HTMLElement) => element.innerText.replace(/\s/g, ""));
  await expect.poll(shown).toContain('"timeout":10');
  await page.getByLabel("Key", { exact: true }).fill("begin");
  await json.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type('{"type":"code"');
  await untilStored(server, id, ["begin"]);
  await page.locator(".saved-sign", { hasText: "Saved" }).waitFor();
  // The brace is closed by the editor.
  expect(await shown()).toBe('{"type":"code"}');
  await page.keyboard.type(',"key":"first","code":"return 3"');
  expect(await shown()).toBe('{"type":"code","key":"first","code":"return3"}');
  await expect
    .poll(async () => (await storedDraft(server, id)).steps)
    .toEqual([{ type: "code", key: "begin", code: "return 3" }]);
  expect(await shown()).toBe('{"type":"code","key":"first","code":"return3"}');
  // Once the editor is left, it shows the step as it is.
  await page.getByLabel("Key", { exact: true }).focus();
  await expect.poll(shown).toBe('{"type":"code","key":"begin","code":"return3"}');
});
