/** How a field is shown: radio buttons, lists, and text of several lines; and what display.control contradicts. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { InputDefinition, InputField } from "../../src/index.ts";
import { openService, step } from "../support/engine/service.ts";
import { form, HTML, openForms } from "../support/forms/open-forms.ts";

async function pageOf(fields: InputDefinition) {
  const { asked, send, wait } = await openForms();
  const { run, link } = await asked(fields);
  const show = async (init: RequestInit) => {
    const { text, status } = await send(link.url, init);
    return { status, document: parseHTML(text).document };
  };
  return {
    ...(await show({ headers: HTML })),
    answer: (values: Record<string, string>) => show(form(values)),
    output: async () => step(await wait(run.id), "ask").output,
  };
}

const options = (count: number) => Array.from({ length: count }, (_, index) => ({ value: `v${index}` }));
const select = (count: number, more: Partial<InputField> = {}) =>
  ({ type: "select", options: options(count), ...more }) as InputField;

/** The kind of control that a page shows for a field. */
async function shown(field: InputField): Promise<string> {
  const { document } = await pageOf({ a: field });
  const [control] = document.querySelectorAll('[name="/a"]');
  return control?.getAttribute("type") ?? control?.localName ?? "none";
}

describe("a field with choices", () => {
  it.each([
    ["five options", select(5), "radio"],
    ["six options", select(6), "select"],
    ["five options in its list", { type: "string", list: ["a", "b", "c", "d", "e"] }, "radio"],
    ["numbers in its list", { type: "number", list: [1, 2] }, "radio"],
    ["six options and display.control radio", select(6, { display: { control: "radio" } }), "radio"],
    ["two options and display.control dropdown", select(2, { display: { control: "dropdown" } }), "select"],
    ["options and additional_options", select(2, { additional_options: true }), "text"],
    ["options and array", select(2, { array: true }), "checkbox"],
  ] as const)("is shown with %s", async (_, field, control) => {
    expect(await shown(field as InputField)).toBe(control);
  });
});

describe("a choice whose value is empty", () => {
  const choices = ["", "a", "b", "c", "d", "e"];
  const EMPTY = '[name="/a"] option[value=""], [name="/a"][value=""]';

  it.each([
    ["radio buttons", choices.slice(0, 2), false],
    ["radio buttons of an optional field", choices.slice(0, 2), true],
    ["a dropdown", choices, false],
    ["a dropdown of an optional field", choices, true],
  ] as const)("can be chosen, and is not chosen at first: %s", async (_, list, optional) => {
    const page = await pageOf({ a: { type: "string", list: [...list], optional }, b: { type: "number" } });
    expect(page.document.querySelectorAll(`:is(${EMPTY}):not([disabled])`)).toHaveLength(1);
    expect(page.document.querySelector("[checked], option[selected]:not([disabled])")).toBeNull();
    const nothing = await page.answer({ "/b": "x" });
    expect(nothing.document.querySelectorAll('[href="#field-1"]')).toHaveLength(optional ? 0 : 1);
    const again = await page.answer({ "/a": "", "/b": "x" });
    expect(again.document.querySelectorAll('[href="#field-1"]')).toHaveLength(0);
    expect(again.document.querySelector("[checked], option[selected]")?.getAttribute("value")).toBe("");
    expect(await page.answer({ "/a": "", "/b": "1" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ a: "", b: 1 });
  });

  it("is null for an optional field that is left out", async () => {
    const page = await pageOf({ a: { type: "string", list: ["", "a"], optional: true } });
    expect(await page.answer({})).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ a: null });
  });
});

describe("radio buttons", () => {
  const fields: InputDefinition = {
    size: select(3, { name: "Size", desc: "Of the shirt", placeholder: "One of three" }),
    color: { type: "string", list: ["red", { value: "blue", label: "Blue" }], optional: true },
  };

  it("are a group with a name, its hint and its error, which the summary leads to", async () => {
    const page = await pageOf(fields);
    const group = page.document.querySelector('[role="radiogroup"]');
    expect(group?.querySelector("legend")?.textContent).toBe("Size");
    expect(group?.getAttribute("aria-required")).toBe("true");
    expect(group?.textContent).toContain("One of three");
    const { status, document } = await page.answer({});
    expect(status).toBe(422);
    const wrong = document.querySelector('[role="radiogroup"]');
    expect(wrong?.getAttribute("aria-invalid")).toBe("true");
    const described = (wrong?.getAttribute("aria-describedby") ?? "").split(" ");
    const notes = described.map((id) => document.getElementById(id)?.textContent);
    expect(notes.join()).toContain("Of the shirt");
    expect(notes.join()).toContain("This is required.");
    const target = document.querySelector(".errors a")?.getAttribute("href")?.slice(1) ?? "";
    expect(document.getElementById(target)?.getAttribute("type")).toBe("radio");
  });

  it("of an optional field have a choice for no answer, which gives null", async () => {
    const page = await pageOf(fields);
    const none = page.document.querySelector('[name="/color"][value=""]');
    expect(none?.hasAttribute("checked")).toBe(true);
    expect(page.document.querySelector('[name="/size"][value=""]')).toBeNull();
    expect(await page.answer({ "/size": "v1", "/color": "" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ size: "v1", color: null });
  });

  it("show the default, and keep what a person chose when something else is wrong", async () => {
    const page = await pageOf({ size: select(3, { default: "v2" } as Partial<InputField>), n: { type: "number" } });
    expect(page.document.querySelector('[name="/size"][checked]')?.getAttribute("value")).toBe("v2");
    const { document } = await page.answer({ "/size": "v0", "/n": "x" });
    expect(document.querySelector('[name="/size"][checked]')?.getAttribute("value")).toBe("v0");
  });

  it("are named in the language of the page", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked(fields, [], { language: "de" });
    expect((await send(link.url, { headers: HTML })).text).toContain("Keine Angabe");
  });
});

