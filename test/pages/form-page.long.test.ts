/** The web pages of forms in a browser: every field type, errors, both colour schemes, narrow screens, without JavaScript. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InputDefinition, JsonValue, Step } from "../../src/index.ts";
import { openBrowser } from "../support/browser/open-browser.ts";
import { openSite, openTab, type Site } from "../support/browser/site.ts";
import { input, to } from "../support/engine/service.ts";
import { until } from "../support/until.ts";

/** Every field type, and every layout. */
const FIELDS: InputDefinition = {
  intro: {
    type: "content",
    content: "Please check the **trip**.\n\n- flight\n- [rules](https://example.org)",
    order: 0,
  },
  approve: { type: "boolean", name: "I approve", desc: "This cannot be undone.", order: 1 },
  amount: { type: "number", name: "Amount", placeholder: "120", order: 1 },
  reason: { type: "string", name: "Reason", optional: true, link: "https://example.org/rules" },
  site: { type: "string", name: "Web site", validation: "url", display: { field: "inline" } },
  day: { type: "date", name: "Day", display: { container: "grid" } },
  at: { type: "time", name: "Departure", display: { container: "grid" } },
  due: { type: "datetime", name: "Due", optional: true },
  kind: {
    type: "select",
    name: "Kind",
    options: [
      { value: "flight", label: "Flight" },
      { value: "train", desc: "slow" },
    ],
  },
  seat: {
    type: "select",
    name: "Seat",
    options: [{ value: "aisle" }, { value: "window" }],
    placeholder: "Any seat",
    display: { control: "dropdown" },
    optional: true,
  },
  meal: {
    type: "select",
    name: "Meal",
    options: [
      { value: "all", label: "Everything" },
      { value: "vegan", label: "Vegan" },
    ],
    optional: true,
    display: { field: "inline" },
  },
  why: { type: "string", name: "Why you travel", display: { control: "multiline" }, optional: true },
  other: { type: "select", name: "Payment", options: [{ value: "card" }], additional_options: true, optional: true },
  tags: { type: "select", name: "Tags", array: true, options: [{ value: "a" }, { value: "b" }], optional: true },
  people: { type: "string", name: "Travellers", array: true, optional: true },
  receipt: { type: "file", name: "Receipt", allowed_types: ["text/*"], array: true, optional: true },
  account: { type: "connection", name: "Account", allowed_types: ["bank"], optional: true },
  hotel: {
    type: "object",
    name: "Hotel",
    optional: true,
    fields: { name: { type: "string", name: "Name of the hotel" } },
  },
  extras: { type: "object", name: "Extras", array: true, optional: true, fields: { n: { type: "number" } } },
  secret: { type: "string", optional: true, display: { hidden: true } },
};

const browser = await openBrowser();
let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.stepwell.apps.update(site.app.id, { name: "Travel desk", color: "#7a1fa2" });
});
afterAll(() => site.close());

