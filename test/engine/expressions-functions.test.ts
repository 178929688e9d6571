/** The functions of expressions: what they return, and their errors for invalid arguments. */
import { beforeAll, describe, expect, it } from "vitest";
import { createCel } from "../../src/engine/expressions/cel.ts";
import type { ExpressionScope } from "../../src/engine/expressions/expression-scope.ts";
import { systemClock } from "../../src/time/system-clock.ts";

const cel = createCel(systemClock);
beforeAll(() => cel.prepare("matches"));
const scope: ExpressionScope = {
  input: {
    nul: null,
    words: ["pear", "Apple", "fig"],
    mixed: ["a", 1, true],
    people: [
      { name: "Bo", age: 9 },
      { name: "Ada", age: 36 },
    ],
    due: "2027-03-01",
    text: "a1",
  },
  steps: {},
  run: { id: "run_1", workflow_id: "work_1", version: 2, trigger: { type: "api" }, tags: [], metadata: {} },
  app: { id: "app_1", name: "Lending" },
  now: new Date(Date.UTC(2027, 0, 31, 9, 5, 7, 8)),
};
const value = (text: string) => cel.compile(text, "anywhere").evaluate(scope);

describe("a string function", () => {
  it.each<[string, unknown]>([
    ["lower('ÄÖÜ') + upper('äöß')", "äöüÄÖSS"],
    ["'Ab'.lower() + 'Ab'.upper() + 'Ab'.lowerAscii()", "abABab"],
    ["replace('a.b.c', '.', '$&')", "a$&b$&c"],
    ["'abc'.slice(1) + 'abc'.slice(-1) + 'abc'.slice(0, 2)", "bccab"],
    ["urlEncode('a b&c=d/ä?#') + urlEncode(1.5) + 'x+y'.urlEncode()", "a%20b%26c%3Dd%2F%C3%A4%3F%231.5x%2By"],
    ["'a,b,c'.split(',').join(';')", "a;b;c"],
    [
      "escapeMarkdown('# [x](http://a.b)\\n  * y') + 1.escapeMarkdown()",
      "\\# \\[x\\]\\(http\\:\\/\\/a\\.b\\)\\\n\\* y1",
    ],
    ["input.mixed.join('-')", "a-1-true"],
    ["join([1, 2.5, now], ' ')", "1 2.5 2027-01-31T09:05:07.008Z"],
    ["input.words.join()", "pearApplefig"],
    ["[].join(',')", ""],
    ["text(1.5) + text(true) + text('x') + text({'a': [null]})", '1.5truex{"a":[null]}'],
    ["text(input.nul)", "null"],
    ["input.words.map(w, w.matches('(?i)^a'))", [false, true, false]],
    ["input.text.matches('[0-9]')", true],
    ["matches(input.text, '[0-9]')", true],
    ["input.words.filter(w, matches(w, 'p{2}'))", ["Apple"]],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));
});

describe("a number function", () => {
  it.each<[string, unknown]>([
    ["[round(2.5), round(-2.5), round(7)]", [3, -3, 7]],
    ["[round(1.005, 2), round(1234.5, -2), round(1e21, 2), round(1e-9, 3)]", [1.01, 1200, 1e21, 0]],
    ["[fixed(42.5, 2), fixed(1.005, 2), fixed(-2, 1), fixed(7, 0)]", ["42.50", "1.01", "-2.0", "7"]],
    ["[fixed(1e21, 2), fixed(-1.5e21, 0)]", ["1000000000000000000000.00", "-1500000000000000000000"]],
    ["[floor(-1.5), ceil(1.2), abs(-3), abs(2.5)]", [-2, 2, 3, 2.5]],
    ["number(' 12.5 ') + number('1e3') + number(2)", 1014.5],
    ["sum([1, 2.5]) + avg([1, 2]) + sum([])", 5],
    ["[min([3, 1.5]), max([3, 1.5]), min(2, 1), max(2, 2.5)]", [1.5, 3, 1, 2.5]],
    ["input.people.map(p, p.age).max()", 36],
    ["min(input.words)", "Apple"],
    ["max([])", null],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));
});

describe("a list or map function", () => {
  it.each<[string, unknown]>([
    ["[first(input.words), last(input.words), first([])]", ["pear", "fig", null]],
    ["[1, 2, 3, 4].slice(1, -1) + [1, 2].slice(1)", [2, 3, 2]],
    ["sort([3, 1, 2.5]) + sort(['b', 'a'])", [1, 2.5, 3, "a", "b"]],
    ["input.people.sort('name').map(p, p.name)", ["Ada", "Bo"]],
    ["[1, 1.0, '1', 1u, {'a': 1, 'b': 2}, {'b': 2, 'a': 1}].unique()", [1, "1", { a: 1, b: 2 }]],
    ["reverse([1, 2]) + flatten([[1], [2, [3]], 4])", [2, 1, 1, 2, [3], 4]],
    ["range(3) + range(5, 7) + range(-1)", [0, 1, 2, 5, 6]],
    ["keys({'a': 1, 'b': 2}) + values({'c': 3})", ["a", "b", 3]],
    ["{'a': 1}.entries()", [{ key: "a", value: 1 }]],
    ["merge({'a': 1, 'b': 1}, {'b': 2})", { a: 1, b: 2 }],
    ["[default(input.nul, 1), default(input.?gone, 2), default(3, 4), input.nul.default('x')]", [1, 2, 3, "x"]],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));
});

