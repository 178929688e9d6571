/** Templates with `{{ }}`: parsing, values of all types, and errors at deployment. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseTemplate, TemplateProblem } from "../../src/engine/expressions/template.ts";
import type { JsonObject, JsonValue, Step } from "../../src/index.ts";
import { give, input, openService, type Service } from "../support/engine/service.ts";

describe("a template", () => {
  /** Expressions as arrays with their positions, texts as strings. */
  const parts = (text: string) =>
    parseTemplate(text).map((part) => (typeof part === "string" ? part : [part.expression, part.at]));

  it.each<[string, unknown[]]>([
    ["", []],
    ["plain } }} { text", ["plain } }} { text"]],
    ["{{ a }}", [[" a ", 2]]],
    ["x{{a}}y{{b}}z", ["x", ["a", 3], "y", ["b", 9], "z"]],
    [
      "{{a}}{{b}}",
      [
        ["a", 2],
        ["b", 7],
      ],
    ],
    ["{{}}", [["", 2]]],
    ["{{ '}}' }}", [[" '}}' ", 2]]],
    ['{{ "a}}\\"}}" }}', [[' "a}}\\"}}" ', 2]]],
    ["{{ r'\\' }} '", [[" r'\\' ", 2], " '"]],
    ["{{ '''a'}}'b''' }}", [[" '''a'}}'b''' ", 2]]],
    ["{{ {'a': {'b': 1}} }}", [[" {'a': {'b': 1}} ", 2]]],
    ["{{{'a': 1}}}", [["{'a': 1}", 2]]],
    ["{{ a }}}", [[" a ", 2], "}"]],
    ["{ {{ a }} }", ["{ ", [" a ", 4], " }"]],
  ])("is split into text and expressions: %s", (text, expected) => expect(parts(text)).toEqual(expected));

  it.each([
    ["{{", 1],
    ["a {{ b", 3],
    ["{{ a }", 1],
    ["{{ 'a }}", 1],
    ["{{ {'a': 1 }}", 1],
    ["{{ a }} {{ b", 9],
  ])("without an end is rejected with its position: %s", (text, at) => {
    expect(() => parseTemplate(text)).toThrow(TemplateProblem);
    expect(() => parseTemplate(text)).toThrow(`at position ${at} has no closing "}}"`);
  });

  it("can be reassembled from its parts, or is rejected", () => {
    const piece = fc.constantFrom("{{", "}}", "{", "}", "'", '"', "\\", "r", "a", " ", "'''");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        try {
          const found = parseTemplate(text);
          expect(found.map((part) => (typeof part === "string" ? part : `{{${part.expression}}}`)).join("")).toBe(text);
          for (const part of found)
            if (typeof part !== "string") expect(text.slice(part.at)).toMatch(part.expression.slice(0, 0));
        } catch (error) {
          if (!(error instanceof TemplateProblem)) throw error;
        }
      }),
      { numRuns: 700 },
    );
  });
});

