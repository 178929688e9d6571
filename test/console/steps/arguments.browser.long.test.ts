/** The arguments of an action: alternatives as forms, expressions in each field, and JSON where nothing else fits. */
import type { Page } from "playwright-core";
import * as v from "valibot";
import { expect, it } from "vitest";
import { defineService, type Step } from "../../../src/index.ts";
import { createWorkflow, storedDraft } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { untilEditors } from "../support/editors.ts";

const card = v.object({ kind: v.literal("card"), number: v.string(), amount: v.number() });
const invoice = v.object({ kind: v.literal("invoice"), days: v.number(), amount: v.number() });
const shop = defineService({
  name: "shop",
  title: "Shop",
  actions: {
    pay: {
      title: "Pay",
      input: v.object({
        payment: v.variant("kind", [card, invoice]),
        reference: v.optional(v.union([v.number(), v.array(v.string())])),
        details: v.optional(v.record(v.string(), v.any())),
      }),
      output: v.object({}),
      run: async () => ({}),
    },
    refund: {
      title: "Refund",
      input: v.variant("kind", [card, invoice]),
      output: v.object({}),
      run: async () => ({}),
    },
  },
});

const { browser, server } = await openBrowserAndServer({ services: [shop] });

const step = (action: string, input: Extract<Step, { type: "service" }>["service"]["input"]): Step => ({
  type: "service",
  key: "call",
  service: { service: "shop", action, input },
});

/** Opens the panel of a step that calls the action. */
async function openCall(action: string, input: Parameters<typeof step>[1]) {
  const { id, path } = await createWorkflow(server, "Payments", [step(action, input)]);
  const tab = await openConsole(browser, server);
  await tab.go(`${path}?view=outline&step=call`);
  await tab.page.getByRole("tab", { name: "Settings" }).waitFor();
  await untilEditors(tab.page);
  const stored = async () => {
    const [first] = (await storedDraft(server, id)).steps;
    return first?.type === "service" ? first.service.input : undefined;
  };
  return { ...tab, stored };
}

const kindOf = (page: Page, label: string) => page.getByRole("combobox", { name: `Type of ${label}` });

it("an alternative is chosen, and each of its fields can be an expression", async () => {
  const { page, stored, faults } = await openCall("pay", {
    payment: { kind: "card", number: "{{ input.card }}", amount: 7 },
  });
  const kind = kindOf(page, "payment");
  expect(await kind.locator("option:checked").innerText()).toBe("card");
  expect(await page.getByRole("textbox", { name: "number", exact: true }).innerText()).toBe("{{ input.card }}");
  expect(await faults()).toEqual([]);
  await kind.selectOption({ label: "invoice" });
  await expect.poll(stored).toEqual({ payment: { kind: "invoice", amount: 7 } });
  await page.getByRole("group", { name: "How “days” is given" }).getByRole("button", { name: "Expression" }).click();
  await page.getByRole("textbox", { name: "days", exact: true }).click();
  await page.keyboard.type("{{ input.days");
  await expect.poll(stored).toMatchObject({ payment: { days: expect.stringContaining("{{ input.days") } });
  await expect.poll(() => kind.locator("option:checked").innerText()).toBe("invoice");
  const reference = kindOf(page, "reference");
  await reference.selectOption({ label: "List" });
  await page.getByRole("button", { name: "Add to List" }).click();
  await page.getByRole("textbox", { name: "List 1", exact: true }).fill("A-1");
  await expect.poll(stored).toMatchObject({ reference: ["A-1"] });
  await reference.selectOption({ label: "None" });
  await expect.poll(async () => Object.keys((await stored()) ?? {})).toEqual(["payment"]);
});

it("all arguments can be of one of several forms", async () => {
  const { page, stored, faults } = await openCall("refund", {});
  const kind = kindOf(page, "Arguments");
  expect(await kind.locator("option:checked").innerText()).toBe("None");
  await kind.selectOption({ label: "card" });
  await page.getByRole("textbox", { name: "number", exact: true }).fill("4111");
  await expect.poll(stored).toEqual({ kind: "card", number: "4111" });
  expect(await faults()).toEqual([]);
});

it("JSON says where it is wrong, and is kept out of the step until it is right", async () => {
  const { page, stored } = await openCall("pay", { payment: { kind: "card", number: "1", amount: 7 } });
  const before = await stored();
  const json = page.getByRole("textbox", { name: "details" });
  const problem = (text: string) => page.locator(".field-error", { hasText: text });
  const type = async (text: string) => {
    await json.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  };
  await type('{\n  "a": 1,\n  b: 2\n}');
  await problem("This is not valid JSON: see line 3, column 3.").waitFor();
  await type(`${"[".repeat(90)}${"]".repeat(90)}`);
  await problem("This is nested deeper than 80 levels.").waitFor();
  await type('{"a": 12345678901234567890}');
  await problem("This number has more digits than can be stored.").waitFor();
  expect(await stored()).toEqual(before);
  await type('{"a": 1}');
  await expect.poll(stored).toEqual({ ...before, details: { a: 1 } });
});
