/** Names, tags and messages of users that run from right to left do not change the order of what stands around them. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { InputDefinition, Step } from "../../src/index.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { app, stepwell } = server;

/** A letter from right to left, and the mark that turns what follows it. Nothing ends it. */
const MARK = "\u05d0\u202e";
const named = (what: string) => `${what}${MARK}`;

const ASKED: InputDefinition = { ok: { type: "boolean", name: "Approve" } };
const STEPS: readonly Step[] = [
  { type: "input", key: "start", input: {}, destinations: ["approve"] },
  { type: "input", key: "approve", input: ASKED },
];
const FAILING: readonly Step[] = [
  { type: "input", key: "start", input: {}, destinations: ["fail"] },
  { type: "code", key: "fail", code: `throw new Error(${JSON.stringify(named("Broken"))})` },
];

async function deployed(steps: readonly Step[]): Promise<string> {
  const { id } = await stepwell.workflows.create(app.id, { name: named("Loans"), steps: [...steps] });
  await stepwell.workflows.deploy(app.id, id, { notes: named("Notes") });
  return id;
}

const workflowId = await deployed(STEPS);
await stepwell.workflows.rollback(app.id, workflowId, 1);
const run = await stepwell.runs.create(app.id, workflowId, { tags: [named("tag"), named("other")] });
await until(async () => (await stepwell.runs.get(app.id, run.id)).status === "waiting");
const failed = await stepwell.runs.create(app.id, await deployed(FAILING), {});
await stepwell.runs.wait(app.id, failed.id);
const collection = await stepwell.collections.create(app.id, { name: named("People") });
const record = await stepwell.records.create(app.id, collection.id, { data: { person: { name: named("Ann") } } });
await stepwell.records.update(app.id, collection.id, record.id, { data: { person: { name: named("Bob") } } });

/** Texts with the mark that share a line with other texts, and are not isolated from them. */
const mixed = (page: Page) =>
  page.evaluate((mark) => {
    const isInline = (element: Element) => getComputedStyle(element).display.startsWith("inline");
    const isIsolated = (element: Element) => /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi);
    // A box of its own is a paragraph of its own: of one line of a flex container, each part is one.
    const isOwnLine = (element: Element) =>
      !isInline(element) || /flex|grid/.test(getComputedStyle(element.parentElement ?? element).display);
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent ?? "";
      let element = texts.currentNode.parentElement;
      if (!text.includes(mark) || element === null || element.closest("script, style, option, textarea") !== null)
        continue;
      // Isolated by signs within the text.
      if (text.lastIndexOf("\u2068") < text.indexOf(mark) && text.indexOf("\u2069") > text.indexOf(mark)) continue;
      while (!isIsolated(element) && !isOwnLine(element) && element.parentElement !== null)
        element = element.parentElement;
      if (element.textContent?.trim() !== text.trim()) found.push(element.outerHTML.slice(0, 200));
    }
    return found;
  }, MARK[0] ?? "");

const app_ = `/apps/${app.id}`;

describe("what users have named from right to left", () => {
  it.each([
    ["the inbox", `${app_}/inbox`, "tag"],
    ["a waiting step", `${app_}/inbox/${run.id}/approve`, "Loans"],
    ["a run", `${app_}/runs/${run.id}`, "Loans"],
    ["a failed step", `${app_}/runs/${failed.id}?step=fail&tab=error`, "Broken"],
    ["the runs", `${app_}/runs`, "tag"],
    ["the versions", `${app_}/workflows/${workflowId}/versions`, "Notes"],
    ["a version", `${app_}/workflows/${workflowId}/versions/1`, "Notes"],
    ["the overview", app_, "Loans"],
    ["a record", `${app_}/collections/${collection.id}/records/${record.id}`, "People"],
    ["the workflows", `${app_}/workflows`, "Loans"],
    ["the run form", `${app_}/workflows/${workflowId}/new-run`, "Loans"],
  ])("is isolated from the texts around it: %s", async (_, path, shown) => {
    const { page, go } = await openConsole(browser, server);
    await go(path);
    await page.getByText(shown).first().waitFor();
    expect(await mixed(page)).toEqual([]);
  });

  it("is part of the name of a copy without signs that isolate it", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`${app_}/workflows`);
    await page.getByRole("main").getByRole("button", { name: /Loans/ }).first().click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe(`${named("Loans")} (copy)`);
  });

  it("is isolated in a sentence", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`${app_}/collections/${collection.id}/records/${record.id}`);
    await page.getByRole("main").getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const heading = page.getByRole("dialog").getByRole("heading");
    expect(await heading.textContent()).toContain(`\u2068${named("Bob")}\u2069`);
  });

  it("is isolated in the title of the page", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`${app_}/collections/${collection.id}`);
    await expect.poll(() => page.title()).toBe(`\u2068${named("People")}\u2069 · Stepwell`);
  });
});
