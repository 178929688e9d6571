/** The list of values that can be inserted into a field. */
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { createWorkflow, storedDraft } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("stays in the window while its parts are opened, and offers the text of a file", async () => {
  const steps: Step[] = [
    { type: "input", key: "start", input: { document: { type: "file", extract_contents: true } }, destinations: ["a"] },
    { type: "code", key: "a", code: "return 1" },
  ];
  const { path } = await createWorkflow(server, "Values", steps);
  const { page, go } = await openConsole(browser, server, { viewport: { width: 1280, height: 640 } });
  await go(`${path}?view=outline&step=a`);
  await page.getByRole("button", { name: "Insert a value" }).first().click();
  const list = page.getByRole("dialog", { name: "Insert a value" });
  for (const part of ["document", "0", "run", "app", "steps"]) {
    const toggle = list.getByRole("button", { name: part, exact: true }).first();
    await toggle.waitFor();
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  }
  await list.getByRole("button", { name: "Insert input.document[0].contents" }).waitFor();
  await list.getByRole("button", { name: "Insert now" }).scrollIntoViewIfNeeded();
  for (const shown of [list, list.getByRole("button", { name: "Insert now" })]) {
    const box = await shown.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(640);
  }
});

it("is opened, read and closed with keys alone", async () => {
  const steps: Step[] = [
    { type: "input", key: "start", input: { amount: { type: "number" } }, destinations: ["a"] },
    { type: "code", key: "a", code: "" },
  ];
  const { id, path } = await createWorkflow(server, "Keys", steps);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=a`);
  const open = page.getByRole("button", { name: "Insert a value" }).first();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await open.press("Enter");
  await expect.poll(focused).toBe("Insert input");
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("Insert a value");
  await page.getByRole("dialog", { name: "Insert a value" }).waitFor({ state: "hidden" });
  await open.press("Enter");
  await expect.poll(focused).toBe("Insert input");
  await page.keyboard.press("ArrowRight");
  await expect.poll(focused).toBe("Insert input.amount");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(focused).toBe("Insert input");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "Insert input.amount" }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("Insert input.amount");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await storedDraft(server, id)).steps[1]).toMatchObject({ code: "input.amount" });
});
