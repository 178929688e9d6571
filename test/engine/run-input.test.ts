/** What a run is given against what its version asks for: every field type, every bad field at once. */
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

/** What the steps see of an input, or what is wrong with it or with the definition. */
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

describe("a field of type", () => {
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
    [
      "number with a list that spells it as text",
      { type: "number", list: ["2", { value: "3", label: "three" }] },
      "3",
      3,
    ],
    ["string with a list that spells it as a number", { type: "string", list: [2, 3] }, "3", "3"],
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
    ["select, open", { type: "select", options: [{ value: "a" }], additional_options: true }, "z", "z"],
    ["select, open", { type: "select", options: [{ value: "a" }], additional_options: true }, 1, refused(/string/)],
    ["connection", { type: "connection" }, "con_1", refused(/no connection/)],
    ["connection", { type: "connection" }, 1, refused(/connection/)],
    ["content", { type: "content", content: "# Hi" }, "x", refused(/no value/)],
    ["object", { type: "object", fields: {} }, {}, {}],
    ["object", { type: "object", fields: {} }, [], refused(/object/)],
    ["object", { type: "object", fields: {} }, "x", refused(/object/)],
    ["object, open", { type: "object", fields: {}, additional_fields: true }, { x: [1] }, { x: [1] }],
    ["object, with these", { type: "object", fields: {}, additional_fields: ["x"] }, { x: null }, { x: null }],
  ])("%s %j takes %j: %j", async (_, field, value, expected) => expect(await one(field, value)).toEqual(expected));

  it("content is only shown: it is no value, and none is missing", async () => {
    expect(await given({ text: { type: "content" } }, {})).toEqual({ values: {} });
  });
});

describe("what is left out", () => {
  const n: InputField = { type: "number" };
  it.each<[string, InputDefinition, JsonObject, JsonObject | null, Answer]>([
    ["is an error", { n }, {}, null, { errors: { "/input/n": "Is required." } }],
    ["null is left out", { n }, { n: null }, null, { errors: { "/input/n": "Is required." } }],
    ["is null where it is optional", { n: { ...n, optional: true } }, {}, null, { values: { n: null } }],
    ["is the field's default", { n: { ...n, default: 0 } }, {}, null, { values: { n: 0 } }],
    ["false is a default", { b: { type: "boolean", default: false } }, {}, null, { values: { b: false } }],
    ["is input_default before the field's", { n: { ...n, default: 1 } }, {}, { n: 2 }, { values: { n: 2 } }],
    ["what is given comes first", { n: { ...n, default: 1 } }, { n: 3 }, { n: 2 }, { values: { n: 3 } }],
    ["a default of null is none", { n: { ...n, default: 1 } }, {}, { n: null }, { values: { n: 1 } }],
    ["defaults are checked too", { n }, {}, { n: "many" }, { errors: { "/input_default/n": "Must be a number." } }],
    ["config comes from input_default", { n: { ...n, config: true } }, {}, { n: 5 }, { values: { n: 5 } }],
    [
      "config is not a run's to give",
      { n: { ...n, config: true } },
      { n: 6 },
      { n: 5 },
      { errors: { "/input/n": expect.stringContaining("input_default") as string } },
    ],
    [
      "config without a value is an error",
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
      "config within an object comes from input_default, and so does what a run leaves out there",
      { o: { type: "object", fields: { key: { ...n, config: true }, n, m: n } } },
      { o: { m: 1 } },
      { o: { key: 5, n: 6, m: 7 } },
      { values: { o: { key: 5, n: 6, m: 1 } } },
    ],
    [
      "an object that a run leaves out comes whole from input_default",
      { o: { type: "object", optional: true, additional_fields: ["more"], fields: { key: { ...n, config: true } } } },
      {},
      { o: { key: 5, more: "x" } },
      { values: { o: { key: 5, more: "x" } } },
    ],
    [
      "what input_default says too much within an object",
      { o: { type: "object", fields: { n } } },
      {},
      { o: { n: "x", more: "x" } },
      { errors: { "/input_default/o/n": "Must be a number.", "/input_default/o/more": "Unknown field." } },
    ],
    [
      "config within an object is not a run's to give",
      { o: { type: "object", fields: { key: { ...n, config: true } } } },
      { o: { key: 6 } },
      { o: { key: 5 } },
      { errors: { "/input/o/key": expect.stringContaining("input_default") as string } },
    ],
  ])("%s", async (_, definition, values, defaults, expected) => {
    expect(await given(definition, values, defaults)).toEqual(expected);
  });

  it("without any definition a run takes what it is given", async () => {
    expect(await given({}, { any: [{ thing: null }] })).toEqual({ values: { any: [{ thing: null }] } });
  });
});

describe("several values", () => {
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
  ])("%j", async (value, expected) => expect(await one(ns, value)).toEqual(expected));

  it("may be none where they are optional", async () => {
    expect(await one({ ...ns, optional: true }, [])).toEqual([]);
  });

  it("of objects are checked one by one", async () => {
    const field: InputField = { type: "object", array: true, fields: { n: { type: "number" } } };
    expect(await given({ f: field }, { f: [{ n: 1 }, { n: "x", more: 1 }] })).toEqual({
      errors: { "/input/f/1/n": "Must be a number.", "/input/f/1/more": "Unknown field." },
    });
  });
});

describe("every bad field", () => {
  it("is told at once, with its pointer", async () => {
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

  it("has a name that objects have of themselves without harm", async () => {
    expect(await given({ n: { type: "number", optional: true } }, { constructor: 1, toString: 2 })).toEqual({
      errors: { "/input/constructor": "Unknown field.", "/input/toString": "Unknown field." },
    });
    const named = Object.fromEntries([["toString", { type: "string", optional: true } as const]]);
    expect(await given(named, {})).toEqual({ values: { toString: null } });
  });

  it("may stand in the version's definition or in that of the input step", async () => {
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
