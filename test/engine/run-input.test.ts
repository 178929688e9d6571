/** The input of a run against the fields of its version: every field type, all invalid fields at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InputDefinition, InputField, JsonObject, JsonValue } from "../../src/index.ts";
import { isStepwellError } from "../../src/index.ts";
import { give, input, openService, type Service } from "../support/engine/service.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

interface Answer {
  readonly values?: JsonValue;
  readonly errors?: Readonly<Record<string, string>>;
}

/** The input as steps see it, or the errors of the input or of the definition. */
async function given(
  definition: InputDefinition,
  values: JsonObject,
  input_default: JsonObject | null = null,
): Promise<Answer> {
  return answer(
    (async () => service.runOf(await service.deploy([input("in")], { input: definition, input_default }), values))(),
  );
}

async function answer(run: ReturnType<Service["runOf"]>): Promise<Answer> {
  try {
    return { values: (await run).output };
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    return { errors: Object.fromEntries(error.errors.map(({ pointer, message }) => [pointer, message])) };
  }
}

const one = async (field: InputField, value: JsonValue): Promise<JsonValue | undefined> => {
  const { values, errors } = await given({ f: field }, { f: value });
  if (errors !== undefined) return `refused: ${errors["/input/f"] ?? JSON.stringify(errors)}`;
  return (values as JsonObject)["f"];
};

const refused = (message: RegExp) => expect.stringMatching(new RegExp(`^refused: .*${message.source}`));

