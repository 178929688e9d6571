/** Outputs of which the page reads only the start: a tree that says where it is cut, and more of it when asked for. */
import type { Page } from "playwright-core";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type JsonValue, type Step } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const LEVELS = 60;
const ROWS = 4_000;

const deep = (levels: number, inner: JsonValue): JsonValue => (levels === 0 ? inner : [deep(levels - 1, inner)]);
const OUTPUTS: Readonly<Record<string, () => JsonValue>> = {
  rows: () => ({
    page: 1,
    rows: Array.from({ length: ROWS }, (_, id) => ({ id, name: `Row ${id}`, note: "n".repeat(1_000) })),
    after: true,
  }),
  keys: () => Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key ${n}`, n])),
  deep: () => deep(LEVELS, "x".repeat(300_000)),
  text: () => "\ud800é".repeat(2_500_000),
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
const give = (kind: string): Step =>
  ({ type: "service", key: kind, service: { service: "data", action: "give", input: { kind } } }) as Step; // a service step

const { browser, server } = await openBrowserAndServer({ services: [data] });
const { stepwell, app } = server;
const { id: workflow } = await stepwell.workflows.create(app.id, {
  name: "Long",
  steps: Object.keys(OUTPUTS).map(give),
});
await stepwell.workflows.deploy(app.id, workflow);
const { id: run } = await stepwell.runs.create(app.id, workflow);
await stepwell.runs.wait(app.id, run);

async function openOutput(kind: string) {
  const tab = await openConsole(browser, server);
  await tab.go(`/apps/${server.app.id}/runs/${run}?step=${kind}&tab=output`);
  const tree = tab.page.locator(".run-inspector .json-view");
  await tree.waitFor();
  return { ...tab, tree, marks: tree.locator(".cut-note") };
}

/** The part of the tree with the focus. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe("an output that is cut", () => {
  it("is a tree whose marks say where it is cut, and which keys open and extend", async () => {
    const { page, tree, marks, faults } = await openOutput("rows");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().split("?").at(-1) ?? ""));
    await expect
      .poll(() => marks.allInnerTexts())
      .toEqual([expect.stringMatching(/^Cut off here: 2 items, 256 KiB of/)]);
    await tree.getByText("page:").waitFor();
    const rows = tree.locator("summary").filter({ hasText: "rows:" });
    expect(await rows.innerText()).toMatch(/^rows: \[2\d\d\+\]$/);
    await rows.focus();
    await page.keyboard.press("Enter");
    await tree.getByRole("button", { name: /^Load more \(1\d\d\)$/ }).waitFor();
    expect(await faults()).toEqual([]);

    // The next start is four times as long. Nothing closes meanwhile, and the focus stays in the tree.
    await marks.getByRole("button", { name: "Load more" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^Showing the first 1 MiB of/).waitFor();
    expect(await rows.innerText()).toMatch(/^rows: \[1,0\d\d\+\]$/);
    expect(asked.filter((query) => query.includes("preview"))).toEqual(["preview=1048576"]);
    await tree.getByRole("button", { name: /^Load more \(9\d\d\)$/ }).waitFor();
    expect(await focused(page)).toBe("{2+}");

    await page.getByRole("button", { name: /^Load all of it/ }).click();
    await tree.getByText("after:").waitFor();
    expect(await marks.count()).toBe(0);
  });

  it("is marked in the list or object in which its end lies, too", async () => {
    const { tree, marks } = await openOutput("rows");
    await tree.locator("summary").filter({ hasText: "rows:" }).click();
    // Of the 2xx rows that came, one hundred are shown at first, and one hundred more each time.
    for (const left of [/^Load more \(1\d\d\)$/, /^Load more \(\d\d\)$/])
      await tree.getByRole("button", { name: left }).click();
    const last = tree.locator(".entries .entries > .parent").last();
    await expect.poll(() => last.locator("summary").innerText()).toMatch(/^2\d\d: \{\d\+\}$/);
    await last.locator("summary").click();
    await expect.poll(() => marks.count()).toBe(2);
    await expect
      .poll(() => last.locator(".cut-note").innerText())
      .toMatch(/^Cut off here: [\d,]+ (items?|characters?), 256 KiB of/);
  });

  it("is shown as it is written, and saved as a whole", async () => {
    const { page, tree } = await openOutput("keys");
    expect(await tree.locator("summary").first().innerText()).toMatch(/^\{1\d,\d{3}\+\}$/);
    expect(await tree.locator(".leaf").count()).toBe(100);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await saving).createReadStream()) chunks.push(chunk);
    expect(JSON.parse(Buffer.concat(chunks).toString("utf8"))).toEqual(OUTPUTS["keys"]?.());
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.locator(".run-inspector .long-text").getByText('{"key 0":0,"key 1":1,').waitFor();
    expect(await tree.count()).toBe(0);
  });

  it("may be nested deep", async () => {
    const { page, tree, marks, faults } = await openOutput("deep");
    const levels = tree.locator("summary");
    await levels.nth(2).waitFor();
    for (let level = 3; level <= LEVELS; level++) {
      await levels.nth(level - 1).focus();
      await page.keyboard.press("Enter");
      await (level === LEVELS ? tree.locator(".leaf") : levels.nth(level)).waitFor();
    }
    expect(await levels.count()).toBe(LEVELS);
    expect(await marks.allInnerTexts()).toEqual([
      expect.stringMatching(/^Cut off here: 262,\d{3} characters, 256 KiB of/),
      expect.stringMatching(/^Cut off here: 1 item, 256 KiB of/),
    ]);
    expect(await faults()).toEqual([]);
  });

  it("may be a text of megabytes with half characters", async () => {
    const { page, tree, marks } = await openOutput("text");
    await tree.getByText('"\\ud800é\\ud800é').waitFor();
    await expect.poll(() => marks.innerText()).toMatch(/^Cut off here: 65,\d{3} characters, 256 KiB of 4.8 MiB/);
    expect(await tree.innerText().then((text) => text.length)).toBeLessThan(30_000);
    await marks.getByRole("button", { name: "Load more" }).click();
    await page.getByText(/^Showing the first 1(,024 K| M)iB of/).waitFor();
  });

  it("keeps a name that means something else to JavaScript", async () => {
    const step = await server.stepwell.runs.getStep(server.app.id, run, "keys", { preview: 10 });
    const preview = `{"__proto__":{"polluted":["yes","${"x".repeat(100)}`;
    server.intercept(({ url = "" }, response) => {
      if (!url.includes("/steps/keys")) return false;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...step, output_preview: preview }));
      return true;
    });
    const { page, tree, marks } = await openOutput("keys");
    await tree.getByText("polluted:").waitFor();
    expect(await tree.locator("summary").first().innerText()).toBe("{1+}");
    await tree.locator("summary").filter({ hasText: "polluted:" }).click();
    await expect.poll(() => marks.count()).toBe(2);
    expect(await page.evaluate(() => Reflect.get({}, "polluted") === undefined)).toBe(true);
  });
});
