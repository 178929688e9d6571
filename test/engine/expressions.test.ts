/** The language of conditions and `{{ }}`: CEL with JSON values, and errors with a position. */
import { beforeAll, describe, expect, it } from "vitest";
import { createCel } from "../../src/engine/expressions/cel.ts";
import type { ExpressionScope } from "../../src/engine/expressions/expression-scope.ts";
import type { JsonObject } from "../../src/json.ts";
import { systemClock } from "../../src/time/system-clock.ts";

const cel = createCel(systemClock);
beforeAll(() => cel.prepare("matches"));
const at = { attempts: 1, started_at: null, finished_at: null };
const done = (output: ExpressionScope["steps"][string]["output"]) => ({
  output,
  error: null,
  status: "succeeded",
  ...at,
});
const scope: ExpressionScope = {
  input: {
    n: 3,
    seven: 7,
    f: 2.5,
    s: "a",
    list: [1, 2, 3],
    people: [{ name: "Ada", age: 36 }, { name: "Bo" }],
    o: { a: 1, "odd key": [true] },
    nul: null,
    yes: true,
    evil: "{{ input.n }}",
    "": "empty",
  },
  steps: Object.assign(Object.create(null) as object, {
    plain: done({ total: 12 }),
    'with space.and "quotes"\'': done(1),
    off: { output: null, error: null, status: "skipped", ...at },
    bad: { output: null, error: { code: "http_status", message: "no", attempts: 1 }, status: "failed", ...at },
  }),
  run: { id: "run_1", workflow_id: "work_1", version: 2, trigger: { type: "api" }, tags: [], metadata: {} },
  app: { id: "app_1", name: "Lending" },
  now: new Date(Date.UTC(2027, 0, 31, 9, 30)),
};
const value = (text: string) => cel.compile(text, "anywhere").evaluate(scope);

