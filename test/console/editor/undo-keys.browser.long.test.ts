/** The keys that undo, in fields: first what was typed there, else the last change of the draft, and never what others did. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const CODE: Step = { type: "code", key: "a", code: "return 1" };
const BRANCH: Step = { type: "branch", key: "sort", conditions: {} };

/** Changes the first step of a draft, as somebody else does. */
async function changeElsewhere(id: string, change: (step: Step) => Step): Promise<void> {
  const { steps, revision } = await storedDraft(server, id);
  const changed = steps.map((step, at) => (at === 0 ? change(step) : step));
  await server.stepwell.workflows.putDraft(server.app.id, id, { steps: changed, expected_revision: revision });
}

const withCode = (change: (code: string) => string) => (step: Step) =>
  step.type === "code" ? { ...step, code: change(step.code) } : step;

const storedCode = async (id: string) => {
  const [step] = (await storedDraft(server, id)).steps;
  return step?.type === "code" ? step.code : undefined;
};

it("keeps the step chosen whose rename is undone and redone", async () => {
  const { path } = await createWorkflow(server, "Names", [CODE]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=a`);
  const key = page.getByLabel("Key", { exact: true });
  await key.fill("first");
  await key.press("Tab");
  const chosen = () => new URL(page.url()).searchParams.get("step");
  await expect.poll(chosen).toBe("first");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(chosen).toBe("a");
  await expect.poll(() => key.inputValue()).toBe("a");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect.poll(chosen).toBe("first");
  await expect.poll(() => key.inputValue()).toBe("first");
});

describe("undo in the code of a step", () => {
  it("takes back what was typed, and leaves what a colleague has written since", async () => {
    const { id, path } = await createWorkflow(server, "Code of two", [CODE]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    const code = page.locator(".step-editor .cm-content").first();
    await code.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" + 1");
    await expect.poll(() => storedCode(id)).toBe("return 1 + 1");
    await page.getByText(/^Saved \d/).waitFor();
    await changeElsewhere(
      id,
      withCode((before) => `/* colleague */ ${before}`),
    );
    await expect.poll(() => code.textContent()).toBe("/* colleague */ return 1 + 1");
    await code.click();
    await page.keyboard.press("Control+z");
    await expect.poll(() => storedCode(id)).toBe("/* colleague */ return 1");
    await page.keyboard.press("Control+y");
    await expect.poll(() => storedCode(id)).toBe("/* colleague */ return 1 + 1");
  });

  it("undoes the last change of the draft if nothing was typed there", async () => {
    const { id, path } = await createWorkflow(server, "Code of others", [CODE]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    const code = page.locator(".step-editor .cm-content").first();
    await changeElsewhere(
      id,
      withCode(() => "return 42"),
    );
    await expect.poll(() => code.textContent()).toBe("return 42");
    await code.click();
    await page.keyboard.press("Control+z");
    const panel = page.getByRole("complementary", { name: "Step a" });
    await panel.getByText("Look", { exact: true }).click();
    await panel.getByLabel("Shown as").selectOption("collapsed");
    const collapsed = { ...CODE, code: "return 42", display: "collapsed" as const };
    await expect.poll(async () => (await storedDraft(server, id)).steps).toEqual([collapsed]);
    await code.click();
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await storedDraft(server, id)).steps).toEqual([{ ...CODE, code: "return 42" }]);
    expect(await code.textContent()).toBe("return 42");
  });
});

it("takes back the new name of a step, whose next step a colleague has renamed since", async () => {
  const row = (a: string, b: string): Step[] => [
    { ...CODE, key: a, destinations: [b] },
    { ...CODE, key: b },
  ];
  const { id, path } = await createWorkflow(server, "Names of two", row("a", "b"));
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=a`);
  const key = page.getByLabel("Key", { exact: true });
  await key.fill("aaa");
  await key.press("Enter");
  await untilStored(server, id, ["aaa", "b"]);
  await page.getByText(/^Saved \d/).waitFor();
  const { revision } = await storedDraft(server, id);
  const steps = row("aaa", "bbb");
  await server.stepwell.workflows.putDraft(server.app.id, id, { steps, expected_revision: revision });
  await page.getByRole("treeitem", { name: /^bbb / }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await untilStored(server, id, ["a", "bbb"]);
  expect((await storedDraft(server, id)).steps).toEqual(row("a", "bbb"));
});

describe("undo in the name of a condition", () => {
  it("removes the condition that was just added, and else takes back what was typed", async () => {
    const { path } = await createWorkflow(server, "Conditions", [BRANCH]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=sort`);
    const panel = page.getByRole("complementary", { name: "Step sort" });
    const name = panel.getByLabel("Name of condition 1", { exact: true });
    await panel.getByRole("button", { name: "Add a condition" }).click();
    // The new condition has the focus.
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+z");
    await name.waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Add a condition" }).click();
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    const before = await name.inputValue();
    await page.keyboard.type("x");
    await expect.poll(() => name.inputValue()).not.toBe(before);
    await page.keyboard.press("Control+z");
    await expect.poll(() => name.inputValue()).toBe(before);
  });
});
