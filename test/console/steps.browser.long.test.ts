/** The panel of a step: all nine types are edited by keyboard and pointer, and nothing of a step is lost. */
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Step } from "../../src/index.ts";
import { createGate } from "../support/gate.ts";
import { until } from "../support/until.ts";
import { untilFocused } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { untilEditors } from "./support/editors.ts";

/** Each has fields that its first screen does not show. */
function stepsWith(child: string): Step[] {
  return [
    {
      type: "input",
      key: "start",
      input: {
        amount: { type: "number", name: "Amount", metadata: { a: [1] } },
        orders: { type: "object", array: true, fields: { total: { type: "number" } }, additional_fields: ["x"] },
      },
      webhook: { method: "PUT", path: "a/{b}", respond: "output" },
      destinations: ["size"],
      position: [1, 2],
    },
    {
      type: "branch",
      key: "size",
      conditions: {
        large: { condition: "input.amount > 1000", destinations: ["done"], order: 1.5 },
        medium: { condition: "input.amount > 100", destinations: ["total"], order: 3 },
      },
      else: ["done"],
      on_error: [{ destinations: ["done"] }],
    },
    {
      type: "code",
      key: "total",
      code: "console.log('one line');\nreturn { sum: 7 };\n",
      timeout: 4,
      size: [300, 120],
      destinations: ["fetch"],
    },
    {
      type: "http_request",
      key: "fetch",
      url: "https://api.example.com/{{ input.amount }}",
      headers: { accept: "application/json", "x-id": "{{ run.id }}" },
      conditional: "false",
      retry: { max_attempts: 3, on: ["timeout"] },
      destinations: ["page"],
    },
    {
      type: "browser",
      key: "page",
      url: "https://example.com",
      strip_html: true,
      conditional: "false",
      destinations: ["mail"],
    },
    {
      type: "service",
      key: "mail",
      service: { service: "http", action: "request", input: { url: "https://a.example", query: { a: ["{{ now }}"] } } },
      for_each: { items: "input.orders", concurrency: 5 },
      conditional: "false",
      destinations: ["sub"],
    },
    {
      type: "workflow",
      key: "sub",
      workflow_id: child,
      workflow_version_id: 1,
      input: { name: "{{ run.id }}", kind: "b" },
      conditional: "false",
      destinations: ["ask"],
    },
    {
      type: "model",
      key: "ask",
      conditional: "false",
      provider: {
        provider: "{{ 'a' }}",
        model: "m",
        temperature: 0.4,
        messages: [
          { role: "system", content: "Be short." },
          { role: "user", content: [{ type: "image", url: "https://a.example/b.png" }] },
        ],
        tools: ["http.request", { type: "workflow", workflow_id: child, name: "child", description: "Runs it" }],
        features: { cache: true },
      },
      destinations: ["done"],
    },
    { type: "code", key: "done", code: "return 1" },
    { type: "note", key: "hint", note: "# About\nThis is **it**.", display: "collapsed" },
  ];
}

const child: Step[] = [
  {
    type: "input",
    key: "start",
    input: {
      name: { type: "string", name: "Full name" },
      kind: { type: "select", options: [{ value: "a" }, { value: "b" }] },
    },
  },
];

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const { id: childId } = await stepwell.workflows.create(app.id, { name: "Child", steps: child });
await stepwell.workflows.deploy(app.id, childId);
const steps = stepsWith(childId);

/** A workflow with a run of its short first version, and all nine types in its draft. */
async function createWorkflow(): Promise<string> {
  const few = steps
    .filter(({ key }) => ["start", "size", "total", "done"].includes(key))
    .map((step) => (step.key === "total" ? { ...step, destinations: ["done"] } : step))
    // Two workflows cannot have the same webhook.
    .map((step) => (step.type === "input" ? { ...step, webhook: { method: "PUT" as const } } : step));
  const { id } = await stepwell.workflows.create(app.id, { name: "Intake", steps: few });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id, { input: { amount: 250, orders: [{ total: 3 }] } });
  await stepwell.runs.wait(app.id, run.id);
  await stepwell.workflows.putDraft(app.id, id, { steps });
  return id;
}

async function openStep(page: Page, workflow: string, key: string): Promise<void> {
  await page.goto(server.at(`/apps/${server.app.id}/workflows/${workflow}?view=outline&step=${key}`));
  await page.getByRole("tab", { name: "Settings" }).waitFor();
  await untilEditors(page);
}

async function savedStep(workflow: string, key: string): Promise<Step | undefined> {
  const draft = await server.stepwell.workflows.getDraft(server.app.id, workflow);
  return draft.steps.find((step) => step.key === key);
}

