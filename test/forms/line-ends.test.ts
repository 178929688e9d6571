/** Browsers send every line end of a form as CR LF. Steps read line feeds, and choices as they are defined. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { step } from "../support/engine/service.ts";
import { form, HTML, json, openForms } from "../support/forms/open-forms.ts";

const urlEncoded = (name: string, value: string) => ({
  method: "POST",
  headers: HTML,
  body: new URLSearchParams([[name, value]]),
});

async function answered(fields: InputDefinition, request: RequestInit) {
  const { asked, send, wait } = await openForms();
  const { run, link } = await asked(fields);
  expect(await send(link.url, request)).toMatchObject({ status: 200 });
  return step(await wait(run.id), "ask").output;
}

describe("a text of several lines", () => {
  it.each([
    ["multipart/form-data", form({ "/note": "one\ntwo\r\nthree" })],
    ["application/x-www-form-urlencoded", urlEncoded("/note", "one\r\ntwo\rthree")],
  ])("in %s has line feeds", async (_, request) => {
    expect(await answered({ note: { type: "string" } }, request)).toEqual({ note: "one\ntwo\nthree" });
  });

  it("in JSON stays as it is", async () => {
    const request = json({ note: "one\r\ntwo" });
    expect(await answered({ note: { type: "string" } }, request)).toEqual({ note: "one\r\ntwo" });
  });
});

describe("a choice with a line end", () => {
  const more = ["b", "c", "d", "e", "f"];

  it.each(["a\nb", "a\r\nb", "a\rb"])("can be chosen: %j", async (choice) => {
    const options = [choice, ...more].map((value) => ({ value }));
    const fields: InputDefinition = {
      one: { type: "select", options: options.slice(0, 2) },
      other: { type: "select", options },
      some: { type: "select", options, array: true },
      text: { type: "string", list: [choice, "b"] },
    };
    const values = { "/one": choice, "/other": choice, "/some": choice, "/text": choice };
    expect(await answered(fields, form(values))).toEqual({ one: choice, other: choice, some: [choice], text: choice });
  });

  it("is still chosen when the form is shown again", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked({ one: { type: "string", list: ["a\rb", "c"] }, n: { type: "number" } });
    const { document } = parseHTML((await send(link.url, form({ "/one": "a\rb", "/n": "x" }))).text);
    expect(document.querySelector('[name="/one"][checked]')?.getAttribute("value")).toBe("a\rb");
  });
});
