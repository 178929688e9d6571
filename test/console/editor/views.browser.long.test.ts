/** The views of a draft: each does with the steps what it shows, and draws what several changes at once have made of it. */
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, outlineKeys, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, more: Partial<Step> = {}): Step =>
  ({ type: "code", key, code: "return 1", ...more }) as Step; // a code step

it("the outline cuts the step that is chosen there, not the one that was selected on the canvas", async () => {
  const steps = [code("a", { destinations: ["b"] }), code("b", { destinations: ["c"] }), code("c")];
  const { id, path } = await createWorkflow(server, "Cut", steps);
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, go } = await openConsole(browser, server, { permissions });
  await go(`${path}?view=canvas`);
  await page.locator('[data-step="a"]').click();
  await page.locator(".react-flow__node.selected").waitFor();
  await page.getByRole("button", { name: "Outline" }).click();
  await page.getByRole("treeitem", { name: /^b / }).click();
  await page.keyboard.press("Control+x");
  await untilStored(server, id, ["a", "c"]);
  expect(await outlineKeys(page)).toEqual(["a", "c"]);
});

it("the canvas draws the edges of ports that come back in the same frame as another change", async () => {
  const branch: Step = {
    type: "branch",
    key: "size",
    conditions: { large: { condition: "input.large", destinations: ["b"], order: 1 } },
    else: ["c"],
  };
  const steps = [branch, code("b"), code("c", { display: "expanded" })];
  const { path } = await createWorkflow(server, "Ports", steps);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  const edges = page.locator(".react-flow__edge path.canvas-edge");
  await expect.poll(() => edges.count()).toBe(2);
  // Two changes: a step looks different; then a condition goes, and with it its port.
  await page.locator('[data-step="c"]').click();
  const panel = page.locator(".step-panel");
  await panel.getByText("Look", { exact: true }).click();
  await panel.getByLabel("Shown as").selectOption("collapsed");
  await page.locator('[data-step="size"]').click();
  await panel.getByRole("button", { name: "Remove large" }).click();
  await expect.poll(() => edges.count()).toBe(1);
  await page.getByRole("button", { name: "Undo (Ctrl Z)" }).evaluate(async (undo) => {
    await new Promise<void>((done) => {
      requestAnimationFrame(async () => {
        // React draws after the tasks of a click, and before the next frame.
        for (let clicks = 0; clicks < 2; clicks++) {
          (undo as HTMLElement).click();
          for (let ticks = 0; ticks < 20; ticks++) await null;
        }
        done();
      });
    });
  });
  await expect.poll(() => edges.count()).toBe(2);
});
