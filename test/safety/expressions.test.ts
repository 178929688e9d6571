/** Expressions end soon for any data, fail only with expression_failed, and leak nothing. */

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { CelProblem, createCel } from "../../src/engine/expressions/cel.ts";
import type { ExpressionScope } from "../../src/engine/expressions/expression-scope.ts";
import { StepError } from "../../src/engine/step-error.ts";
import { type JsonObject, jsonProblem } from "../../src/json.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { anyCharacter } from "../support/any-character.ts";

const cel = createCel(systemClock);
beforeAll(() => cel.prepare("matches"));

function scopeOf(input: JsonObject): ExpressionScope {
  return {
    input,
    steps: {},
    run: { id: "run_1", workflow_id: "work_1", version: 1, trigger: { type: "api" }, tags: [], metadata: {} },
    app: { id: "app_1", name: "App" },
    now: new Date(0),
  };
}

/** The error of an expression, or null. */
function errorOf(text: string, input: JsonObject): unknown {
  const compiled = cel.compile(text, "anywhere");
  try {
    compiled.evaluate(scopeOf(input));
    return null;
  } catch (error) {
    return error;
  }
}

const numbers = Array.from({ length: 1_000 }, (_, index) => index);
const large: JsonObject = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, { n: index }]));
const data: JsonObject = {
  numbers,
  large,
  names: Object.keys(large),
  objects: numbers.map((n) => ({ a: { b: n } })),
  text: "ab".repeat(500_000),
  texts: Array.from({ length: 2_000 }, () => "ab".repeat(500)),
  odd: Object.fromEntries([["constructor", 1], ...Object.entries(large)]),
};

/** `cel.bind(a0, FIRST, cel.bind(a1, NEXT of a0, …` */
function doubled(first: string, next: (name: string) => string, times: number, last = (name: string) => name): string {
  const binds = Array.from({ length: times }, (_, at) => `cel.bind(a${at}, ${at === 0 ? first : next(`a${at - 1}`)}, `);
  return binds.join("") + last(`a${times - 1}`) + ")".repeat(times);
}

