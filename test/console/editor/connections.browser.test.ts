/** Steps are connected and disconnected without a pointer, and screen readers learn of it. */
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const STEPS: readonly Step[] = [
  { type: "code", key: "a", code: "return 1", destinations: ["b"] },
  { type: "code", key: "b", code: "return 2", destinations: ["c"] },
  { type: "code", key: "c", code: "return 3" },
];

it("says that steps were connected and disconnected", async () => {
  const { id, path } = await createWorkflow(server, "Connections", STEPS);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=a`);
  const said = page.locator(".announced");
  const panel = page.getByRole("complementary", { name: "Step a" });
  await panel.getByRole("button", { name: "Choose a step…" }).press("Enter");
  await page.getByRole("option", { name: /^c\b/ }).waitFor();
  await page.keyboard.type("c");
  await page.keyboard.press("Enter");
  await expect.poll(() => said.innerText()).toBe("Connected with c.");
  await panel.getByRole("button", { name: "Disconnect: b" }).press("Enter");
  await expect.poll(() => said.innerText()).toBe("Disconnected from b.");
  await panel.getByRole("button", { name: "Remove c" }).press("Enter");
  await expect.poll(() => said.innerText()).toBe("Disconnected from c.");
  const stored = async () => (await server.stepwell.workflows.getDraft(server.app.id, id)).steps[0]?.destinations ?? [];
  await expect.poll(stored).toEqual([]);
});
