/** Validation messages for expressions that read a field which the output of a step never has. */
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineService, type JsonObject } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

const shop = defineService({
  name: "shop",
  actions: {
    price: {
      input: v.object({}),
      output: v.object({ cents: v.number(), tax: v.optional(v.object({ rate: v.number() })) }),
      run: () => ({ cents: 1 }),
    },
    any: { input: v.object({}), output: v.looseObject({ cents: v.number() }), run: () => ({ cents: 1 }) },
    changed: {
      input: v.object({}),
      output: v.pipe(
        v.object({ cents: v.number() }),
        v.transform(({ cents }) => ({ euros: cents / 100 })),
      ),
      run: () => ({ cents: 1 }),
    },
  },
});

let service: TestService;
let workflow: string;
beforeAll(async () => {
  service = await createTestService({ services: [shop] });
  workflow = (await service.stepwell.workflows.create(service.app, { name: "Draft" })).id;
});
afterAll(() => service.close());

const errorsOf = async (definition: JsonObject) =>
  (await service.stepwell.workflows.validate(service.app, workflow, definition)).errors;

/** The messages for an http_request that reads the output of the step before it. */
async function messagesFor(step: JsonObject, body: string, more: JsonObject = {}): Promise<string[]> {
  const start = { type: "input", key: "start", input: {} };
  const use = { type: "http_request", key: "use", method: "POST", url: "https://example.com", body };
  const errors = await errorsOf({ ...more, steps: [start, { key: "a", ...step }, use] });
  return errors.map(({ pointer, message }) => `${pointer} ${message}`);
}

const APPROVAL = {
  type: "input",
  input: {
    ok: { type: "boolean" },
    why: { type: "string", optional: true },
    help: { type: "content" },
    at: { type: "object", fields: { city: { type: "string" } } },
    open: { type: "object", fields: { city: { type: "string" } }, additional_fields: true },
    many: { type: "object", array: true, fields: { city: { type: "string" } } },
    scan: { type: "file" },
  },
};

describe("a field that the output of an input step does not have", () => {
  it("is reported with the fields that exist", async () => {
    expect(await messagesFor(APPROVAL, "{{ steps.a.output.okk }}")).toEqual([
      '/steps/2/body steps.a.output has no field "okk". Did you mean "ok"? Its fields: ok, why, at, open, many, scan.',
    ]);
    expect(await messagesFor(APPROVAL, '{{ steps["a"].output["mani"] }}')).toEqual([
      '/steps/2/body steps.a.output has no field "mani". Did you mean "many"? Its fields: ok, why, at, open, many, scan.',
    ]);
  });

  it("is reported within objects, once for each field", async () => {
    expect(await messagesFor(APPROVAL, "{{ steps.a.output.at.town.size + steps.a.output.at.town }}")).toEqual([
      '/steps/2/body steps.a.output.at has no field "town". Its fields: city.',
    ]);
  });

  it("is reported in conditions, in code of catch routes and for the field of a step itself", async () => {
    const errors = await errorsOf({
      steps: [
        { type: "input", key: "a", input: { ok: { type: "boolean" } } },
        { type: "code", key: "b", code: "return 1", conditional: "steps.a.output.yes", loop: "steps.b.outptu == 1" },
        { type: "branch", key: "c", conditions: { x: { order: 1, condition: "steps.a.otput.ok", destinations: [] } } },
      ],
    });
    expect(errors).toEqual([
      { pointer: "/steps/1/conditional", message: 'steps.a.output has no field "yes". Its fields: ok.' },
      {
        pointer: "/steps/1/loop",
        message: expect.stringMatching(/^steps\.b has no field "outptu"\. Did you mean "output"\?/),
      },
      {
        pointer: "/steps/2/conditions/x/condition",
        message: expect.stringMatching(/^steps\.a has no field "otput"\. Did you mean "output"\?/),
      },
    ]);
  });

  it("can be one of the workflow, because a run may start at the step", async () => {
    const more = { input: { amount: { type: "number" } } };
    expect(await messagesFor(APPROVAL, "{{ steps.a.output.amount }}", more)).toEqual([]);
    expect(await messagesFor(APPROVAL, "{{ steps.a.output.amout }}", more)).toHaveLength(1);
  });
});

describe("a field that may exist or that may be missing", () => {
  it.each([
    "{{ steps.a.output.ok }} {{ steps.a.output.why }} {{ steps.a.output.at.city }}",
    "{{ steps.a.output.open.anything }} {{ steps.a.output.many[0].town }} {{ steps.a.output.scan[0].name }}",
    "{{ steps.a.output }} {{ steps.a.status }} {{ steps.a.error }} {{ steps.a.finished_at }}",
    "{{ has(steps.a.output.okk) }}",
    "{{ has(steps.a.output.okk) ? steps.a.output.okk : 1 }}",
    '{{ "okk" in steps.a.output ? steps.a.output.okk.size : 1 }}',
    "{{ steps.a.output.?okk.orValue(1) }}",
    "{{ default(steps.a.output.?okk, 1) }}",
    "{{ steps.a.output[?'okk'].orValue(1) }}",
    "{{ steps.a.output[input.name] }}",
    "{{ steps[input.name].output.okk }}",
  ])("is accepted: %s", async (text) => {
    expect(await messagesFor(APPROVAL, text)).toEqual([]);
  });

  it("is accepted in an input step without fields, which takes any object", async () => {
    expect(await messagesFor({ type: "input", input: {} }, "{{ steps.a.output.x }}")).toEqual([]);
  });
});