/** Without a bound, these take hours and exceed the time limit of the test. */
describe("evaluating an expression ends soon", () => {
  it.each([
    ["three levels", "input.numbers.map(x, input.numbers.map(y, input.numbers.map(z, z)))"],
    ["three levels that ask", "input.numbers.exists(x, input.numbers.exists(y, input.numbers.exists(z, z < 0)))"],
    ["what is in a list, for each", "input.names.filter(k, k in input.names)"],
    ["what is in a list of objects, for each", "input.objects.filter(o, o in input.objects)"],
    ["objects compared", "input.numbers.map(x, input.objects == input.objects.map(o, {'a': {'b': o.a.b}}))"],
    ["how many keys, for each", "input.names.map(k, size(input.large))"],
    ["keys that need care, for each", "input.names.map(k, input.odd[k].n)"],
    ["a text runSearch, for each", "input.names.map(k, input.text.contains('abab' + k))"],
    ["texts measured, for each", "input.names.map(k, input.text.size())"],
    ["texts compared", "input.texts.map(t, input.texts.map(u, t == u + ''))"],
    ["texts cut, for each", "input.names.map(k, input.text.split('b'))"],
    ["texts replaced by texts", "input.text.replace('a', input.text)"],
    ["lists joined by texts", "input.names.join(input.text)"],
    ["all as JSON, for each", "input.names.map(k, json(input.large))"],
    ["unique objects, for each", "input.names.map(k, input.objects.unique())"],
    ["unique objects, a hundred times", "range(100).map(n, input.objects.unique())"],
    ["sorting, for each", "input.names.map(k, input.names.sort())"],
    ["a huge range", "range(9000000000)"],
    ["patterns, for each", "input.names.map(k, (k + '[0-9]*$').matches(k + '+'))"],
    ["dates in time zones, for each", "input.names.map(k, now.getHours('Europe/Berlin'))"],
    ["lists twice as long", doubled("input.numbers", (name) => `${name} + ${name}`, 30)],
    ["texts twice as long", doubled("input.text", (name) => `${name} + ${name}`, 30)],
    ["bytes twice as long", doubled("bytes(input.text)", (name) => `${name} + ${name}`, 30)],
    ["lists twice the same", doubled("input.numbers", (name) => `[${name}, ${name}]`, 30)],
    [
      "lists twice the same, as JSON",
      doubled(
        "input.numbers",
        (name) => `[${name}, ${name}]`,
        30,
        (name) => `json(${name})`,
      ),
    ],
    [
      "lists twice the same, compared",
      doubled(
        "[1]",
        (name) => `[${name}, ${name}]`,
        30,
        (name) => `${name} == [${name}, 1]`,
      ),
    ],
    ["errors that others hide", "range(100000).exists(x, x.gone == 1)"],
    ["errors that others hide, in each other", "input.names.exists(k, input.names.exists(l, l.gone == 1))"],
    ["the end of work, hidden", "input.numbers.all(x, range(900000).exists(y, y < 0) || true) || true"],
  ])("with an error: %s", (_, text) => {
    const error = errorOf(text, data);
    expect(error).toBeInstanceOf(StepError);
  });

  it.each([
    ["a pattern within itself", "input.s.matches('^(a+)+$')", "a".repeat(29)],
    ["a long text", "input.s.matches('^(a+)+$')", "a".repeat(100_000)],
    ["choices that overlap", "input.s.matches('^(a|aa|aaa)*b$')", "a".repeat(100_000)],
    ["many states", "input.s.matches('(a|b)*a(a|b){20}c')", "ab".repeat(10_000)],
    ["a pattern from data", "input.s.matches(input.p)", "a".repeat(10_000)],
  ])("for a costly pattern: %s", (_, text, s) => {
    const error = errorOf(text, { s: `${s}!`, p: "^(((a*)*)*)*$" });
    expect(error).toBeNull();
  });

  it.each([
    [
      "two levels over 300 items",
      "input.numbers.slice(0, 300).map(x, input.numbers.slice(0, 300).map(y, x + y)).size()",
    ],
    ["20,000 keys, each found", "input.names.filter(k, k in input.large).size()"],
    ["20,000 keys, each read", "input.names.map(k, input.large[k].n).sum()"],
    ["20,000 patterns of one", "input.names.all(k, k.matches('^k[0-9]+$'))"],
    ["a text of a million", "input.text.contains('ba') && input.text.matches('^(ab)+$')"],
    ["20,000 sorted, once each", "input.names.sort().unique().reverse().join(',').size()"],
  ])("with a result for realistic work: %s", (_, text) => {
    const error = errorOf(text, data);
    expect(error).toBeNull();
  });

  it.each([
    ["long", "(?i)[\\pL\\pN]".repeat(100), "1,200 characters; the limit is 1,000"],
    ["long with its repetitions written out", "(a{30}){30}".repeat(12), "10,000"],
    ["long with repetitions of classes", "[a{3}]{900}".repeat(12), "10,000"],
  ])("with an error for a pattern from data that is %s", (_, p, message) => {
    const error = errorOf("input.s.matches(input.p)", { s: "a", p });
    expect(error).toBeInstanceOf(StepError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });

  it("with an error when many patterns from data are compiled", () => {
    const patterns = Array.from({ length: 10 }, (_, index) => `(?i)${"[a-z]".repeat(190)}${index}`);
    expect(errorOf("input.patterns.exists(p, 'a'.matches(p))", { patterns })).toMatchObject({
      message: expect.stringContaining("1,000,000 operations"),
    });
    const usual = Array.from({ length: 50 }, (_, index) => `^[\\w.]+@[\\w.]+\\.${index}$`);
    expect(errorOf("input.usual.exists(p, 'a'.matches(p))", { usual })).toBeNull();
  });

  it("and again after it was stopped", () => {
    const compiled = cel.compile(
      "input.size() > 1 ? input.a.map(x, input.a.map(y, input.a.map(z, z))).size() : 1",
      "anywhere",
    );
    for (let round = 0; round < 3; round++) {
      expect(() => compiled.evaluate(scopeOf({ a: numbers, b: 1 }))).toThrow(/limit of 1,000,000 operations/);
      expect(compiled.evaluate(scopeOf({ a: numbers }))).toBe(1);
    }
  });
});

/** Includes keys with a meaning in JavaScript. */
const key = fc.oneof(
  fc.constantFrom("constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then", "length", "a", ""),
  fc.string({ maxLength: 4, unit: anyCharacter }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, "", "a", "2027-01-31", "{{ 1 }}"),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("json")), { maxLength: 3 }).map((entries) => fromEntries(entries)),
  ),
}));

