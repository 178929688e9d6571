/** Defaults of a definition: deployment rejects those that every run would reject. */
import { expect, it } from "vitest";
import type { InputDefinition, InputField, JsonObject } from "../../src/index.ts";
import { describeEachTransport } from "../support/http/transports.ts";

const several: Pick<InputField, "array"> = { array: true };
const options = [{ value: "a" }, { value: "b" }];
const secret: InputField = { type: "string", config: true };
const deep = (inner: InputField, more: object = {}): InputField => ({ type: "object", fields: { inner }, ...more });

describeEachTransport("a deployment", (open) => {
  /** The problems of a version by pointer. */
  async function problems(draft: { input?: object; input_default?: JsonObject; steps?: object[] }) {
    const { app: openApp, callApi } = open();
    const app = await openApp();
    const { id } = await callApi("workflows.create", app.id, { name: "Inputs", ...draft });
    const { errors } = await callApi("workflows.validate", app.id, id);
    const refused = await callApi("workflows.deploy", app.id, id, {}).then(
      () => [],
      (refusal) => refusal.errors,
    );
    expect(refused).toEqual(errors);
    return Object.fromEntries(
      errors.map((error: { pointer: string; message: string }) => [error.pointer, error.message]),
    );
  }

  it.each<[string, InputDefinition, JsonObject]>([
    ["one of the options", { f: { type: "select", options, default: "a" } }, {}],
    [
      "any text where additional options are allowed",
      { f: { type: "select", options, additional_options: true, default: "z" } },
      {},
    ],
    ["a text for a list of texts", { f: { type: "string", ...several, default: "a" } }, {}],
    ["a choice spelt in another way", { f: { type: "number", list: ["18"], default: 18 } }, {}],
    ["a number as text", { f: { type: "number" } }, { f: "12" }],
    ["null", { f: { type: "number" } }, { f: null }],
    [
      "a part of an object, and the rest from the run",
      { f: deep({ type: "object", fields: { n: { type: "number" }, m: secret } }) },
      { f: { inner: { m: "x" } } },
    ],
    [
      "nothing of what a run must give",
      { f: { type: "string" }, g: deep({ type: "date" }), h: { type: "file" } },
      { f: "x" },
    ],
    ["no value of an empty list, which a run gives", { f: { type: "number", ...several } }, { f: [] }],
    [
      "configuration that is optional, or has a default",
      { f: { ...secret, optional: true }, g: { ...secret, default: "x" } },
      {},
    ],
    [
      "configuration of a list that is configured whole",
      { f: deep({ type: "string" }, { ...several, config: true }) },
      { f: [{ inner: "x" }] },
    ],
  ])("accepts as a default %s", async (_, input, input_default) => {
    expect(await problems({ input, input_default })).toEqual({});
    expect(await problems({ steps: [{ type: "input", key: "in", input }], input_default })).toEqual({});
  });

  it("rejects field defaults that a run would reject", async () => {
    const input: InputDefinition = {
      option: { type: "select", options, default: "c" },
      url: { type: "string", validation: "url", default: "example.com" },
      list: { type: "number", list: [1, { value: 2, label: "two" }], default: 3 },
      deep: deep({ type: "string", list: ["x"], default: "y", optional: true }, several),
    };
    const expected = {
      "/option/default": 'Must be one of "a", "b".',
      "/url/default": "Must be a URL that starts with http:// or https://.",
      "/list/default": "Must be one of 1, 2.",
      "/deep/fields/inner/default": 'Must be one of "x".',
    };
    const at = (base: string) =>
      Object.fromEntries(Object.entries(expected).map(([place, text]) => [base + place, text]));
    expect(await problems({ input })).toEqual(at("/input"));
    const steps = [
      { type: "note", key: "n", note: "" },
      { type: "input", key: "in", input },
    ];
    expect(await problems({ steps })).toEqual(at("/steps/1/input"));
  });

  it("rejects values of input_default that a run would reject, at any depth", async () => {
    const input: InputDefinition = {
      option: { type: "select", options },
      number: { type: "number", default: 1 },
      numbers: { type: "number", ...several },
      day: { type: "date", config: true },
      deep: deep({ type: "time" }),
      items: deep({ type: "time" }, several),
      paper: { type: "file" },
    };
    const input_default = {
      option: "c",
      number: "many",
      numbers: [1, "x"],
      day: "2027-02-30",
      deep: { inner: "noon", more: 1 },
      items: [{ inner: "09:30" }, {}],
      paper: "afile_gone",
    };
    const expected = {
      "/input_default/option": 'Must be one of "a", "b".',
      "/input_default/number": "Must be a number.",
      "/input_default/numbers/1": "Must be a number.",
      "/input_default/day": "Must be a date such as 2027-01-31.",
      "/input_default/deep/inner": "Must be a time of day such as 09:30 or 09:30:00.",
      "/input_default/deep/more": "Unknown field.",
      "/input_default/items/1/inner": "Is required.",
      "/input_default/paper": 'There is no file with the id "afile_gone".',
    };
    expect(await problems({ input, input_default })).toEqual(expected);
    const { option, ...others } = input;
    const steps = [
      { type: "input", key: "one", input: others, destinations: ["two"] },
      { type: "input", key: "two", input: { option } },
    ];
    expect(await problems({ input_default, steps })).toEqual(expected);
  });

  it("checks a default against each input step that has the field", async () => {
    const step = (key: string, f: InputField) => ({ type: "input", key, input: { f }, destinations: ["end"] });
    const steps = [
      step("text", { type: "string" }),
      step("number", { type: "number" }),
      { type: "note", key: "end", note: "" },
    ];
    expect(await problems({ steps, input_default: { f: "12" } })).toEqual({});
    expect(await problems({ steps, input_default: { f: "dozen" } })).toEqual({
      "/input_default/f": "Must be a number.",
    });
  });

  it("requires input_default for `config` fields", async () => {
    const message = "Is required in input_default.";
    expect(await problems({ input: { key: secret, o: deep(secret) } })).toEqual({
      "/input_default/key": message,
      "/input_default/o/inner": message,
    });
    expect(
      await problems({ input: { o: deep({ type: "string" }, { config: true }) }, input_default: { o: {} } }),
    ).toEqual({
      "/input_default/o/inner": "Is required.",
    });
  });

  it("rejects `config` fields within a list of objects", async () => {
    const list = deep(deep({ ...secret, optional: true }), several);
    const message = expect.stringMatching(/^Must be omitted within an array of objects/);
    expect(await problems({ input: { list } })).toEqual({
      "/input/list/fields/inner/fields/inner/config": message,
    });
    const steps = [{ type: "input", key: "in", input: { "a/b": list } }];
    expect(await problems({ steps, input_default: { "a/b": [{ inner: { inner: "x" } }] } })).toEqual({
      "/steps/0/input/a~1b/fields/inner/fields/inner/config": message,
    });
  });
});
