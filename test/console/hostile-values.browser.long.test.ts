/** Values that would break or freeze the console: nested deep, long, wide, inexact, and with characters that nobody sees. */
import type { Page } from "playwright-core";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type InputDefinition, type JsonValue, type Step } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const OUTPUTS: Readonly<Record<string, () => JsonValue>> = {
  list: () => Array.from({ length: 60_000 }, (_, i) => ({ i, s: `v${i}` })),
  text: () => "x".repeat(2_000_000),
  wide: () => Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])),
  hidden: () => ({ "na\u200bme": "a\u202egnp.exe" }),
};
const data = defineService({
  name: "data",
  actions: {
    give: {
      input: v.object({ kind: v.string() }),
      output: v.any(),
      run: async ({ kind }) => OUTPUTS[kind]?.() ?? null,
    },
  },
});

const { browser, server } = await openBrowserAndServer({ services: [data] });

async function deployed(input: InputDefinition, steps: Step[] = []): Promise<string> {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Values", input, steps });
  await stepwell.workflows.deploy(app.id, id);
  return id;
}

async function openForm(input: InputDefinition) {
  const workflow = await deployed(input);
  const tab = await openConsole(browser, server);
  const path = `/apps/${server.app.id}/workflows/${workflow}/new-run`;
  await tab.go(path);
  const runs = async () => (await server.stepwell.runs.list(server.app.id, { workflow_id: workflow })).items.length;
  const json = tab.page.getByLabel("Input as JSON");
  const start = tab.page.getByRole("button", { name: "Start run" });
  return { ...tab, path, runs, json, start };
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("input as JSON", () => {
  it.each([
    [`{"o":{"k":${nested(10_000)}}}`, "This is nested deeper than 100 levels."],
    [`{"o":${nested(10_000)}}`, "This is nested deeper than 100 levels."],
    ["[1]", "This is not a JSON object, so the form stays as it is."],
    ['{"n":', "This is not a JSON object, so the form stays as it is."],
    ['{"n":1e999}', "This number has more digits than can be stored."],
    ['{"n":12345678901234567890}', "This number has more digits than can be stored."],
  ])("starts no run while it is wrong: %s", async (text, message) => {
    const { page, go, path, json, start, runs } = await openForm({
      o: { type: "object", fields: {}, optional: true },
      n: { type: "number", optional: true },
    });
    await json.fill('{"n":5}');
    await json.fill(text);
    await page.getByText(message).waitFor();
    await start.click();
    await expect.poll(() => json.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await runs()).toBe(0);
    await page.getByRole("button", { name: "Go back to the form" }).click();
    await expect.poll(() => json.inputValue()).toBe(JSON.stringify({ n: 5 }, null, 2));
    await go(path);
    await start.waitFor();
    await start.click();
    await page.waitForURL(/\/runs\/run_/);
    const id = page.url().split("/").at(-1) ?? "";
    expect((await server.stepwell.runs.get(server.app.id, id)).input).toEqual({ n: 5 });
  });

  it("may have a list of thousands, of which the form shows the first rows", async () => {
    const { page, json, start } = await openForm({ l: { type: "string", array: true } });
    const l = Array.from({ length: 5_000 }, (_, index) => `x${index}`);
    await json.fill(JSON.stringify({ l }));
    const rows = page.locator(".list-control .rows > li");
    await expect.poll(() => rows.count()).toBe(200);
    await page.getByRole("button", { name: "Load more (4,800)" }).click();
    await expect.poll(() => rows.count()).toBe(400);
    await page.getByRole("button", { name: "Add to l" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest("li")?.value)).toBe(5_001);
    await page.keyboard.type("last");
    await start.click();
    await page.waitForURL(/\/runs\/run_/);
    const id = page.url().split("/").at(-1) ?? "";
    expect((await server.stepwell.runs.get(server.app.id, id)).input).toEqual({ l: [...l, "last"] });
  });
});

/** The most characters of a single text in what the page shows of a value, and how many elements that has. */
const shown = (page: Page) =>
  page.locator(".run-inspector").evaluate((inspector) => {
    const texts = document.createTreeWalker(inspector, NodeFilter.SHOW_TEXT);
    let longest = 0;
    while (texts.nextNode()) longest = Math.max(longest, texts.currentNode.textContent?.length ?? 0);
    return { longest, elements: inspector.querySelectorAll("*").length };
  });

describe("an output", () => {
  async function openOutput(kind: string) {
    const workflow = await deployed({}, [
      { type: "service", key: "give", service: { service: "data", action: "give", input: { kind } } } as Step, // a service step
    ]);
    const { id } = await server.stepwell.runs.create(server.app.id, workflow, {});
    await server.stepwell.runs.wait(server.app.id, id);
    const tab = await openConsole(browser, server);
    await tab.go(`/apps/${server.app.id}/runs/${id}?step=give&tab=output`);
    return tab;
  }

  it.each(["list", "text", "wide"])(
    "that is long takes only as much of the page as is shown of it: %s",
    async (kind) => {
      const { page } = await openOutput(kind);
      const bounded = async () => {
        const { longest, elements } = await shown(page);
        expect(longest).toBeLessThanOrEqual(4_200);
        expect(elements).toBeLessThan(3_000);
      };
      await page.getByRole("button", { name: /^Load all of it/ }).waitFor();
      await bounded();
      await page.getByRole("button", { name: /^Load all of it/ }).click();
      const shapes = page.getByRole("group", { name: "Show as" }).getByRole("button");
      await shapes.first().waitFor();
      for (const shape of await shapes.all()) {
        await shape.click();
        await bounded();
        const more = page.locator(".run-inspector").getByRole("button", { name: "Load more" });
        if ((await more.count()) === 0) continue;
        await more.first().click();
        await bounded();
      }
    },
  );

  it("shows signs for characters that nobody sees", async () => {
    const { page } = await openOutput("hidden");
    await page.getByText('"a\\u202egnp.exe"').waitFor();
    await page.getByText("na\\u200bme").waitFor();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.getByText('"na\\u200bme": "a\\u202egnp.exe"').waitFor();
  });
});

describe("a text in a form", () => {
  it("says which of its characters nobody sees", async () => {
    const { page, json } = await openForm({ file: { type: "string" } });
    await page.getByLabel("file").fill("a\u202egnp.exe");
    await page.getByText("Has characters that are not visible: a⟨U+202E⟩gnp.exe").waitFor();
    expect(await json.inputValue()).toBe('{\n  "file": "a\\u202egnp.exe"\n}');
    await page.getByLabel("file").fill("👩\u200d🚀");
    await page.locator(".hidden-note").waitFor({ state: "detached" });
  });
});

describe("a name", () => {
  it.each([1440, 375])("that is long leaves the page as wide as the window of %i pixels", async (width) => {
    const { stepwell, app } = server;
    const tag = await stepwell.tags.create(app.id, { name: "w".repeat(200), color: "#ff0000" });
    const { id } = await stepwell.collections.create(app.id, { name: `c${width}` });
    const record = await stepwell.records.create(app.id, id, { data: { person: { age: 36 } }, tags: [tag.id] });
    const { page, go } = await openConsole(browser, server, { viewport: { width, height: 800 } });
    const excess = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await go(`/apps/${app.id}/collections/${id}`);
    const link = page.locator(".record-id");
    await link.waitFor();
    const lines = await link.evaluate((id) => new Set([...id.getClientRects()].map(({ top }) => top)).size);
    expect(lines).toBe(1);
    expect(await excess()).toBeLessThanOrEqual(0);
    await go(`/apps/${app.id}/collections/${id}/records/${record.id}`);
    await page.getByTitle(tag.name).first().waitFor();
    expect(await excess()).toBeLessThanOrEqual(0);
    await stepwell.tags.remove(app.id, tag.id);
  });

  it("of which nothing would be seen is the id", async () => {
    const { stepwell, app } = server;
    const { id } = await stepwell.workflows.create(app.id, { name: "\u200b\u2060", steps: [] });
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/workflows`);
    await page.getByRole("link", { name: id }).waitFor();
  });
});