function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([name]) => name !== "__proto__"));
}

/** Every function and operator, with arbitrary data in every argument. */
const expression = fc.constantFrom(
  ..."json text number default first last sort unique reverse flatten join range sum avg min max keys values entries"
    .split(" ")
    .flatMap((name) => [
      `${name}(input.x)`,
      `input.x.${name}()`,
      `${name}(input.x, input.y)`,
      `input.x.${name}(input.y)`,
    ]),
  ..."lower upper round floor ceil abs date parseJson size string int double bool timestamp duration type dyn"
    .split(" ")
    .map((name) => `${name}(input.x)`),
  ..."slice format addDays addMonths daysBetween merge round".split(" ").map((name) => `${name}(input.x, input.y)`),
  ..."slice replace".split(" ").map((name) => `${name}(input.x, input.y, input.z)`),
  ..."matches contains split startsWith indexOf join".split(" ").map((name) => `input.x.${name}(input.y)`),
  ..."+ - * / % == != < >= in && ||".split(" ").map((operator) => `input.x ${operator} input.y`),
  ..."map filter all exists exists_one".split(" ").map((name) => `input.x.${name}(e, e == input.y)`),
  "input.x",
  "input.x.a",
  "input.x[input.y]",
  "input.?x.?a.orValue(input.y)",
  "input.x ? input.y : input.z",
  "{'constructor': input.x, 'a': [input.y]}",
  "{input.x: input.y}",
  "input.x.map(e, e.constructor)",
  "has(input.x.constructor)",
  "[input.x, input.y].unique().map(e, json(e))",
  "!input.x",
  "-input.x",
  "'' + input.x",
);

describe("an expression with arbitrary data", () => {
  it("returns plain JSON or fails with expression_failed", () => {
    let given = 0;
    fc.assert(
      fc.property(expression, json, json, json, (text, x, y, z) => {
        const compiled = compiledOrNull(text);
        if (compiled === null) return;
        const input: unknown = { x, y, z };
        expect(jsonProblem(input)).toBeNull();
        try {
          const value = compiled.evaluate(scopeOf(input as JsonObject)); // checked above
          expect(jsonProblem(value)).toBeNull();
          given++;
        } catch (error) {
          if (!(error instanceof StepError)) throw error;
          expect(error.code).toBe("expression_failed");
          expect(error.message).not.toMatch(/undefined|\[object|node_modules/);
        }
      }),
      { numRuns: 500 },
    );
    expect(given).toBeGreaterThan(70);
  });

  it("returns its input unchanged", () => {
    fc.assert(
      fc.property(json, json, (x, y) => {
        const input = { x, y } as JsonObject; // the arbitrary makes JSON
        const read = (text: string) => cel.compile(text, "anywhere").evaluate(scopeOf(input));
        expect(read("input")).toStrictEqual(input);
        expect(read("[input.x, {'a': input.y}]")).toStrictEqual([x, { a: y }]);
        expect(read("parseJson(json(input.x))")).toEqual(JSON.parse(JSON.stringify(x)));
        expect(read("input.x == input.x && input == parseJson(json(input))")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("compiles or fails with a CelProblem for arbitrary text", () => {
    const token = fc.oneof(
      fc.constantFrom(
        ..."input . x [ ] ( ) { } ' \" + - * / == ? : , && ! in matches join cel bind map 1 1.5 1u '(' \\ \n".split(
          " ",
        ),
      ),
      fc.string({ maxLength: 3, unit: anyCharacter }),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        try {
          cel.compile(tokens.join(""), "anywhere");
        } catch (error) {
          expect(error).toBeInstanceOf(CelProblem);
        }
      }),
      { numRuns: 400 },
    );
  });
});

function compiledOrNull(text: string) {
  try {
    return cel.compile(text, "anywhere");
  } catch (error) {
    if (error instanceof CelProblem) return null; // the function has no such form
    throw error;
  }
}
