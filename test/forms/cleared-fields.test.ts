/** Optional fields with a default that a person leaves empty on a page. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { InputDefinition, JsonObject } from "../../src/index.ts";
import { openService, step } from "../support/engine/service.ts";
import { form, HTML, json, openForms } from "../support/forms/open-forms.ts";

const optional = true;
const options = ["a", "b", "c", "d", "e", "f"].map((value) => ({ value }));
const FIELDS: InputDefinition = {
  text: { type: "string", default: "D", optional },
  n: { type: "number", default: 7, optional },
  some: { type: "string", array: true, optional },
  radio: { type: "select", options: options.slice(0, 2), default: "a", optional },
  dropdown: { type: "select", options, default: "a", optional },
  checks: { type: "select", options, array: true, optional },
  group: { type: "object", optional, fields: { x: { type: "string" }, y: { type: "string", default: "y", optional } } },
  required: { type: "string", default: "R" },
};
const CONFIGURED = { some: ["one"], checks: ["a"], group: { x: "x" } };
const EMPTY = { "/text": "", "/n": "", "/some": "", "/radio": "", "/dropdown": "", "/group/x": "", "/group/y": "" };
const DEFAULTS = { text: "D", n: 7, radio: "a", dropdown: "a", required: "R", ...CONFIGURED };
const NULLS = { text: null, n: null, some: null, radio: null, dropdown: null, checks: null, group: null };

async function answered(request: RequestInit, fields = FIELDS, configured: JsonObject = CONFIGURED) {
  const { asked, send, wait } = await openForms();
  const { run, link } = await asked(fields, [], {}, configured);
  expect(await send(link.url, request)).toMatchObject({ status: 200 });
  const { output } = step(await wait(run.id), "ask");
  expect(await send(link.url, request)).toMatchObject({ status: 200 });
  return output;
}

describe("an optional field with a default", () => {
  it("is null if a person clears it on the page", async () => {
    expect(await answered(form({ ...EMPTY, "/required": "" }))).toEqual({ ...NULLS, required: "R" });
  });

  it("has its default if the page sends it unchanged", async () => {
    const values = { "/text": "D", "/n": "7", "/some": "one", "/radio": "a", "/dropdown": "a", "/checks": "a" };
    const output = await answered(form({ ...values, "/group/x": "x", "/group/y": "y", "/required": "R" }));
    expect(output).toEqual({ ...DEFAULTS, group: { x: "x", y: "y" } });
  });

  it("has its default if a program omits it, sends null or an empty text", async () => {
    const expected = { ...DEFAULTS, group: { x: "x", y: "y" } };
    expect(await answered(json({}))).toEqual(expected);
    expect(await answered(json({ text: null, n: null, group: null }))).toEqual(expected);
    expect(await answered({ ...form(EMPTY), headers: {} })).toEqual(expected);
  });

  it("of an object is null if a person clears only this one", async () => {
    const output = await answered(form({ ...EMPTY, "/group/x": "x" }));
    expect(output).toMatchObject({ group: { x: "x", y: null } });
  });

  it("keeps an empty default, and files that the page cannot show", async () => {
    const { stepwell, app, asked, send, wait } = await openForms();
    const { id } = await stepwell.files.create(app, { name: "a.txt", body: new TextEncoder().encode("x") });
    const fields: InputDefinition = {
      text: { type: "string", default: "", optional },
      doc: { type: "file", optional },
      group: { type: "object", optional, fields: { doc: { type: "file" } } },
    };
    const { run, link } = await asked(fields, [], {}, { doc: [id], group: { doc: [id] } });
    expect(await send(link.url, form({ "/text": "" }))).toMatchObject({ status: 200 });
    const { output } = step(await wait(run.id), "ask");
    expect(output).toMatchObject({ text: "", doc: [{ id }], group: { doc: [{ id }] } });
  });

  it("stays empty when the form is shown again", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked({ ...FIELDS, must: { type: "string" } }, [], {}, CONFIGURED);
    const { document } = parseHTML((await send(link.url, form(EMPTY))).text);
    expect(document.querySelector('[name="/text"]')?.getAttribute("value")).toBe("");
    expect(document.querySelector('[name="/radio"][checked]')?.getAttribute("value")).toBe("");
    expect(document.querySelector('[name="/checks"][checked]')).toBeNull();
  });
});

describe("a run that a page starts", () => {
  it("reads null for an optional field that a person has cleared, also when it is replayed", async () => {
    const { stepwell, app, deploy, wait } = await openService({ baseUrl: "https://flows.test" });
    const input: InputDefinition = { text: { type: "string", default: "D", optional } };
    const webhook = { method: "POST", path: "leads", form: true } as const;
    const workflow = await deploy([{ type: "input", key: "in", input, webhook }]);
    const [hook] = (await stepwell.hooks.list(app)).items;
    const url = hook?.url ?? "";
    expect((await stepwell.fetch(new Request(url, form({ "/text": "" })))).status).toBe(303);
    const [run] = (await stepwell.runs.list(app, {})).items;
    expect(await wait(run?.id ?? "")).toMatchObject({ input: { text: null }, output: { text: null } });
    const again = await stepwell.runs.replay(app, run?.id ?? "");
    const third = await stepwell.runs.replay(app, again.id);
    for (const { id } of [again, third]) expect((await wait(id)).output).toEqual({ text: null });
    const other = await stepwell.runs.replay(app, again.id, { input: { text: null } });
    expect((await wait(other.id)).output).toEqual({ text: "D" });
    const plain = await stepwell.runs.create(app, workflow, { input: { text: null } });
    expect((await wait(plain.id)).output).toEqual({ text: "D" });
    expect((await stepwell.fetch(new Request(url, { headers: HTML }))).status).toBe(200);
  });
});