describe("an expression with numbers", () => {
  it.each<[string, unknown]>([
    ["input.n + 1", 4],
    ["input.n + 1.5", 4.5],
    ["1 + 1.5", 2.5],
    ["2 * input.f", 5],
    ["input.n / 2", 1.5],
    ["5 / 2", 2.5],
    ["7 / 2 == input.seven / 2 && [7, 6].map(n, n / 2) == [input.seven / 2, 3]", true],
    ["1 + 7 / 2 * 2 - 7 / -2", 11.5],
    ["size(input.list) / 2 + int('9') / 2", 6],
    ["floor(7 / 2) + floor(-7 / 2)", -1],
    ["7u / 2u", 3],
    ["[6 / 2, 7 / 2, 2 / 4].map(x, string(x))", ["3", "3.5", "0.5"]],
    ["input.list[4 / 2] + [1, 2][1 / 1]", 5],
    ["input.n % 2", 1],
    ["7.5 % 2", 1.5],
    ["-input.n", -3],
    ["1 + input.n + 1", 5],
    ["(1 - input.f) * 2 - 1", -4],
    ["10 / input.n / 2 * 3 % 4", 1],
    ["max(0, 1 - input.n - 1)", 0],
    ["input.list[4 - input.n - 1]", 1],
    ["sort(input.list)[floor(size(input.list) / 2)] + [4, 5][?1 - 1.0].orValue(0)", 6],
    ["1 + '' + 1 + 2.5 + size(2 + 'a')", "112.52"],
    ["input.n == 3 && input.n == 3.0 && 3 == 3.0 && 3.0 == 3", true],
    ["3 != 3.5 && 3 != input.f", true],
    ["1 < 1.5 && 1.5 > 1 && 2 >= 2.0 && input.f <= 3", true],
    ["input.n in [1, 2, 3] && 3 in input.list", true],
    ["3.0 in [3] && 3 in [1.0, 3.0] && !(3.5 in [3]) && input.f in [2.5, 3]", true],
    ["[1] == [1.0] && {'a': 1} == {'a': 1.0} && [1] != [1.5]", true],
    ["size(input.list) == input.n", true],
    ["input.list[input.n - 1]", 3],
    ["input.list[0] == 1", true],
    ["int('12') + double('1.5')", 13.5],
    ["round(2.5) + round(2)", 5],
    ["sum(input.list) / size(input.list)", 2],
    ["sum(input.people.map(p, p.?age.orValue(0)))", 36],
    ["uint(1)", 1],
    ["1u + 1u", 2],
    ["{'a': input.n, 'b': [1, 2.5, 3u]}", { a: 3, b: [1, 2.5, 3] }],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each(["1 / 0", "input.n / 0", "input.n % 0", "1.0 / 0.0", "9223372036854775807 + 1"])(
    "fails when the result is not a finite number: %s",
    (text) => expect(() => value(text)).toThrow(/by zero|must be a finite number|overflow/),
  );
});

describe("an expression with missing values or null", () => {
  it.each<[string, unknown]>([
    ["input.nul", null],
    ["input.nul == null", true],
    ["input.n == null", false],
    ["has(input.gone)", false],
    ["has(input.nul)", true],
    ["input.?gone", null],
    ["input.?gone.orValue(7)", 7],
    ["input.?o.?a.orValue(7)", 1],
    ["input.?gone.?deeper.?still.orValue('x')", "x"],
    ["input[?'gone'].orValue(1)", 1],
    ["input.list[?9].orValue(0)", 0],
    ["steps.off.output == null && steps.off.status == 'skipped'", true],
    ["steps.bad.error.code", "http_status"],
    ["'a' in input.o && !('b' in input.o)", true],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    ["input.gone", /^No such key: gone, at position 7 of "input\.gone"$/],
    ["1 + input.o.gone", /gone, at position 13 of/],
    ["input.list[10]", /index 10 .*at position 1 of/],
    ["input.list.filter(x, x > 9)[0]", /index 0 >= size 0, at position 1 of/],
    ["input.nul.deeper", /deeper/],
    ["input.s < 1", /^Cannot compare a string with a number, at position 1 of/],
    ["input.n ? 1 : 2", /bool.*at position 7 of/],
    ["!input.n", /at position 1 of/],
    ["steps.nobody.output", /No such key: nobody, at position 7 of/],
    ["parseJson('{')", /valid JSON/],
    ["timestamp(input.s)", /timestamp.*at position 1 of/],
  ])("fails with reason and position: %s", (text, message) => {
    expect(() => value(text)).toThrow(expect.objectContaining({ code: "expression_failed" }));
    expect(() => value(text)).toThrow(message);
  });
});

describe("an expression with mixed types", () => {
  it.each<[string, unknown]>([
    ["['a'] + [1]", ["a", 1]],
    ["[1] + [1.5] + [true] + [null]", [1, 1.5, true, null]],
    ["[{'a': 1}] + [{'b': 'x'}]", [{ a: 1 }, { b: "x" }]],
    ["[[1]] + [['a']]", [[1], ["a"]]],
    ["[1].map(x, [x] + ['a'])", [[1, "a"]]],
    ["[1, 2].map(x, 'a') + [1]", ["a", "a", 1]],
    ["input.list + ['a']", [1, 2, 3, "a"]],
    ["keys({'a': 1}) + [1]", ["a", 1]],
    ["cel.bind(x, ['a'], x + [1])", ["a", 1]],
    ["(['a'] + [1])[1] + 'b'", "1b"],
    ["1 in (['a'] + [1])", true],
    ["['a'] + [1] == ['a', 1]", true],
    ["input.yes ? 1 : 'a'", 1],
    ["(input.yes ? [1] : ['a']) + [true]", [1, true]],
    ["(input.yes ? 1 : 'a') == 'a'", false],
    ["(input.yes ? {'a': 1} : {'b': 'x'}).a", 1],
    ["input.yes ? now : null", "2027-01-31T09:30:00.000Z"],
    ["{'a': 1, 'b': 'x', 'c': [1, 'y']}.c[1] + 'z'", "yz"],
    ["[1, 'a'].filter(x, x == 'a')", ["a"]],
    ["{'a': 1}.?a.orValue('none')", 1],
    ["{'a': 1}.?b.orValue('none')", "none"],
    ["[1][?3].or(optional.of('x')).orValue(true)", "x"],
    ["[1] in [['a'], [1]] && !([1] in [['a']])", true],
    ["{'a': 1} == {'a': 'b'} || [1] == ['a']", false],
    ["1u == 1 && 1.0 == 1u && 1u + 1 == 2 && 1.5 - 1u == 0.5", true],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each(["[1] + 1", "[1] + null", "'a' - 1", "1 == 'a'", "[1] in ['a']", "'a'.orValue(1)", "[1]['a']", "1 ? 2 : 3"])(
    "does not compile: %s",
    (text) => expect(() => cel.compile(text, "anywhere")).toThrow(/, at position \d+ of /),
  );
});

describe("an expression with strings, lists, JSON or dates", () => {
  it.each<[string, unknown]>([
    ["'n' + input.n + input.f", "n32.5"],
    ["1 + 'n'", "1n"],
    ["'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c')", true],
    ["'order-12'.matches('^order-[0-9]+$')", true],
    ["'a-b-a'.replace('a', '$&')", "$&-b-$&"],
    ["'a,b'.split(',').join('+')", "a+b"],
    ["' A '.trim().lowerAscii()", "a"],
    ["'é😀'.size()", 2],
    ["r'\\d' + \"\\n\"", "\\d\n"],
    ["input.list.map(x, x * 2).filter(x, x > 2)", [4, 6]],
    ["input.people.filter(p, has(p.age)).map(p, p.name)", ["Ada"]],
    ["input.list.exists(x, x == 2) && input.list.all(x, x > 0)", true],
    ["input.list + [4]", [1, 2, 3, 4]],
    ["input.list == [1, 2, 3] && input.o == {'a': 1, 'odd key': [true]}", true],
    ["input.o['odd key'][0]", true],
    ["input['']", "empty"],
    ["keys(input.o)", ["a", "odd key"]],
    ["values({'a': 1})", [1]],
    ["json(input.people)", '[{"name":"Ada","age":36},{"name":"Bo"}]'],
    ["json('\"')", '"\\""'],
    ["parseJson('{\"a\": [1]}').a[0] + 1", 2],
    ["now", "2027-01-31T09:30:00.000Z"],
    ["string(now)", "2027-01-31T09:30:00.000Z"],
    ["now + duration('36h')", "2027-02-01T21:30:00.000Z"],
    ["now.getFullYear() == 2027 && now < timestamp('2027-02-01T00:00:00Z')", true],
    ["run.id + ' ' + run.version + ' ' + app.name", "run_1 2 Lending"],
    ["input.yes ? 'y' : 'n'", "y"],
    ["input.yes ? 1 : 'n'", 1],
    ["input.yes ? null : {'a': 1}", null],
    ["(input.yes ? [1] : {'a': 1})[0] + 1", 2],
    ["input.n > 9 ? 1 : input.n > 2 ? 'two' : [3]", "two"],
    ["[1, 'a', null, {'b': true}]", [1, "a", null, { b: true }]],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it("returns a JSON value of the scope itself, without evaluating templates in it", () => {
    expect(value("input.people")).toBe(scope.input["people"]);
    expect(value("input.evil")).toBe("{{ input.n }}");
  });
});

describe("names in an expression", () => {
  it.each<[string, string[]]>([
    ["steps.plain.output.total", ["plain"]],
    ['steps["with space.and \\"quotes\\"\'"].output', ['with space.and "quotes"\'']],
    ["steps.?plain.?output.orValue(1) == steps[?'off'].orValue(2)", ["plain", "off"]],
    ["input.list.map(x, steps.plain.output.total + x)", ["plain"]],
    ["input.steps.plain == 'steps.off'", []],
  ])("include the steps that it uses: %s", (text, steps) =>
    expect([...cel.compile(text, "anywhere").steps].sort()).toEqual([...steps].sort()),
  );

  it.each<[string, unknown]>([['steps["with space.and \\"quotes\\"\'"].output', 1]])(
    "can be any step key: %s",
    (text, expected) => expect(value(text)).toEqual(expected),
  );

  it.each<[string, unknown]>([
    ["input.constructor.constructor", "data"],
    ["input.prototype", 1],
    ["input", { constructor: { constructor: "data", list: [1] }, prototype: 1, all: [{ constructor: 1 }, { a: 2 }] }],
    ["has(input.constructor.list) && !has(input.constructor.gone)", true],
    ["input.?constructor.?list[?0].orValue(7)", 1],
    ["input.all.map(x, x.?constructor.orValue(0))", [1, 0]],
    ["input.all.filter(x, 'constructor' in x)", [{ constructor: 1 }]],
    ["input.all[0] == {'constructor': 1} && input.all[0] != {'constructor': 2}", true],
    ["input.all == [{'constructor': 1}, {'a': 2}]", true],
    ["keys(input).sort()", ["all", "constructor", "prototype"]],
    ["entries(input.all[0])", [{ key: "constructor", value: 1 }]],
    ["merge(input.all[0], {'b': 1})", { constructor: 1, b: 1 }],
    ["json(input.all[0])", '{"constructor":1}'],
    ["size(input) + size(input.all[0])", 4],
    ["{'constructor': 1, 'prototype': 2, 'toString': 3}", { constructor: 1, prototype: 2, toString: 3 }],
    ["{'constructor': {'a': 1}}.constructor.a", 1],
    ["{'__proto__': {'a': 1}}['__proto__'].a", 1],
    ["steps.constructor.output", "of a step"],
    ["steps['constructor'].output", "of a step"],
  ])("of Object.prototype members refer to data that has them: %s", (text, expected) => {
    const all: JsonObject[] = [{ constructor: 1 }, { a: 2 }];
    const input: JsonObject = { constructor: { constructor: "data", list: [1] }, prototype: 1, all };
    const steps = Object.assign(Object.create(null) as object, { constructor: done("of a step") });
    expect(cel.compile(text, "anywhere").evaluate({ ...scope, input, steps })).toEqual(expected);
  });

  it("cannot reach a prototype by __proto__, which no result may have as a key", () => {
    expect(() => value("{'__proto__': {'a': 1}}.a")).toThrow(/No such key: a/);
    expect(() => value("{'__proto__': 1}")).toThrow(/"__proto__" is not allowed/);
    expect(() => value("json({'__proto__': 1})")).toThrow(/"__proto__" is not allowed/);
  });

  it.each([
    "input.__proto__",
    "input.constructor",
    "input['constructor']",
    "input.toString",
    "input.hasOwnProperty",
    "input.o.constructor.constructor",
    "input.list.constructor",
    "input.list.length",
    "input.s.length",
    "'a'.constructor",
    "steps.toString",
    "steps.plain.constructor",
    "input.o.valueOf()",
    "globalThis",
    "process.env",
    "iteration",
    "this",
  ])("cannot reach anything outside the scope: %s", (text) => expect(() => value(text)).toThrow());

  it("such as iteration, previous and output exist only in loops", () => {
    const loop = cel.compile("iteration > 2 || output.done || previous == null", "loop");
    expect(loop.evaluate({ ...scope, iteration: 1, previous: 1, output: { done: false } })).toBe(false);
    expect(() => cel.compile("previous", "anywhere")).toThrow("Unknown variable: previous, at position 1 of");
  });
});

describe("an expression that does not compile", () => {
  it.each([
    ["1 +", /at position 4 of "1 \+"/],
    ["'open", /Unterminated string, at position 1 of/],
    ["input.n = 3", /at position 9 of/],
    ["nobody.x", /Unknown variable: nobody, at position 1 of/],
    ["nothing(1)", /at position 1 of/],
    ["'a' - 1", /at position 1 of/],
    ["", /of ""/],
    ["   ", /./],
  ])("fails with the position: %s", (text, message) => {
    expect(() => cel.compile(text, "anywhere")).toThrow(expect.objectContaining({ name: "CelProblem" }));
    expect(() => cel.compile(text, "anywhere")).toThrow(message);
  });

  it.each([
    ["sums", Array(3_000).fill("1").join(" + ")],
    ["nested brackets", `${"(".repeat(200)}1${")".repeat(200)}`],
    ["lists", `[${Array(2_000).fill("1").join(",")}]`],
    ["nested lists", `${"[".repeat(200)}${"]".repeat(200)}`],
    ["negations", `${"!".repeat(5_000)}true`],
    ["conditions", `${"true ? ".repeat(500)}1${" : 2".repeat(500)}`],
  ])("is rejected when it is too large: %s", (_, text) => {
    expect(() => cel.compile(text, "anywhere")).toThrow(expect.objectContaining({ name: "CelProblem" }));
  });

  it.each(["!", "-", "!-"])("says that it is nested too deeply when it begins with 100,000 times %s", (operator) => {
    const text = `${operator.repeat(100_000)}true`;
    expect(() => cel.compile(text, "anywhere")).toThrow(/^The expression is nested too deeply, in "[!-]+…"$/);
  });

  it("quotes only an excerpt of a long expression", () => {
    const problem = (): unknown => {
      try {
        return cel.compile(`nobody + '${"x".repeat(100_000)}'`, "anywhere");
      } catch (error) {
        return error;
      }
    };
    expect(String(problem()).length).toBeLessThan(500);
  });
});
