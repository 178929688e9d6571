/** Building workflows in the editor, with the mouse and with the keyboard alone. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { chooseKind, createWorkflow, outlineKeys, storedDraft, untilFocused, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, more: Partial<Step> = {}): Step =>
  ({ type: "code", key, code: "return 1", ...more }) as Step;

describe("the editor", () => {
  it("builds a workflow with the mouse on the canvas", async () => {
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/workflows`);
    await page.getByRole("button", { name: "New workflow" }).first().click();
    await page.getByLabel("Name").fill("By mouse");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "By mouse" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const choose = (name: RegExp) => page.getByRole("listbox").getByRole("option", { name }).first().click();
    await page.getByRole("button", { name: "Add step" }).last().click();
    await choose(/^Input/);
    await page.getByRole("button", { name: "Add a step after start" }).click();
    await choose(/^Branch/);
    await page.getByRole("button", { name: "Add a step after branch: yes" }).click();
    await choose(/^Code/);
    await page.getByRole("button", { name: "Add a step between start and branch" }).click();
    await choose(/^HTTP request/);
    await untilStored(server, id, ["start", "request", "branch", "code"]);
    const { steps } = await storedDraft(server, id);
    expect(steps).toMatchObject([
      { destinations: ["request"] },
      { destinations: ["branch"] },
      { conditions: { yes: { destinations: ["code"] } } },
      { key: "code" },
    ]);
    expect(await faults()).toEqual([]);
  });

  it("shows a labelled + at the open exits of a branch and of a step with catch routes", async () => {
    const branch: Step = {
      type: "branch",
      key: "size",
      conditions: { large: { condition: "true", destinations: ["a"], order: 0 } },
    };
    const caught = code("a", { on_error: [{ destinations: ["b"] }] });
    const { id, path } = await createWorkflow(server, "Open exits", [branch, caught, code("b")]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?view=canvas`);
    await page.getByRole("button", { name: "Add a step after a", exact: true }).waitFor();
    const exit = page.locator(".canvas-edge-label", {
      has: page.getByRole("button", { name: "Add a step after size: else" }),
    });
    expect(await exit.innerText()).toBe("else");
    expect(await faults()).toEqual([]);
    await exit.getByRole("button").click();
    await page.getByRole("listbox").getByRole("option", { name: /^Code/ }).first().click();
    await expect
      .poll(async () => (await storedDraft(server, id)).steps[0])
      .toMatchObject({ else: ["code"], conditions: { large: { destinations: ["a"] } } });
  });

  it("connects a new step from the lists of the panel, also of a catch route", async () => {
    const { id, path } = await createWorkflow(server, "New from lists", [code("a"), code("b")]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    await page.getByText("Errors", { exact: true }).click();
    await page.getByRole("button", { name: "Add a route" }).click();
    const goesTo = page.getByRole("group", { name: "Goes to" });
    await goesTo.getByRole("button", { name: "Choose a step…" }).click();
    await page.getByRole("dialog").getByRole("option", { name: /^b/ }).click();
    await goesTo.getByText("b", { exact: true }).waitFor();
    await goesTo.getByRole("button", { name: "New step…" }).click();
    await chooseKind(page, "web page");
    await untilFocused(page, "page");
    await expect
      .poll(async () => (await storedDraft(server, id)).steps)
      .toMatchObject([
        { destinations: ["b"], on_error: [{ destinations: ["b", "page"] }] },
        { key: "page" },
        { key: "b" },
      ]);
  });

  it("brings a chosen step into view beside its panel", async () => {
    const steps = [code("a", { position: [0, 0] }), code("b", { position: [760, 0] })];
    const { path } = await createWorkflow(server, "Beside the panel", steps);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=canvas`);
    const step = page.locator('[data-step="b"]');
    const rightOf = async (place: typeof step) => {
      const box = await place.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.x + box.width;
    };
    const isSeen = async () => (await rightOf(step)) <= (await rightOf(page.locator(".canvas")));
    await step.click();
    await page.getByRole("complementary", { name: "Step b" }).waitFor();
    await expect.poll(isSeen).toBe(true);
    // The same again, after the panel was closed.
    await page.getByRole("complementary").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Show everything" }).click();
    await step.click();
    await page.getByRole("complementary", { name: "Step b" }).waitFor();
    await expect.poll(isSeen).toBe(true);
  });

  it("starts a run of the version that is deployed, if the draft is the same", async () => {
    const { id, path } = await createWorkflow(server, "Same as deployed", [code("a")]);
    const { page, go } = await openConsole(browser, server);
    await server.stepwell.workflows.deploy(server.app.id, id);
    await go(`${path}?view=outline`);
    await page.getByText("deployed as v1").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect.poll(() => page.getByLabel("Version", { exact: true }).inputValue()).toBe("latest");
    await go(`${path}?view=outline&step=a`);
    await page.getByLabel("Key", { exact: true }).fill("b");
    await page.keyboard.press("Tab");
    await page.getByText("1 change since v1").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect.poll(() => page.getByLabel("Version", { exact: true }).inputValue()).toBe("draft");
  });

  it("warns of a field that the input does not have, and deploys", async () => {
    const start: Step = { type: "input", key: "start", input: { amount: { type: "number" } } };
    const { path } = await createWorkflow(server, "Misspelt", [start, code("a", { conditional: "input.amout > 1.0" })]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    await page.getByRole("button", { name: "1 warning" }).click();
    expect(await faults()).toEqual([]);
    const warning = 'Warning: input has no field "amout". Did you mean "amount"? Its fields: amount.';
    await page.getByRole("region", { name: "Problems" }).getByText(warning).waitFor();
    const panel = page.getByRole("complementary");
    await panel.locator(".field-warning").getByText(warning, { exact: true }).waitFor();
    expect(await panel.locator(".field-error").count()).toBe(0);
    await page.getByRole("button", { name: "Deploy v1…" }).click();
    await page.getByRole("button", { name: "Deploy v1", exact: true }).click();
    await page.getByText("deployed as v1").waitFor();
    // The message about it does not cover the panel.
    const said = await page.locator(".editor-said").boundingBox();
    const right = (said?.x ?? Infinity) + (said?.width ?? Infinity);
    expect(right).toBeLessThan((await panel.boundingBox())?.x ?? 0);
  });

  it("keeps the edge of a condition that is renamed in the panel, and draws edges from it", async () => {
    const branch: Step = {
      type: "branch",
      key: "size",
      conditions: { large: { condition: "true", destinations: ["a"], order: 0 } },
    };
    const { id, path } = await createWorkflow(server, "Renamed", [branch, code("a"), code(`"b\\`)]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=canvas&step=size`);
    await page.locator(".react-flow__edge").waitFor({ state: "attached" });
    await page.getByLabel("Name of condition 1").fill("huge");
    await page.keyboard.press("Tab");
    await page.locator(".canvas-edge-label").getByText("huge").waitFor();
    expect(await page.getByRole("button", { name: "Move huge down" }).count()).toBe(1);
    await page.getByLabel("Key", { exact: true }).fill("sizes");
    await page.keyboard.press("Tab");
    await page.getByText("The step is now called sizes.").waitFor();
    // The person goes on where they were.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Name of condition 1");
    // The canvas draws an edge once it has measured the step, which has another id.
    await page.locator(".react-flow__edge").waitFor({ state: "attached" });
    await page.locator('.react-flow__handle[data-handleid="if:huge"]').dragTo(page.locator("[data-step]").nth(2));
    await expect
      .poll(async () => (await storedDraft(server, id)).steps[0])
      .toMatchObject({ conditions: { huge: { destinations: ["a", `"b\\`] } } });
  });

  it("builds a workflow with the keyboard alone in the outline", async () => {
    const { id, path } = await createWorkflow(server, "By keyboard");
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await page.getByRole("button", { name: "Add step" }).first().focus();
    await page.keyboard.press("Enter");
    await chooseKind(page, "input");
    await untilFocused(page, "start");
    await page.keyboard.press("a");
    await chooseKind(page, "http");
    await untilFocused(page, "request");
    await page.keyboard.press("a");
    await chooseKind(page, "branch");
    await untilFocused(page, "branch");
    await page.keyboard.press("a");
    await page.getByRole("combobox", { name: "Type, service or action" }).press("Escape");
    await untilFocused(page, "branch");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Name of condition 1");
    await page.getByRole("treeitem", { name: /^If yes/ }).focus();
    await page.keyboard.press("a");
    await chooseKind(page, "code javascript");
    await untilFocused(page, "code");
    await page.keyboard.press("F2");
    await page.getByLabel("Key").last().fill("small");
    await page.keyboard.press("Enter");
    await untilFocused(page, "small");
    await untilStored(server, id, ["start", "request", "branch", "small"]);
    expect((await storedDraft(server, id)).steps[2]).toMatchObject({
      conditions: { yes: { destinations: ["small"] } },
    });
    // From the branch, `else` leads back to nothing: it is connected from a list.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("c");
    const search = page.getByRole("combobox", { name: "Step" });
    await search.fill("small");
    await search.press("Enter");
    await expect.poll(async () => (await storedDraft(server, id)).steps[2]).toMatchObject({ else: ["small"] });
    await page.getByRole("treeitem", { name: /^request\b/ }).focus();
    await page.keyboard.press("Delete");
    await untilStored(server, id, ["start", "branch", "small"]);
    expect(await faults()).toEqual([]);
  });

  it("has one history over all views", async () => {
    const { id, path } = await createWorkflow(server, "History", [code("a"), code("b")]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=b`);
    await page.getByRole("treeitem", { name: /^b\b/ }).focus();
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const text = page.getByRole("textbox", { name: "Definition of History as JSON" });
    await text.waitFor();
    await expect.poll(() => text.innerText()).not.toContain('"b"');
    await text.click();
    await page.keyboard.press("Control+z");
    await expect.poll(() => text.innerText()).toContain('"b"');
    await page.getByRole("button", { name: "Canvas", exact: true }).click();
    await page.getByRole("button", { name: /^b, / }).waitFor();
    await page.getByRole("button", { name: "Redo (Ctrl Y)" }).click();
    await page.getByRole("button", { name: /^b, / }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo (Ctrl Z)" }).click();
    await untilStored(server, id, ["a", "b"]);
    await expect.poll(() => page.getByRole("button", { name: "Undo (Ctrl Z)" }).isDisabled()).toBe(true);
  });

  it("shows problems at their steps, goes through them, and deploys without any", async () => {
    const { id, path } = await createWorkflow(server, "Problems", [
      code("a", { code: "return" }),
      code("b", { conditional: "1 +" }),
    ]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await page.getByRole("button", { name: "1 problem" }).waitFor();
    expect(await page.getByRole("button", { name: "Deploy v1…" }).isDisabled()).toBe(true);
    await page.keyboard.press("F8");
    await page.getByRole("complementary", { name: "Step b" }).waitFor();
    await server.stepwell.workflows.putDraft(server.app.id, id, { steps: [code("a")] });
    await page.getByText("No problems").waitFor();
    await page.getByRole("button", { name: "Deploy v1…" }).click();
    await page.getByLabel("Release notes").fill("The first one");
    await page.getByRole("button", { name: "Deploy v1", exact: true }).click();
    await page.getByText("Version 1 is deployed.").waitFor();
    await page.getByText("deployed as v1").waitFor();
    const again = page.getByRole("button", { name: "Deploy v2…" });
    expect(await again.isDisabled()).toBe(true);
    expect(await again.evaluate((button) => document.activeElement === button)).toBe(true);
    await page.getByRole("button", { name: "Add step" }).first().click();
    await chooseKind(page, "note");
    await page.getByText("1 change since v1").waitFor();
    expect(await again.isDisabled()).toBe(false);
    // What was said of the deployment holds no longer.
    expect(await page.getByText("Version 1 is deployed.").count()).toBe(0);
    expect((await server.stepwell.workflows.getVersion(server.app.id, id, "latest")).notes).toBe("The first one");
  });

  it("deploys only the draft that it shows, and names what takes it", async () => {
    const { id, path } = await createWorkflow(server, "Shown", [
      { type: "input", key: "in", input: {}, webhook: { path: "shown/orders", method: "POST" } } as Step,
      code("mine"),
    ]);
    const { workflows, schedules } = server.stepwell;
    await workflows.deploy(server.app.id, id);
    await workflows.putDraft(server.app.id, id, {
      steps: [
        { type: "input", key: "in", input: {}, webhook: { path: "shown/orders", method: "POST" } },
        code("mine", { code: "return 2" }),
      ],
    });
    const latest = await schedules.create(server.app.id, { workflow_id: id, every: 3_600, name: "Hourly" });
    await schedules.create(server.app.id, { workflow_id: id, every: 3_600, name: "Fixed", version: 1 });
    const { page, go, faults, complaints } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await page.getByRole("button", { name: "Deploy v2…" }).click();
    const dialog = page.getByRole("dialog", { name: "Deploy version 2" });
    await dialog.getByRole("link", { name: "Hourly" }).waitFor();
    expect(await dialog.getByRole("link", { name: "Hourly" }).getAttribute("href")).toContain(latest.id);
    await dialog.getByRole("link", { name: "POST shown/orders" }).waitFor();
    expect(await dialog.getByRole("link", { name: "Fixed" }).count()).toBe(0);
    // The page does not hear of the change before it deploys.
    complaints.allow(/Failed to load resource/);
    await page.route("**/draft", (route) => route.abort());
    await workflows.putDraft(server.app.id, id, { steps: [code("theirs")] });
    await dialog.getByRole("button", { name: "Deploy v2", exact: true }).click();
    await dialog.getByText("The draft has revision 3, not 2.").waitFor();
    await page.unroute("**/draft");
    await dialog.getByText("Somebody else has changed the draft").waitFor();
    expect((await workflows.get(server.app.id, id)).latest_version).toBe(1);
    expect(await dialog.getByRole("button", { name: "Deploy v2", exact: true }).isDisabled()).toBe(true);
    expect(await dialog.getByText("theirs").count()).toBe(0);
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Show the new draft" }).click();
    await dialog.getByText("theirs").first().waitFor();
    await dialog.getByRole("button", { name: "Deploy v2", exact: true }).click();
    await page.getByText("Version 2 is deployed.").waitFor();
    expect((await workflows.getVersion(server.app.id, id, 2)).steps.map(({ key }) => key)).toEqual(["theirs"]);
  });

  it("copies steps as text, and pastes them under new keys", async () => {
    const { id, path } = await createWorkflow(server, "Copies", [code("a", { destinations: ["b"] }), code("b")]);
    const { page, go } = await openConsole(browser, server, { permissions: ["clipboard-read", "clipboard-write"] });
    await go(`${path}?view=outline&step=b`);
    await page.getByRole("treeitem", { name: /^b\b/ }).focus();
    await page.keyboard.press("Control+c");
    await page.getByRole("status").getByText("b was copied.").waitFor();
    await page.keyboard.press("Control+v");
    await untilStored(server, id, ["a", "b", "b_2"]);
  });

  it("takes brackets at the start of a line of a text that is longer than the screen", async () => {
    const steps = Array.from({ length: 12 }, (_, index) => code(`s${index}`));
    const { path } = await createWorkflow(server, "Long text", steps);
    const { page, go } = await openConsole(browser, server, { viewport: { width: 1024, height: 500 } });
    await go(`${path}?view=json`);
    await page.locator(".definition-text .code-editor-host:not([hidden])").waitFor();
    const text = page.locator(".definition-text").getByRole("textbox");
    await text.click();
    for (const key of ["Control+Home", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    for (const key of ["{", "Backspace", "a", "b"]) {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await expect.poll(() => text.innerText()).toMatch(/^ab {2}"/m);
  });

  it("opens the outline with the step in view that the address names", async () => {
    const steps = Array.from({ length: 200 }, (_, n) => code(`step_${n + 1}`));
    const { path } = await createWorkflow(server, "Long outline", steps);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=step_137`);
    const row = page.locator('.outline [data-step="step_137"]');
    await row.waitFor({ state: "attached" });
    await expect
      .poll(() =>
        row.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        }),
      )
      .toBe(true);
  });

  it("shows keys that look like code as text", async () => {
    const names = [
      "<img src=x onerror=alert(1)>",
      "__x",
      "\u202eevil",
      "a\u0000b",
      "{{ steps }}",
      `a"b'c]\\d`,
      "x".repeat(128),
    ];
    const { path } = await createWorkflow(
      server,
      "<script>alert(1)</script>",
      names.map((key) => code(key)),
    );
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await expect.poll(() => outlineKeys(page)).toHaveLength(names.length);
    expect(await page.locator("img").count()).toBe(0);
    await page.getByRole("button", { name: "Canvas", exact: true }).click();
    await page.getByRole("group", { name: /^Canvas of/ }).waitFor();
    expect(await faults()).toEqual([]);
  });

  it("goes through 200 steps in the outline and on the canvas", async () => {
    const steps = Array.from({ length: 200 }, (_, index) => code(`s${index}`));
    const { id, path } = await createWorkflow(server, "Long", steps);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await page.getByRole("treeitem", { name: /^s0\b/ }).focus();
    await page.keyboard.press("End");
    await untilFocused(page, "s199");
    await page.keyboard.press("a");
    await chooseKind(page, "note");
    await untilFocused(page, "note");
    await page.getByRole("button", { name: "Canvas", exact: true }).click();
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: /^s100\b/ }).waitFor({ state: "attached" });
    await untilStored(
      server,
      id,
      steps.map(({ key }) => key),
    );
  });

  it("keeps each row of the outline closed that somebody has closed", async () => {
    const yes = { destinations: [], order: 0 };
    const branch = (key: string): Step => ({ type: "branch", key, conditions: { yes } });
    const { path } = await createWorkflow(server, "Branches", [branch("a"), branch("b")]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    for (const key of ["a", "b"]) await page.locator(`[data-row][data-step=${key}] .outline-toggle`).click();
    for (const key of ["a", "b"]) await page.locator(`[data-step=${key}][aria-expanded=false]`).waitFor();
  });

  it.each([
    { colorScheme: "dark", viewport: { width: 1_024, height: 768 } },
    { colorScheme: "light", viewport: { width: 390, height: 844 } },
  ] as const)("keeps the accessibility rules in %o", async (settings) => {
    const { path } = await createWorkflow(server, "Looks", [
      code("a"),
      { ...code("b"), conditional: "x" },
      { type: "note", key: "n", note: "Text" },
    ]);
    const { page, go, faults } = await openConsole(browser, server, settings);
    await go(`${path}?view=outline`);
    await page.getByRole("button", { name: "1 problem" }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Add step" }).first().click();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page
      .getByRole("textbox", { name: /as JSON/ })
      .first()
      .waitFor();
    expect(await faults()).toEqual([]);
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide).toBe(false);
  });

  it.each([
    { colorScheme: "light", hasTouch: false },
    { colorScheme: "dark", hasTouch: true },
  ] as const)("shows a step on a phone as a page of its own that nothing covers, %o", async (settings) => {
    const { path } = await createWorkflow(server, "Phone", [code("a", { destinations: ["b"] }), code("b")]);
    const phone = { viewport: { width: 390, height: 844 }, isMobile: settings.hasTouch, ...settings };
    const { page, go, faults } = await openConsole(browser, server, phone);
    await go(`${path}?view=outline&step=a`);
    const panel = page.getByRole("complementary", { name: "Step a" });
    const tabs = panel.getByRole("tab");
    await tabs.first().waitFor();
    for (let index = 0; index < (await tabs.count()); index++) {
      await tabs.nth(index).click();
      expect([index, await faults()]).toEqual([index, []]);
    }
    await tabs.first().click();
    const disconnect = await panel.getByRole("button", { name: "Disconnect: b" }).boundingBox();
    expect(Math.min(disconnect?.height ?? 0, disconnect?.width ?? 0)).toBeGreaterThanOrEqual(
      settings.hasTouch ? 44 : 24,
    );
    const ends = await panel.evaluate((element) => element.getBoundingClientRect().bottom);
    const bar = await page
      .getByRole("navigation")
      .last()
      .evaluate((element) => element.getBoundingClientRect().top);
    expect(ends).toBeLessThanOrEqual(bar);
    await panel.getByRole("button", { name: "Close" }).click();
    await page.getByRole("treeitem", { name: /^a\b/ }).waitFor();
  });
});