describe("a boolean without a default", () => {
  const answersOf = (document: Document) =>
    [...document.querySelectorAll('[name="/ok"]')].map((one) => one.getAttribute("value"));

  it("is asked as yes or no, neither of which is chosen at first", async () => {
    const { document } = await pageOf({ ok: { type: "boolean", name: "Do you agree?" } });
    const group = document.querySelector('[role="radiogroup"]');
    expect(group?.querySelector("legend")?.textContent).toBe("Do you agree?");
    expect(group?.getAttribute("aria-required")).toBe("true");
    expect([...document.querySelectorAll(".option")].map((one) => one.textContent?.trim())).toEqual(["Yes", "No"]);
    expect(answersOf(document)).toEqual(["true", "false"]);
    expect(document.querySelector("[checked]")).toBeNull();
  });

  it("is refused without an answer, and keeps the answer when something else is wrong", async () => {
    const page = await pageOf({ ok: { type: "boolean" }, n: { type: "number" } });
    const unanswered = await page.answer({ "/n": "1" });
    expect(unanswered.status).toBe(422);
    expect(unanswered.document.querySelector(".errors")?.textContent).toContain("ok: This is required.");
    const { document } = await page.answer({ "/ok": "false", "/n": "x" });
    expect(document.querySelector('[name="/ok"][checked]')?.getAttribute("value")).toBe("false");
  });

  it.each([
    ["true", true],
    ["false", false],
  ])("gives what was chosen: %s", async (text, value) => {
    const page = await pageOf({ ok: { type: "boolean" } });
    expect(await page.answer({ "/ok": text })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ ok: value });
  });

  it("that is optional has a choice for no answer, which gives null", async () => {
    const page = await pageOf({ ok: { type: "boolean", optional: true } });
    expect(answersOf(page.document)).toEqual(["true", "false", ""]);
    expect(page.document.querySelector("[checked]")?.getAttribute("value")).toBe("");
    expect(await page.answer({ "/ok": "" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ ok: null });
  });
});

describe("a boolean with a default", () => {
  it.each([true, false])("is a box that shows it: %s", async (preset) => {
    const page = await pageOf({ ok: { type: "boolean", default: preset } });
    const box = page.document.querySelector('[name="/ok"]');
    expect(box?.getAttribute("type")).toBe("checkbox");
    expect(box?.hasAttribute("checked")).toBe(preset);
    expect(await page.answer({})).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ ok: false });
  });
});

describe("a number of more digits than can be stored", () => {
  it("is refused as such", async () => {
    const page = await pageOf({ n: { type: "number" } });
    const { status, document } = await page.answer({ "/n": "0.12345678901234567890123" });
    expect(status).toBe(422);
    expect(document.querySelector(".wrong")?.textContent).toBe("This number has more digits than can be stored.");
  });
});

describe("a string field with display.control multiline", () => {
  it("is a text area, and keeps every line", async () => {
    const page = await pageOf({ why: { type: "string", display: { control: "multiline" }, placeholder: "Reasons" } });
    const area = page.document.querySelector('textarea[name="/why"]');
    expect(area?.getAttribute("placeholder")).toBe("Reasons");
    expect(await page.answer({ "/why": "one\r\n\r\n  two" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ why: "one\n\n  two" });
  });
});

describe("display.control that can have no effect", () => {
  it.each([
    ["multiline", { type: "number" }],
    ["multiline", { type: "string", list: ["a"] }],
    ["multiline", { type: "string", array: true }],
    ["multiline", { type: "string", validation: "url" }],
    ["radio", { type: "string" }],
    ["radio", { type: "boolean" }],
    ["radio", select(2, { array: true })],
    ["radio", select(2, { additional_options: true })],
    ["dropdown", { type: "number", list: [] }],
    ["dropdown", { type: "connection" }],
  ] as const)("is refused at deployment: %s for %o", async (control, field) => {
    const { stepwell, app, draft } = await openService();
    const shown = { ...field, display: { control } } as InputField;
    const inner: InputDefinition = { group: { type: "object", fields: { a: shown } } };
    const workflow = await draft([{ type: "input", key: "in", input: inner }]);
    await expect(stepwell.workflows.deploy(app, workflow)).rejects.toMatchObject({
      errors: [{ pointer: "/steps/0/input/group/fields/a/display/control" }],
    });
  });
});
