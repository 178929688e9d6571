/** What a step of a run does, as the version that ran has it, and where it failed. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

/** Runs the steps once, and returns the path of the run. */
async function ran(steps: readonly Step[], input = {}): Promise<{ readonly path: string; readonly workflow: string }> {
  const { stepwell, app } = server;
  const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Definition", steps: [...steps] });
  await stepwell.workflows.deploy(app.id, workflow);
  const { id } = await stepwell.runs.create(app.id, workflow, { input });
  await stepwell.runs.wait(app.id, id);
  return { path: `/apps/${app.id}/runs/${id}`, workflow };
}

const inspector = (page: Page) => page.getByRole("region", { name: "Step", exact: true });
const start: Step = { type: "input", key: "start", input: {} };

describe("the definition of a step in a run", () => {
  it("shows the line of the code that failed, as it was when it ran", async () => {
    const lines = Array.from({ length: 900 }, (_, n) => `// line ${n + 1}`);
    lines[699] = "throw new Error('No rate for this country');";
    const { path, workflow } = await ran([start, { type: "code", key: "broken", code: lines.join("\n") }]);
    await server.stepwell.workflows.putDraft(server.app.id, workflow, {
      steps: [start, { type: "code", key: "broken", code: "return 'mended';" }],
    });
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?step=broken&tab=error`);
    await inspector(page).getByRole("button", { name: "Show line 700" }).click();
    await page.waitForURL(/tab=definition/);
    const failed = inspector(page).locator("li.failed");
    expect(await failed.innerText()).toContain("throw new Error('No rate for this country');");
    const isSeen = () =>
      failed.evaluate((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && document.activeElement === line;
      });
    await expect.poll(isSeen).toBe(true);
    expect(await inspector(page).getByText("// line 1", { exact: true }).count()).toBe(0);
    await inspector(page).getByRole("button", { name: "Load more (450)" }).click();
    await inspector(page).getByText("// line 1", { exact: true }).waitFor();
    expect(await inspector(page).getByText("mended").count()).toBe(0);
  });

  it.each([1440, 390])(
    "scrolls code with a long line in its box only, and nothing around it, at %i px",
    async (width) => {
      const code = `throw new Error("${"no rate ".repeat(40)}");`;
      const { path } = await ran([start, { type: "code", key: "broken", code }]);
      const { page, go } = await openConsole(browser, server, { viewport: { width, height: 844 } });
      await go(`${path}?step=broken&tab=error`);
      await inspector(page).getByRole("button", { name: "Show line 1" }).click();
      await inspector(page).locator("li.failed").waitFor();
      expect(await page.locator(".code-lines").evaluate((box) => box.scrollLeft)).toBe(0);
      const overflowOf = (selector: string) =>
        page.locator(selector).evaluate((place) => place.scrollWidth - place.clientWidth);
      expect(await overflowOf(".code-lines")).toBeGreaterThan(0);
      expect(await overflowOf(".run-inspector")).toBe(0);
      expect(await overflowOf("html")).toBe(0);
    },
  );

  it("is marked at the field whose expression failed", async () => {
    const url = "https://api.example/{{ input.order.to }}";
    const { path } = await ran([start, { type: "http_request", key: "fetch", url }], { order: {} });
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?step=fetch&tab=error`);
    await inspector(page).getByText("Field: url", { exact: true }).waitFor();
    await inspector(page).getByRole("button", { name: "Show the field" }).click();
    const failed = inspector(page).locator(".definition-tab .failed");
    expect(await failed.innerText()).toContain(url);
    expect(await failed.evaluate((field) => document.activeElement === field)).toBe(true);
    expect(await faults()).toEqual([]);
  });

  it("has first what its code mentions, and a search for the rest", async () => {
    const many = Array.from(
      { length: 20 },
      (_, n): Step => ({ type: "code", key: `part_${n}`, code: `return "no. ${n}"` }),
    );
    const code = "return [steps.part_3.output, input.country];";
    const { path, workflow } = await ran([start, ...many, { type: "code", key: "sum", code }], { country: "AT" });
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?step=sum&tab=input`);
    const shown = inspector(page).getByRole("tabpanel");
    await shown.getByText("no. 3", { exact: false }).first().waitFor();
    expect(await shown.locator(".json-view").first().innerText()).not.toMatch(/part_4|app:/);
    expect(await shown.locator(".json-view").first().innerText()).toMatch(/steps\.part_3:[\s\S]*country/);
    await shown.getByText("Everything it could read").click();
    await shown.getByRole("searchbox", { name: "Search steps" }).fill("part_1");
    await expect.poll(() => shown.locator("details .json-view").first().innerText()).toContain("part_17");
    await expect.poll(() => shown.locator("details .json-view").first().innerText()).not.toContain("part_2");
    expect(await faults()).toEqual([]);
    await go(`/apps/${server.app.id}/workflows/${workflow}?view=outline&step=sum`);
    await page.getByRole("tab", { name: "Data" }).click();
    const seen = page.locator(".step-data section").first();
    await seen.getByRole("button", { name: "part_3", exact: true }).waitFor();
    expect(await seen.getByText("part_4").locator("visible=true").count()).toBe(0);
    await seen.getByText("Everything it could read").click();
    await seen.getByRole("searchbox", { name: "Search steps" }).fill("part_4");
    await seen.getByRole("button", { name: "part_4", exact: true }).waitFor();
    expect(await faults()).toEqual([]);
  });

  it("shows the settings of the other types, whatever stands in them", async () => {
    const hostile = `<img src=x onerror=alert(1)>\u202Egnp.exe`;
    const { path } = await ran([
      start,
      {
        type: "branch",
        key: "size",
        conditions: { large: { condition: `"${hostile}" == ""`, destinations: [], order: 1 } },
      },
    ]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?step=size&tab=definition`);
    await inspector(page).getByRole("tab", { name: "Settings", selected: true }).waitFor();
    await inspector(page).getByText("condition:").waitFor();
    expect(await inspector(page).innerText()).toContain("onerror");
    expect(await inspector(page).locator("img").count()).toBe(0);
    expect(await faults()).toEqual([]);
  });
});