describe("a template in a run", () => {
  let service: Service;
  let echo: string;
  beforeAll(async () => {
    service = await openService();
    echo = await service.deploy([input("in")]);
  });
  afterAll(() => service.stepwell.close());

  const call = (values: JsonObject): Step => ({ type: "workflow", key: "call", workflow_id: echo, input: values });
  const GIVEN: JsonObject = { n: 3, s: "a", list: [1, "b"], o: { x: null }, evil: "{{ input.n }}", quote: '"' };

  async function rendered(template: JsonValue, given = GIVEN): Promise<unknown> {
    const run = await service.run([input("in"), give("before", {}, { deep: [1] }), call({ value: template })], given);
    expect(run.error).toBeNull();
    return (run.output as JsonObject)["value"];
  }

  it.each<[JsonValue, unknown]>([
    ["{{ input.n }}", 3],
    ["{{ input.list }}", [1, "b"]],
    ["{{ input.o }}", { x: null }],
    ["{{ input.n > 2 }}", true],
    ["{{ null }}", null],
    ["{{ steps.before.output.deep[0] }}", 1],
    [" {{ input.n }}", " 3"],
    ["{{ input.n }}{{ input.n }}", "33"],
    [
      "n={{ input.n }} s={{ input.s }} l={{ input.list }} o={{ input.o }} x={{ null }}",
      'n=3 s=a l=[1,"b"] o={"x":null} x=null',
    ],
    ["{{ '}}' }}", "}}"],
    ["{{ {'a': {'b': input.n}} }}", { a: { b: 3 } }],
    ["a }} b", "a }} b"],
    [
      { a: ["{{ input.n }}", { b: "x{{ input.s }}" }], c: 1 },
      { a: [3, { b: "xa" }], c: 1 },
    ],
    [{ "{{ input.s }}": 1 }, { "{{ input.s }}": 1 }],
    ["{{ input.quote }}", '"'],
  ])("is replaced by its value: %j", async (template, expected) => expect(await rendered(template)).toEqual(expected));

  it("does not evaluate templates in values", async () => {
    expect(await rendered("{{ input.evil }}")).toBe("{{ input.n }}");
    expect(await rendered("a {{ input.evil }}")).toBe("a {{ input.n }}");
    expect(await rendered("{{ [input.evil] }}")).toEqual(["{{ input.n }}"]);
  });

  it("can refer to steps with any key", async () => {
    for (const key of ["with space", "dotted.key", 'it\'s "quoted"', "a}}b", "{{", "toString", "naïve 🙂"]) {
      const template = `{{ steps[${JSON.stringify(key)}].output }}`;
      const run = await service.run([give(key, {}, "found"), call({ value: template })]);
      expect(run.output, key).toEqual({ value: "found" });
    }
  });

  it("fails the step with the position when a value is missing", async () => {
    const run = await service.run([input("in"), call({ value: "total: {{ input.o.total }}" })], GIVEN);
    expect(run.error).toMatchObject({ code: "expression_failed", step: "call" });
    expect(run.error?.message).toMatch(/No such key: total, at position \d+ of "/);
  });

  it("says which field of the step failed, with a bounded pointer", async () => {
    const fieldOf = async (values: JsonObject) => {
      const run = await service.run([input("in"), call(values)], GIVEN);
      return run.steps.find(({ key }) => key === "call")?.error?.field;
    };
    expect(await fieldOf({ value: { "a/b": ["x", "{{ input.gone }}"] } })).toBe("/input/value/a~1b/1");
    const deep = Array.from({ length: 60 }).reduce<JsonValue>((value) => ({ name: value }), "{{ input.gone }}");
    expect(await fieldOf({ value: deep })).toBeUndefined();
    const conditional = [input("in"), give("a", { conditional: "input.gone" })];
    expect((await service.run(conditional, GIVEN)).steps[1]?.error).toMatchObject({ field: "/conditional" });
    const each = {
      ...call({ value: "{{ input.gone }}" }),
      for_each: { items: "[1, 2]", on_error: "continue" },
    } as Step;
    const run = await service.run([input("in"), each], GIVEN);
    expect(run.steps[1]?.errors?.map(({ index, field }) => [index, field])).toEqual([
      [0, "/input/value"],
      [1, "/input/value"],
    ]);
  });

  it.each<[JsonValue, string, RegExp]>([
    ["{{ input.n", "/steps/1/input/value", /has no closing "}}"/],
    ["{{ }}", "/steps/1/input/value", /./],
    [["ok", { a: "{{ 1 + }}" }], "/steps/1/input/value/1/a", /at position \d+ of/],
    ["{{ nobody }}", "/steps/1/input/value", /Unknown variable: nobody/],
    ["{{ iteration }}", "/steps/1/input/value", /Unknown variable: iteration/],
    ["{{ steps.call.output }}", "/steps/1/input/value", /"call" does not run before/],
    ["{{ steps.later.output }}", "/steps/1/input/value", /"later" does not run before/],
    ["{{ steps.nobody.output }}", "/steps/1/input/value", /no step with the key "nobody"/],
  ])("is rejected at deployment: %j", async (template, pointer, message) => {
    const workflow = await service.draft([input("in"), call({ value: template }), give("later")]);
    const { valid, errors } = await service.stepwell.workflows.validate(service.app, workflow);
    expect(valid).toBe(false);
    expect(errors).toMatchObject([{ pointer, message: expect.stringMatching(message) }]);
  });

  it.each<[string, string | undefined]>([
    ["a {{ input.n", "{{ input.n"],
    ["a {{ 1 + nobody }} b", "nobody"],
    ["{{ input.n }} {{ input.n +* 2 }}", "*"],
    // Which step runs before is known of a whole field only.
    ["{{ steps.nobody.output }}", undefined],
  ])("is rejected with the place of the mistake: %j", async (template, wrong) => {
    const workflow = await service.draft([input("in"), call({ value: template })]);
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow);
    expect(errors.map(({ at, end }) => (at === undefined ? undefined : template.slice(at, end)))).toEqual([wrong]);
  });

  it("is not evaluated in code", async () => {
    const run = await service.run([{ type: "code", key: "a", code: 'give "{{ nobody"' }]);
    expect(run.output).toBe("{{ nobody");
  });
});