describe("the output of a code step", () => {
  const output = { type: "object", properties: { n: { type: "object", additionalProperties: false } } };
  const code = (schema: JsonObject, more: JsonObject = {}) => ({
    type: "code",
    code: "return {}",
    output: schema,
    ...more,
  });

  it("is known if its schema allows no additional properties", async () => {
    expect(await messagesFor(code({ ...output, additionalProperties: false }), "{{ steps.a.output.m }}")).toEqual([
      '/steps/2/body steps.a.output has no field "m". Its fields: n.',
    ]);
    expect(await messagesFor(code({ ...output, additionalProperties: false }), "{{ steps.a.output.n.x }}")).toEqual([
      '/steps/2/body steps.a.output.n has no field "x". It has no fields.',
    ]);
  });

  it.each<[string, JsonObject]>([
    ["a schema with additional properties", code(output)],
    ["patterns", code({ ...output, additionalProperties: false, patternProperties: { m: {} } })],
    ["for_each", code({ ...output, additionalProperties: false }, { for_each: { items: "[1]" } })],
    ["no schema", { type: "code", code: "return {}" }],
  ])("may have any field with %s", async (_, step) => {
    expect(await messagesFor(step, "{{ steps.a.output.m }}")).toEqual([]);
  });
});

describe("the output of other steps", () => {
  const call = (action: string) => ({ type: "service", service: { service: "shop", action, input: {} } });
  const model = (response_format: JsonObject) => ({
    type: "model",
    provider: { provider: "test", model: "m", messages: "Hello", response_format },
  });
  const schema = { type: "object", properties: { ok: { type: "boolean" } }, additionalProperties: false };
  const outputErrors = async (step: JsonObject, text: string) =>
    (await messagesFor(step, text)).filter((message) => message.startsWith("/steps/2/"));

  it.each<[string, JsonObject, string, string]>([
    ["an action", call("price"), "{{ steps.a.output.cent }}", 'output has no field "cent". Did you mean "cents"?'],
    ["an optional object of an action", call("price"), "{{ steps.a.output.tax.rat }}", 'tax has no field "rat".'],
    [
      "a request",
      { type: "http_request", url: "https://a.test" },
      "{{ steps.a.output.json }}",
      "Its fields: status, headers, body, file, mime_type.",
    ],
    [
      "a web page",
      { type: "browser", url: "https://a.test" },
      "{{ steps.a.output.body }}",
      "Its fields: status, url, title, content.",
    ],
    ["a branch", { type: "branch", conditions: {} }, "{{ steps.a.output.name }}", "Its fields: taken."],
    [
      "a model",
      model({ type: "json_schema", schema }),
      "{{ steps.a.output.object.no }}",
      'output.object has no field "no".',
    ],
    ["a model without JSON", model({ type: "text" }), "{{ steps.a.output.object }}", 'output has no field "object".'],
  ])("is known of %s", async (_, step, text, message) => {
    expect(await outputErrors(step, text)).toEqual([expect.stringContaining(message)]);
  });

  it.each<[string, JsonObject, string]>([
    ["an action", call("price"), "{{ steps.a.output.cents }} {{ steps.a.output.tax.rate }}"],
    ["an action with other fields", call("any"), "{{ steps.a.output.euros }}"],
    ["an action that converts its result", call("changed"), "{{ steps.a.output.euros }}"],
    ["a request", { type: "http_request", url: "https://a.test" }, "{{ steps.a.output.body.anything }}"],
    ["a model", model({ type: "json_object" }), "{{ steps.a.output.object.any }} {{ steps.a.output.usage.total }}"],
    ["a child run", { type: "workflow", workflow_id: "{{ input.id }}", input: {} }, "{{ steps.a.output.any }}"],
  ])("may have the field of %s", async (_, step, text) => {
    expect(await outputErrors(step, text)).toEqual([]);
  });
});

it("a pinned output may have any field in runs of the draft, but not in a deployment", async () => {
  const { stepwell, app } = service;
  const { id } = await stepwell.workflows.create(app, {
    name: "Draft",
    steps: [
      { type: "service", key: "a", service: { service: "shop", action: "price", input: {} } },
      { type: "branch", key: "b", conditions: { x: { order: 1, condition: "steps.a.output.old", destinations: [] } } },
    ],
    pinned: { a: { old: true } },
  });
  const { id: run } = await stepwell.runs.create(app, id, { version: "draft" });
  expect((await stepwell.runs.wait(app, run)).output).toEqual({ taken: "x" });
  await expect(stepwell.workflows.deploy(app, id)).rejects.toThrow('steps.a.output has no field "old"');
});