describe("a date function", () => {
  it.each<[string, unknown]>([
    ["date('2027-01-31')", "2027-01-31T00:00:00.000Z"],
    ["date('2027-01-31T10:00:00.5+02:00')", "2027-01-31T08:00:00.500Z"],
    ["date('0001-02-03T04:05Z')", "0001-02-03T04:05:00.000Z"],
    ["date(now) == now && date(input.due) > now", true],
    ["format(now, \"yyyy-MM-dd'T'HH:mm:ss.SSS\")", "2027-01-31T09:05:07.008"],
    ["now.format('EEE d MMM yy, H:m:s')", "Sun 31 Jan 27, 9:5:7"],
    ["input.due.format('EEEE, MMMM d')", "Monday, March 1"],
    ["format(now, \"'o''clock' HH\")", "oclock 09"],
    ["addDays(now, 1).format('yyyy-MM-dd') + addDays(input.due, -1).format('MM-dd')", "2027-02-0102-28"],
    ["addMonths('2027-01-31', 1).format('MM-dd') + addMonths('2028-01-31', 1).format('MM-dd')", "02-2802-29"],
    ["addMonths('2027-01-31', -2)", "2026-11-30T00:00:00.000Z"],
    ["[daysBetween(now, input.due), daysBetween(input.due, now), daysBetween(now, now)]", [28, -28, 0]],
    ["(date(input.due) - now).getHours()", 686],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));
});

describe("a function with invalid arguments", () => {
  it.each([
    ["lower(input.nul)", /lower\(null\)/],
    ["input.nul.upper()", /null\.upper\(\)/],
    ["sum([1, 'a'])", /sum\(\): expected a number, not a string/],
    ["sum([1, null])", /not null/],
    ["avg([])", /an empty list has no average/],
    ["min([1, 'a'])", /cannot compare a string with a number/],
    ["sort([{'a': 1}, {'a': 2}])", /a map cannot be ordered/],
    ["sort([1, null])", /null/],
    ["[[1]].join(',')", /the item at 0 is a list/],
    ["[null].join(',')", /the item at 0 is null/],
    ["input.nul.join(',')", /join\(\) needs a list, not null/],
    ["input.words.join(input.nul)", /join\(\) needs a string, not null/],
    ["number('')", /"" is not a number/],
    ["number('12 apples')", /"12 apples" is not a number/],
    ["number(input.nul)", /not null/],
    ["'abc'.slice(0.5)", /expected a whole number, not 0.5/],
    ["round(1.5, 99)", /must be at most 15/],
    ["date('31.1.2027')", /"31\.1\.2027" is not an ISO 8601 date/],
    ["date('2027-02-29')", /is not an ISO 8601 date/],
    ["date('2027-01-01T24:00')", /is not an ISO 8601 date/],
    ["date(input.nul)", /date\(\): expected a date or an ISO 8601 string, not null/],
    ["format(now, 'qq')", /qq is not a date token/],
    ["addMonths(now, 1000000)", /must be between the years/],
    ["addDays(now, 9007199254740991)", /must be between the years/],
    ["parseJson('{')", /parseJson\(\).*valid JSON/],
    ["parseJson('{\"__proto__\": 1}')", /key "__proto__" is not allowed/],
  ])("fails with message and position: %s", (text, message) => {
    expect(() => value(text)).toThrow(expect.objectContaining({ code: "expression_failed" }));
    expect(() => value(text)).toThrow(message);
    expect(() => value(text)).toThrow(/, at position \d+ of "/);
  });

  it.each([
    ["'a'.lower(1)", /at position 1 of/],
    ["lower(1)", /lower\(int\)/],
    ["sum('a')", /sum\(string\)/],
    ["'a'.matches('(')", /missing closing \).*, at position 13 of/],
    ["'a'.matches('(?=a)')", /\(\?=.*, at position 13 of/],
    ["'a'.matches(1)", /matches\(\) needs strings, not int, at position 13 of/],
    ["1.matches('a')", /matches\(\) needs strings, not int, at position 1 of/],
    ["matches('a', '(')", /missing closing \).*, at position 14 of/],
    ["matches(1, 'a')", /matches\(\) needs strings, not int, at position 9 of/],
    ["matches('a')", /at position 1 of/],
  ])("does not compile: %s", (text, message) => expect(() => cel.compile(text, "anywhere")).toThrow(message));
});