async function asked(fields: InputDefinition = FIELDS) {
  const { stepwell, app } = site;
  const steps = [input("in", to("ask")), input("ask", { input: fields })];
  const workflow = await stepwell.workflows.create(app.id, { name: "Trip", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { id } = await stepwell.runs.create(app.id, workflow.id, {});
  await until(async () => (await stepwell.runs.get(app.id, id)).status === "waiting");
  const { url } = await stepwell.inputs.createLink(app.id, id, "ask", { title: "A trip", markdown: "For **Ann**" });
  const output = async (): Promise<JsonValue> => (await stepwell.runs.wait(app.id, id)).output;
  return { url, output };
}

describe("the page of a form", () => {
  it.each([
    ["light", 1_280, "en"],
    ["dark", 1_280, "de"],
    ["light", 320, "de"],
    ["dark", 360, "en"],
  ] as const)("is accessible and fits: %s, %d pixels, %s", async (colorScheme, width, locale) => {
    const { url } = await asked();
    const tab = await openTab(browser, { colorScheme, locale, viewport: { width, height: 800 }, bypassCSP: true });
    const { page } = tab;
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    await page.goto(url);
    expect(await page.title()).toBe("A trip – Travel desk");
    expect(await fits()).toBe(true);
    expect(await tab.faults()).toEqual([]);
    await page.locator("button").click();
    await page.locator(".errors").waitFor();
    expect(await fits()).toBe(true);
    expect(await tab.faults()).toEqual([]);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("errors");
    expect(tab.complaints).toEqual([]);
    await tab.context.close();
  });

  it("takes every field type without JavaScript, and says that it is done", async () => {
    const { url, output } = await asked();
    const { page, context, complaints } = await openTab(browser, { javaScriptEnabled: false });
    await page.goto(url);
    expect(await page.getByLabel("secret").count()).toBe(0);
    await page.getByRole("radiogroup", { name: "I approve" }).getByLabel("Yes").check();
    await page.getByLabel("Amount").fill("99.5");
    await page.getByLabel("Web site").fill("https://example.org/");
    await page.getByLabel("Day").fill("2027-01-31");
    await page.getByLabel("Departure").fill("09:30");
    await page.getByLabel("Due").fill("2027-01-30T12:00");
    await page.getByRole("radiogroup", { name: "Kind" }).getByLabel("train").check();
    await page.getByLabel("Seat").selectOption("window");
    await page.getByRole("radiogroup", { name: "Meal" }).getByLabel("Vegan").check();
    await page.getByRole("radiogroup", { name: "Meal" }).getByLabel("No answer").check();
    await page.getByLabel("Why you travel").fill("To see\nBerlin");
    await page.getByLabel("Payment").fill("cash");
    await page.getByRole("group", { name: "Tags" }).getByLabel("b").check();
    await page.getByLabel("Travellers").fill("Ann\nBob\n");
    await page.getByLabel("Receipt").setInputFiles([
      { name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("one") },
      { name: "zwei ü.txt", mimeType: "text/plain", buffer: Buffer.from("zwei") },
    ]);
    await page.getByLabel("Name of the hotel").fill("Ritz");
    await page.getByLabel("Extras").fill('[{"n": 1}]');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await output()).toMatchObject({
      ...{ approve: true, amount: 99.5, reason: null, site: "https://example.org/", day: "2027-01-31", at: "09:30" },
      ...{ seat: "window", meal: null, why: "To see\nBerlin" },
      ...{ kind: "train", other: "cash", tags: ["b"], people: ["Ann", "Bob"], account: null, secret: null },
      receipt: [{ name: "one.txt" }, { name: "zwei ü.txt" }],
      hotel: { name: "Ritz" },
      extras: [{ n: 1 }],
    });
    await page.goto(url);
    await page.getByRole("heading", { name: "No longer open" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("takes names and choices with quotes, line ends and nothing in them, and defaults that are cleared", async () => {
    const quoted = 'the "size"';
    const list = ["one\ntwo", "three\rfour", 'a "b"', "%22"];
    const { url, output } = await asked({
      [quoted]: { type: "string", name: "Size" },
      "a\nb": { type: "string", name: "Lines" },
      radio: { type: "string", list: ["one\ntwo", ""], name: "Radio" },
      dropdown: { type: "string", list: ["", ...list, "b"], name: "Dropdown" },
      untouched: { type: "string", list: ["", ...list, "b"], name: "Untouched", optional: true },
      checks: { type: "string", list, array: true, name: "Checks" },
      cleared: { type: "string", default: "D", optional: true, name: "Cleared" },
      none: { type: "string", list: ["x", "y"], default: "x", optional: true, name: "None" },
    });
    const { page, context } = await openTab(browser, { javaScriptEnabled: false });
    await page.goto(url);
    await page.getByLabel("Size").fill("XL");
    await page.getByLabel("Lines").fill("x");
    await page.getByRole("radiogroup", { name: "Radio" }).getByRole("radio").nth(1).check();
    await page.getByLabel("Dropdown").selectOption({ index: 1 });
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByLabel("Cleared").fill("");
    await page.getByRole("radiogroup", { name: "None" }).getByLabel("No answer").check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await output()).toEqual({
      ...{ [quoted]: "XL", "a\nb": "x", radio: "", dropdown: "", untouched: null, checks: list, cleared: null },
      none: null,
    });
    await context.close();
  });

  it("starts one run at the URL of a webhook, also after a double click, and if the page is reloaded", async () => {
    const { stepwell, app } = site;
    const webhook = { method: "POST", path: "contact", form: true } as const;
    const start: Step = { type: "input", key: "in", input: { name: { type: "string", name: "Your name" } }, webhook };
    const workflow = await stepwell.workflows.create(app.id, { name: "Contact us", steps: [start] });
    await stepwell.workflows.deploy(app.id, workflow.id);
    const [hook] = (await stepwell.hooks.list(app.id)).items;
    const { page, context, complaints } = await openTab(browser);
    await page.goto(hook?.url ?? "");
    await page.getByLabel("Your name").fill("Ann");
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const { items } = await stepwell.runs.list(app.id, { workflow_id: workflow.id });
    expect(items).toMatchObject([{ trigger: { type: "form" } }]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("does not send a date as empty that is half typed", async () => {
    const { url } = await asked();
    const { page, context } = await openTab(browser);
    await page.goto(url);
    const due = page.getByLabel("Due");
    await due.focus();
    await page.keyboard.type("12");
    expect(await due.evaluate((field: HTMLInputElement) => [field.value, field.validity.badInput])).toEqual(["", true]);
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("/due");
    await context.close();
  });

  it("keeps what was entered when something is missing", async () => {
    const { url } = await asked();
    const { page, context } = await openTab(browser);
    await page.goto(url);
    await page.getByLabel("Reason").fill("Visit of <b>");
    await page.getByLabel("Flight").check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { name: "Check your input" }).waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("Visit of <b>");
    expect(await page.getByLabel("Flight").isChecked()).toBe(true);
    await page.getByRole("link", { name: "Amount: This is required." }).click();
    const target = await page.evaluate(() => document.querySelector(location.hash)?.getAttribute("name"));
    expect(target).toBe("/amount");
    await page.getByLabel("Flight").press("ArrowDown");
    expect(await page.getByLabel("train").isChecked()).toBe(true);
    await context.close();
  });
});