describe("an input field", () => {
  it.each<[string, InputField, JsonValue, unknown]>([
    ["number", { type: "number" }, 1.5, 1.5],
    ["number", { type: "number" }, "1e3", 1_000],
    ["number", { type: "number" }, " -.5 ", -0.5],
    ["number", { type: "number" }, 0, 0],
    ["number", { type: "number" }, "", refused(/number/)],
    ["number", { type: "number" }, "0x10", refused(/number/)],
    ["number", { type: "number" }, "1e999", refused(/number/)],
    ["number", { type: "number" }, "12 apples", refused(/number/)],
    ["number", { type: "number" }, true, refused(/number/)],
    ["number", { type: "number" }, [1], refused(/number/)],
    ["number with a list", { type: "number", list: [1, { value: 2, label: "two" }] }, "2", 2],
    ["number with a list", { type: "number", list: [1, { value: 2, label: "two" }] }, 3, refused(/one of 1, 2/)],
    ["number with a list of strings", { type: "number", list: ["2", { value: "3", label: "three" }] }, "3", 3],
    ["string with a list of numbers", { type: "string", list: [2, 3] }, "3", "3"],
    ["number with an empty list", { type: "number", list: [] }, 3, 3],
    ["string", { type: "string" }, "x", "x"],
    ["string", { type: "string" }, "", ""],
    ["string", { type: "string" }, "{{ 1 }}", "{{ 1 }}"],
    ["string", { type: "string" }, 1, refused(/string/)],
    ["string", { type: "string" }, {}, refused(/string/)],
    ["string with a list", { type: "string", list: ["a", "b"] }, "b", "b"],
    ["string with a list", { type: "string", list: ["a", "b"] }, "c", refused(/one of "a", "b"/)],
    ["url", { type: "string", validation: "url" }, "https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["url", { type: "string", validation: "url" }, "example.com", refused(/URL/)],
    ["url", { type: "string", validation: "url" }, "http://x.test\n", refused(/line break/)],
    ["url", { type: "string", validation: "url" }, "http://x.test/\ta", refused(/line break/)],
    ["url", { type: "string", validation: "url" }, " http://x.test ", refused(/spaces/)],
    ["url", { type: "string", validation: "url" }, "javascript:alert(1)", refused(/URL/)],
    ["url", { type: "string", validation: "url" }, "ftp://example.com", refused(/URL/)],
    ["boolean", { type: "boolean" }, false, false],
    ["boolean", { type: "boolean" }, "true", true],
    ["boolean", { type: "boolean" }, "yes", refused(/true or false/)],
    ["boolean", { type: "boolean" }, 1, refused(/true or false/)],
    ["date", { type: "date" }, "2028-02-29", "2028-02-29"],
    ["date", { type: "date" }, "2027-02-29", refused(/date/)],
    ["date", { type: "date" }, "2027-1-1", refused(/date/)],
    ["date", { type: "date" }, "2027-01-31T00:00:00Z", refused(/date/)],
    ["date", { type: "date" }, 20_270_131, refused(/date/)],
    ["datetime", { type: "datetime" }, "2027-01-31T09:30:00Z", "2027-01-31T09:30:00Z"],
    ["datetime", { type: "datetime" }, "2027-01-31T09:30", "2027-01-31T09:30"],
    ["datetime", { type: "datetime" }, "2027-01-31T09:30:00.123+05:30", "2027-01-31T09:30:00.123+05:30"],
    ["datetime", { type: "datetime" }, "2027-01-31T24:00:00Z", refused(/date and time/)],
    ["datetime", { type: "datetime" }, "2027-02-30T09:30:00Z", refused(/date and time/)],
    ["datetime", { type: "datetime" }, "2027-01-31 09:30", refused(/date and time/)],
    ["datetime", { type: "datetime" }, "2027-01-31", refused(/date and time/)],
    ["time", { type: "time" }, "23:59", "23:59"],
    ["time", { type: "time" }, "09:30:15.5", "09:30:15.5"],
    ["time", { type: "time" }, "24:00", refused(/time of day/)],
    ["time", { type: "time" }, "9:30", refused(/time of day/)],
    ["select", { type: "select", options: [{ value: "a" }, { value: "b", label: "B" }] }, "b", "b"],
    ["select", { type: "select", options: [{ value: "a" }] }, "A", refused(/one of "a"/)],
    ["select", { type: "select", options: [{ value: "a" }], list: ["c"] }, "c", "c"],
    ["select", { type: "select", options: [{ value: "a" }] }, 1, refused(/./)],
    [
      "select with additional_options",
      { type: "select", options: [{ value: "a" }], additional_options: true },
      "z",
      "z",
    ],
    [
      "select with additional_options",
      { type: "select", options: [{ value: "a" }], additional_options: true },
      1,
      refused(/string/),
    ],
    ["connection", { type: "connection" }, "con_1", refused(/no connection/)],
    ["connection", { type: "connection" }, 1, refused(/connection/)],
    ["content", { type: "content", content: "# Hi" }, "x", refused(/no value/)],
    ["object", { type: "object", fields: {} }, {}, {}],
    ["object", { type: "object", fields: {} }, [], refused(/object/)],
    ["object", { type: "object", fields: {} }, "x", refused(/object/)],
    [
      "object with any additional_fields",
      { type: "object", fields: {}, additional_fields: true },
      { x: [1] },
      { x: [1] },
    ],
    [
      "object with additional_fields",
      { type: "object", fields: {}, additional_fields: ["x"] },
      { x: null },
      { x: null },
    ],
  ])("of type %s %j turns %j into %j", async (_, field, value, expected) =>
    expect(await one(field, value)).toEqual(expected),
  );

  it("of type content has no value and is never missing", async () => {
    expect(await given({ text: { type: "content" } }, {})).toEqual({ values: {} });
  });
});

describe("a missing input field", () => {
  const n: InputField = { type: "number" };
  it.each<[string, InputDefinition, JsonObject, JsonObject | null, Answer]>([
    ["required", { n }, {}, null, { errors: { "/input/n": "Is required." } }],
    ["null counts as missing", { n }, { n: null }, null, { errors: { "/input/n": "Is required." } }],
    ["optional: null", { n: { ...n, optional: true } }, {}, null, { values: { n: null } }],
    ["the field's default", { n: { ...n, default: 0 } }, {}, null, { values: { n: 0 } }],
    ["a default of false", { b: { type: "boolean", default: false } }, {}, null, { values: { b: false } }],
    ["input_default before the field's default", { n: { ...n, default: 1 } }, {}, { n: 2 }, { values: { n: 2 } }],
    ["the input of the run before all defaults", { n: { ...n, default: 1 } }, { n: 3 }, { n: 2 }, { values: { n: 3 } }],
    ["null in input_default counts as missing", { n: { ...n, default: 1 } }, {}, { n: null }, { values: { n: 1 } }],
    ["an invalid input_default", { n }, {}, { n: "many" }, { errors: { "/input_default/n": "Must be a number." } }],
    ["config from input_default", { n: { ...n, config: true } }, {}, { n: 5 }, { values: { n: 5 } }],
    [
      "config in the input of a run is an error",
      { n: { ...n, config: true } },
      { n: 6 },
      { n: 5 },
      { errors: { "/input/n": expect.stringContaining("input_default") as string } },
    ],
    [
      "config without input_default is an error",
      { n: { ...n, config: true } },
      {},
      null,
      { errors: { "/input_default/n": "Is required in input_default." } },
    ],
    [
      "nested defaults",
      { o: { type: "object", fields: { n: { ...n, default: 7 } } } },
      { o: {} },
      null,
      { values: { o: { n: 7 } } },
    ],
    ["an optional object", { o: { type: "object", optional: true, fields: { n } } }, {}, null, { values: { o: null } }],
    [
      "config and missing fields within an object, from input_default",
      { o: { type: "object", fields: { key: { ...n, config: true }, n, m: n } } },
      { o: { m: 1 } },
      { o: { key: 5, n: 6, m: 7 } },
      { values: { o: { key: 5, n: 6, m: 1 } } },
    ],
    [
      "a whole object from input_default",
      { o: { type: "object", optional: true, additional_fields: ["more"], fields: { key: { ...n, config: true } } } },
      {},
      { o: { key: 5, more: "x" } },
      { values: { o: { key: 5, more: "x" } } },
    ],
    [
      "unknown and invalid fields in input_default",
      { o: { type: "object", fields: { n } } },
      {},
      { o: { n: "x", more: "x" } },
      { errors: { "/input_default/o/n": "Must be a number.", "/input_default/o/more": "Unknown field." } },
    ],
    [
      "config within an object in the input of a run is an error",
      { o: { type: "object", fields: { key: { ...n, config: true } } } },
      { o: { key: 6 } },
      { o: { key: 5 } },
      { errors: { "/input/o/key": expect.stringContaining("input_default") as string } },
    ],
  ])("gets its value or error: %s", async (_, definition, values, defaults, expected) => {
    expect(await given(definition, values, defaults)).toEqual(expected);
  });

  it("is no error without a definition: the run accepts any input", async () => {
    expect(await given({}, { any: [{ thing: null }] })).toEqual({ values: { any: [{ thing: null }] } });
  });
});

describe("an input field with array: true", () => {
  const ns: InputField = { type: "number", array: true };
  it.each<[JsonValue, unknown]>([
    [
      [1, "2"],
      [1, 2],
    ],
    [3, [3]],
    [[], refused(/at least one/)],
    [[1, "x"], refused(/input\/f\/1.*number/)],
    [[1, null], refused(/input\/f\/1.*number/)],
    [[[1]], refused(/input\/f\/0.*number/)],
  ])("accepts or rejects %j", async (value, expected) => expect(await one(ns, value)).toEqual(expected));

  it("may be empty when optional", async () => {
    expect(await one({ ...ns, optional: true }, [])).toEqual([]);
  });

  it("reports errors of each object by pointer", async () => {
    const field: InputField = { type: "object", array: true, fields: { n: { type: "number" } } };
    expect(await given({ f: field }, { f: [{ n: 1 }, { n: "x", more: 1 }] })).toEqual({
      errors: { "/input/f/1/n": "Must be a number.", "/input/f/1/more": "Unknown field." },
    });
  });
});

describe("invalid input", () => {
  it("is reported completely, with a JSON Pointer for each field", async () => {
    const definition: InputDefinition = {
      n: { type: "number" },
      "a/b~c": { type: "string" },
      o: {
        type: "object",
        fields: { deep: { type: "object", fields: { t: { type: "time" } } } },
        additional_fields: ["ok"],
      },
      fine: { type: "boolean" },
    };
    const { errors } = await given(definition, {
      n: "x",
      "a/b~c": 1,
      o: { deep: { t: 1 }, ok: 1, no: 1 },
      fine: true,
      extra: 1,
    });
    expect(Object.keys(errors ?? {}).sort()).toEqual([
      "/input/a~1b~0c",
      "/input/extra",
      "/input/n",
      "/input/o/deep/t",
      "/input/o/no",
    ]);
  });

  it("may have fields named as Object.prototype members", async () => {
    expect(await given({ n: { type: "number", optional: true } }, { constructor: 1, toString: 2 })).toEqual({
      errors: { "/input/constructor": "Unknown field.", "/input/toString": "Unknown field." },
    });
    const named = Object.fromEntries([["toString", { type: "string", optional: true } as const]]);
    expect(await given(named, {})).toEqual({ values: { toString: null } });
  });

  it("is checked against the fields of the version and of the input step", async () => {
    const steps = [
      input("one", { input: { a: { type: "number" } }, destinations: ["x"] }),
      input("two", { input: { b: { type: "number" } }, destinations: ["x"] }),
      give("x"),
    ];
    const workflow = await service.deploy(steps, { input: { all: { type: "string" } } });
    const create = (values: JsonObject, step_key?: string) =>
      answer(
        service.stepwell.runs.create(service.app, workflow, {
          input: values,
          ...(step_key === undefined ? {} : { step_key }),
        }),
      );
    expect(await create({})).toEqual({ errors: { "/input/all": "Is required.", "/input/a": "Is required." } });
    expect(await create({ all: "x", a: 1 }, "two")).toEqual({
      errors: { "/input/b": "Is required.", "/input/a": "Unknown field." },
    });
    expect(await create({ all: "x" }, "nobody")).toEqual({
      errors: { "/step_key": 'Must be the key of an input step: "one", "two".' },
    });
    expect(await create({ all: "x", b: 1 }, "two")).not.toHaveProperty("errors");
  });
});
