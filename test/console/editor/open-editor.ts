/** The editor in a real browser, for its tests. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Definition } from "../../../src/workflows/version.ts";
import type { ConsoleServer } from "../support/console-server.ts";

/** Creates a workflow on the server. */
export async function createWorkflow(server: ConsoleServer, name: string, steps: Definition["steps"] = []) {
  const { id } = await server.stepwell.workflows.create(server.app.id, { name, steps });
  return { id, path: `/apps/${server.app.id}/workflows/${id}` };
}

/** The draft as the server has it. */
export const storedDraft = (server: ConsoleServer, workflowId: string) =>
  server.stepwell.workflows.getDraft(server.app.id, workflowId);

const storedKeys = async (server: ConsoleServer, workflowId: string) =>
  (await storedDraft(server, workflowId)).steps.map(({ key }) => key);

/** Waits until the server has a draft with these steps. */
export const untilStored = (server: ConsoleServer, workflowId: string, keys: readonly string[]) =>
  expect.poll(() => storedKeys(server, workflowId)).toEqual(keys);

/** The key of the step that has the focus. */
const focusedStep = (page: Page) =>
  page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.dataset["step"] : null));

export const untilFocused = (page: Page, key: string) => expect.poll(() => focusedStep(page)).toBe(key);

/** Chooses what a new step does, by typing. */
export async function chooseKind(page: Page, text: string): Promise<void> {
  const search = page.getByRole("combobox", { name: "Type, service or action" });
  await search.fill(text);
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await search.press("Enter");
  await search.waitFor({ state: "detached" });
}

/** What has been written into the draft of a person who opened it anew. */
export const outlineKeys = (page: Page) =>
  page.getByRole("treeitem").evaluateAll((rows) => rows.flatMap((row) => row.getAttribute("data-step") ?? []));