/** Edits a step, waits until the draft was saved, and compares the whole step. */
async function expectSaved(workflow: string, key: string, change: (step: Step) => object, edit: () => Promise<void>) {
  const before = await savedStep(workflow, key);
  if (before === undefined) throw new Error(`There is no step ${key}.`);
  await edit();
  await until(async () => JSON.stringify(await savedStep(workflow, key)) !== JSON.stringify(before));
  expect(await savedStep(workflow, key)).toEqual(change(before));
}

const EDITS: Readonly<Record<string, { edit: (page: Page) => Promise<void>; change: (step: Step) => object }>> = {
  hint: {
    edit: (page) => page.getByLabel("Note", { exact: true }).fill("Other"),
    change: (step) => ({ ...step, note: "Other" }),
  },
  start: {
    async edit(page) {
      await page.getByRole("button", { name: "Move orders up" }).click();
    },
    change: (step) =>
      step.type === "input"
        ? {
            ...step,
            input: {
              orders: { ...step.input["orders"], order: 0 },
              amount: { ...step.input["amount"], order: 1 },
            },
          }
        : step,
  },
  size: {
    async edit(page) {
      const otherwise = page.getByRole("group", { name: "Otherwise" });
      await otherwise.getByRole("button", { name: "Choose a step…" }).click();
      await page
        .getByRole("dialog")
        .getByRole("option", { name: /^fetch/ })
        .click();
    },
    change: (step) => ({ ...step, else: ["done", "fetch"] }),
  },
  total: {
    async edit(page) {
      await page.getByRole("textbox", { name: "Code", exact: true }).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("// end");
    },
    change: (step) => ({ ...step, code: "console.log('one line');\nreturn { sum: 7 };\n// end" }),
  },
  fetch: {
    edit: async (page) => void (await page.getByLabel("Method").selectOption("POST")),
    change: (step) => ({ ...step, method: "POST" }),
  },
  page: {
    async edit(page) {
      const url = page.getByLabel("URL", { exact: true });
      await url.fill("https://example.com/other");
    },
    change: (step) => ({ ...step, url: "https://example.com/other" }),
  },
  mail: {
    edit: async (page) =>
      void (await page.getByRole("combobox", { name: "method (optional)", exact: true }).selectOption("PUT")),
    change: (step) => ({
      ...step,
      service: {
        service: "http",
        action: "request",
        input: { url: "https://a.example", query: { a: ["{{ now }}"] }, method: "PUT" },
      },
    }),
  },
  sub: {
    edit: async (page) => void (await page.getByRole("combobox", { name: "kind", exact: true }).selectOption("a")),
    change: (step) => ({ ...step, input: { name: "{{ run.id }}", kind: "a" } }),
  },
  ask: {
    async edit(page) {
      await page.getByRole("textbox", { name: "Message 1: Text" }).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(" Please.");
    },
    change: (step) =>
      step.type === "model"
        ? {
            ...step,
            provider: {
              ...step.provider,
              messages: [{ role: "system", content: "Be short. Please." }, ...step.provider.messages.slice(1)],
            },
          }
        : step,
  },
};

describe("the panel of a step", () => {
  it("changes one field of each type, and keeps all others", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    for (const [key, { edit, change }] of Object.entries(EDITS)) {
      await openStep(page, workflow, key);
      await expectSaved(workflow, key, change, () => edit(page));
    }
  });

  it("completes names of the run by keyboard, and shows the result", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "done");
    await page.getByText("When", { exact: true }).click();
    await page.getByRole("textbox", { name: "Only if" }).click();
    await page.keyboard.type("input.am");
    await page.getByRole("option", { name: /amount/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(" > 100");
    await page.getByText("Result: true").waitFor();
    await until(async () => (await savedStep(workflow, "done"))?.conditional === "input.amount > 100");
    await page.keyboard.type(" >");
    await page.locator(".labelled-field .field-error").waitFor();
    // A single line is left with Tab alone.
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Insert a value");
  });

  it("offers the values of the run once they have arrived", async () => {
    const workflow = await createWorkflow();
    const values = createGate();
    server.intercept((request, response) => {
      if (!/\/runs\/[^/]+$/.test(new URL(request.url ?? "", server.baseUrl).pathname)) return false;
      void values.released.then(() => server.handle(request, response));
      return true;
    });
    onTestFinished(() => server.intercept(() => false));
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "done");
    await page.getByText("When", { exact: true }).click();
    await page.getByRole("textbox", { name: "Only if" }).click();
    await page.keyboard.type("steps.total.output.");
    await page.getByRole("option", { name: /^addMonths/ }).waitFor();
    const sum = page.getByRole("option", { name: /^sum\s*7/ });
    expect(await sum.count()).toBe(0);
    values.release();
    await sum.waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(" == 7");
    await page.getByText("Result: true").waitFor();
  });

  it("asks for the results of all expressions in one call, and for no more of a run than it shows", async () => {
    const workflow = await createWorkflow();
    const run = (await server.stepwell.runs.listOfWorkflow(server.app.id, workflow)).items[0]?.id ?? "";
    const asked: string[] = [];
    const { page } = await openConsole(browser, server);
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.includes(run)) asked.push(pathname.endsWith("/evaluate") ? (request.postData() ?? "") : search);
    });
    await openStep(page, workflow, "size");
    await page.getByText("Result: false").waitFor();
    await page.getByText("Result: true").waitFor();
    const bodies = asked.filter((one) => one.startsWith("{")).map((one): unknown => JSON.parse(one));
    const place = "anywhere";
    const expressions = ["input.amount > 1000", "input.amount > 100"].map((expression) => ({ expression, place }));
    expect(bodies.at(-1)).toEqual({ expressions, before_step: "size", max_value_chars: 4_096 });
    const reads = asked.filter((one) => !one.startsWith("{"));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((one) => !one.startsWith("?preview="))).toEqual([]);
  });

  it("marks a mistake at its place without any run", async () => {
    const { id } = await server.stepwell.workflows.create(server.app.id, { name: "New", steps });
    const { page } = await openConsole(browser, server);
    await openStep(page, id, "done");
    await page.getByText("When", { exact: true }).click();
    const field = page.getByRole("textbox", { name: "Only if" });
    await field.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("input.amount > inputs.limit");
    await page.locator(".labelled-field .field-error", { hasText: "Unknown variable: inputs" }).waitFor();
    expect(await page.locator(".cm-mistake").allInnerTexts()).toEqual(["inputs"]);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("input.amount > 1");
    await page.locator(".cm-mistake").waitFor({ state: "detached" });
  });

  it("knows the item of a list in a step that goes over one", async () => {
    const start: Step = {
      type: "input",
      key: "start",
      input: { orders: { type: "object", array: true, fields: { total: { type: "number" } } } },
      destinations: ["each"],
    };
    const url = "https://a.example/{{ index }}";
    const each: Step = {
      type: "http_request",
      key: "each",
      url,
      for_each: { items: "input.orders" },
      conditional: "false",
    };
    const { id } = await stepwell.workflows.create(app.id, { name: "Orders", steps: [start, each] });
    await stepwell.workflows.deploy(app.id, id);
    const run = await stepwell.runs.create(app.id, id, { input: { orders: [{ total: 3 }] } });
    await stepwell.runs.wait(app.id, run.id);
    const { page } = await openConsole(browser, server);
    await openStep(page, id, "each");
    await page.getByText("https://a.example/0").waitFor();
    await page.getByRole("textbox", { name: "URL", exact: true }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("/{{ item.to");
    await page.getByRole("option", { name: /^total\s*3/ }).click();
    await page.getByText("https://a.example/0/3").waitFor();
  });

  it("leaves an editor of several lines with Escape, then Tab, and says so", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "done");
    const code = page.getByRole("textbox", { name: "Code", exact: true });
    // It is said for a fifth of a second.
    await code.evaluate((editor) => {
      const said: string[] = [];
      Object.assign(window, { said });
      const place = editor.closest(".cm-editor")?.querySelector(".cm-announced") ?? editor;
      const note = () => said.push(...[place.textContent?.trim() ?? ""].filter((text) => text !== ""));
      new MutationObserver(note).observe(place, { childList: true });
    });
    const untilSaid = (times: number) =>
      expect
        .poll(() => page.evaluate((): unknown => Reflect.get(window, "said")))
        .toEqual(Array.from({ length: times }, () => "Press Tab to leave the editor."));
    await code.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Tab");
    await expect.poll(() => code.innerText()).toBe("  return 1");
    await page.keyboard.press("Escape");
    await untilSaid(1);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.classList.contains("code-editor-host"))).toBe(true);
    expect(
      await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("aria-label")),
    ).toBe("Schema of the output");
    await code.click();
    await page.keyboard.press("Escape");
    await untilSaid(2);
    // The next one is that of the panel.
    await page.keyboard.press("Escape");
    await untilFocused(page, "done");
  });

  it("takes what is typed over selected code, without a style of the browser", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "total");
    const code = page.getByRole("textbox", { name: "Code", exact: true });
    await code.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("return 'x'");
    await until(async () => (await code.innerText()).trim() === "return 'x'");
  });

  it("inserts a value that is picked from what the step sees", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "page");
    await page.getByRole("group", { name: "How “URL” is given" }).getByRole("button", { name: "Expression" }).click();
    await untilEditors(page);
    const pick = async () => {
      await page.getByRole("textbox", { name: "URL", exact: true }).click();
      await page.keyboard.press("Control+End");
      await page.getByRole("button", { name: "Insert a value" }).first().click();
      // A closed row has its name, too.
      await page.getByRole("button", { name: "Insert steps.total", exact: true }).waitFor();
      await page.getByRole("button", { name: "Insert input.amount", exact: true }).click();
      await page.getByText("https://example.com250").waitFor();
    };
    await expectSaved(workflow, "page", (step) => ({ ...step, url: "https://example.com{{ input.amount }}" }), pick);
  });

  it("marks the condition that the run takes, and shows problems of the server at their fields", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "size");
    const medium = page.getByRole("group", { name: "Condition medium" });
    await medium.getByText(/Taken with the values of the run of /).waitFor();
    await medium.getByRole("button", { name: "Move medium up" }).click();
    await page.getByRole("group", { name: "Condition medium" }).getByLabel("Name of condition 1").waitFor();
    await openStep(page, workflow, "fetch");
    await page.getByRole("button", { name: "Plain value" }).first().click();
    await page.getByLabel("URL", { exact: true }).fill("ftp://example.com");
    await page.locator(".labelled-field .field-error", { hasText: "http" }).first().waitFor();
  });

  it("says how expressions read a field, and chooses the name of a new one", async () => {
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Fields",
      steps: [
        { type: "input", key: "start", input: { proof: { type: "file" } } },
        { type: "input", key: "approve", input: {} },
      ],
    });
    const { page } = await openConsole(browser, server);
    await openStep(page, id, "start");
    await page.getByText("proof · File").click();
    await page.getByText("Expressions read input.proof[0].").waitFor();
    await openStep(page, id, "approve");
    await page.getByRole("button", { name: "Add a field" }).click();
    await page.getByRole("menuitem", { name: "Choice" }).click();
    const name = page.getByLabel("Name in expressions");
    await expect.poll(() => name.evaluate((field) => document.activeElement === field)).toBe(true);
    await page.keyboard.type("kind of");
    await page
      .getByText('Expressions read steps.approve.output["kind of"]. A name such as kind_of needs no brackets.')
      .waitFor();
    await page.keyboard.press("Tab");
    // The row stays, and with it the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("SELECT");
    await page.getByLabel("Default").selectOption("one");
    await expect.poll(() => savedStep(id, "approve")).toMatchObject({ input: { "kind of": { default: "one" } } });
  });

  it("tests a step before any run with values for the fields of the workflow", async () => {
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Never run",
      steps: [
        { type: "input", key: "start", input: { amount: { type: "number" } }, destinations: ["total"] },
        { type: "code", key: "total", code: "return input.amount + 1;" },
      ],
    });
    const { page } = await openConsole(browser, server);
    await openStep(page, id, "total");
    await page.getByRole("tab", { name: "Data" }).click();
    await page.getByRole("button", { name: "Test this step", exact: true }).click();
    const result = page.getByRole("region", { name: "Test this step" }).locator(".step-result");
    await result.waitFor();
    await expect.poll(() => result.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);
  });

  it("tests the step with the values of a run, and pins its output", async () => {
    const workflow = await createWorkflow();
    const { page } = await openConsole(browser, server);
    await openStep(page, workflow, "total");
    await page.getByRole("tab", { name: "Data" }).click();
    await page.getByRole("button", { name: /^Test this step with the run of/ }).click();
    const result = page.getByRole("region", { name: "Test this step" }).locator(".step-result");
    await result.getByText("one line").waitFor();
    await result.getByRole("button", { name: "Pin this output for runs of the draft" }).click();
    const pinned = async () => (await server.stepwell.workflows.getDraft(server.app.id, workflow)).pinned;
    await until(async () => (await pinned()) !== undefined);
    expect(await pinned()).toEqual({ total: { sum: 7 } });
    // The run above and the test gave the same, which is pinned now.
    const offers = page.getByRole("button", { name: "Pin this output for runs of the draft" });
    await expect.poll(() => offers.count()).toBe(0);
    await page.getByRole("button", { name: "Remove the pin" }).click();
    await expect.poll(() => offers.count()).toBe(2);
    await until(async () => (await pinned()) === undefined);
    await page.getByRole("tab", { name: "Last runs" }).click();
    await page.locator(".last-runs summary").first().click();
    await page.locator(".last-runs .step-result").waitFor();
  });

  it.each([
    ["light", 1440],
    ["dark", 390],
  ] as const)("is accessible in %s at %i pixels", async (colorScheme, width) => {
    const workflow = await createWorkflow();
    const { page, faults } = await openConsole(browser, server, { colorScheme, viewport: { width, height: 900 } });
    for (const { key } of steps) {
      await openStep(page, workflow, key);
      // The rest of the screen has tests of its own.
      await page.evaluate(() => document.querySelector(".step-editor")?.setAttribute("data-checked", ""));
      const found = await faults();
      expect(found.filter((fault) => !ELSEWHERE.test(fault))).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});

/** Of what is around the panel. */
const ELSEWHERE = /Disconnect|search-button|treeitem|step-problems/;
