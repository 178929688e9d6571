/** Expressions beyond the CEL conformance cases: JSON numbers, Unicode, dates, durations, keys, empty values. */
import { beforeAll, describe, expect, it } from "vitest";
import { createCel } from "../../src/engine/expressions/cel.ts";
import type { ExpressionScope } from "../../src/engine/expressions/expression-scope.ts";
import { systemClock } from "../../src/time/system-clock.ts";

const cel = createCel(systemClock);
beforeAll(() => cel.prepare("matches"));
const scope: ExpressionScope = {
  input: { s: "a😀é", xs: [1, 2, 3], n: 3, f: 1.5, none: [], o: { a: 1, "a b": { c: 2 } } },
  steps: {
    "a b": { output: { "x-y": 1 }, error: null, status: "succeeded", attempts: 1, started_at: null, finished_at: null },
  },
  run: { id: "run_1", workflow_id: "work_1", version: 2, trigger: { type: "api" }, tags: [], metadata: {} },
  app: { id: "app_1", name: "Lending" },
  now: new Date(Date.UTC(2027, 0, 31, 9, 5, 7, 8)),
};
const value = (text: string) => cel.compile(text, "anywhere").evaluate(scope);

describe("an expression with durations or timestamps", () => {
  it.each<[string, unknown]>([
    [
      "[duration('-1.5s'), duration('0.5s'), duration('-0.000000001s'), duration('0'), duration('-2h45m')]",
      ["-1.5s", "0.5s", "-0.000000001s", "0s", "-9900s"],
    ],
    ["timestamp('2027-01-21T09:05:06.758Z') - now", "-864000.25s"],
    ["[string(duration('1.5s')), text(duration('90m')), [duration('-1.5s')].join()]", ["1.5s", "5400s", "-1.5s"]],
    ["(duration('36h') + timestamp('2027-01-01T00:00:00Z')).getDayOfMonth()", 1],
    ["now - duration('1.5ms')", "2027-01-31T09:05:07.006Z"],
    ["[duration('1.000000001s') > duration('1s'), duration('60s') == duration('1m')]", [true, true]],
    ["[duration('2s'), duration('1s')].sort() + [max(duration('2s'), duration('-3s'))]", ["1s", "2s", "2s"]],
    ["[int(now), int(timestamp(input.n)), timestamp(timestamp(input.f)) == timestamp(input.f)]", [1801386307, 3, true]],
    [
      "[now.getHours('+02:00'), now.getHours('-09:30'), now.getMinutes('05:45'), now.getHours('Asia/Tokyo')]",
      [11, 23, 50, 18],
    ],
    [
      "[now.getDayOfYear(), now.getDayOfYear('+23:00'), timestamp('2027-01-01T00:00:00Z').getDayOfYear('-01:00')]",
      [30, 31, 364],
    ],
    [
      "timestamp('2027-03-28T00:59:59Z').getHours('Europe/Berlin') + timestamp('2027-03-28T01:00:00Z').getHours('Europe/Berlin')",
      4,
    ],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    ["timestamp('2026-02-30T00:00:00Z')", /is not an ISO 8601 date/],
    ["timestamp('2026-02-28')", /is not a timestamp such as/],
    ["timestamp('2026-02-28T00:00:00+99:00')", /is not an ISO 8601 date/],
    ["duration('1.5')", /is not a duration such as/],
    ["duration('.s')", /is not a duration such as/],
    ["duration('3000000h')", /must be within 292 years/],
    [
      "now + duration('2000000h') + duration('2000000h')+ duration('2000000h') * 1",
      /^Cannot apply \* to a duration and a number/,
    ],
    ["now.getHours('Mars/Base')", /"Mars\/Base" is not a time zone/],
    ["now.getHours('+25:00')", /is not a time zone/],
    [
      "dyn('a') > 1",
      /^Cannot compare a string with a number, at position 1 of .*"\. Convert the string with number\(\)\.$/,
    ],
    ["dyn(1) < 'a'", /^Cannot compare a number with a string, .*"\. Convert the string with number\(\)\.$/],
    ["now > dyn(3)", /^Cannot compare a date with a number, at position 1 of "now > dyn\(3\)"$/],
    ["dyn([1]) * 2", /^Cannot apply \* to a list and a number, /],
    ["!dyn('a')", /^Cannot apply ! to a string, /],
  ])("fails with the reason: %s", (text, message) => expect(() => value(text)).toThrow(message));
});

describe("an expression with empty lists or maps", () => {
  it.each<[string, unknown]>([
    ["[].filter(x, x > 1)", []],
    ["[[].all(x, x > 1), [].exists(x, x.a == 1), {}.exists(k, k == 'a')]", [true, false, false]],
    ["[[], [1]].map(x, x.map(y, y + 1))", [[], [2]]],
    ["[[]].map(x, x.map(y, y * 2))", [[]]],
    ["input.none.map(x, x.map(y, y))", []],
    ["[] + [1] + []", [1]],
    ["[] == [] && {} == {} && [] != [1]", true],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));
});

describe("an expression with mixed number types", () => {
  it.each<[string, unknown]>([
    ["[uint(3) in [1, 2, 3], 3.0 in [3u], [1.0] == [1u], {'a': 1u} == {'a': 1.0}]", [true, true, true, true]],
    ["[input.xs[0u], input.xs[2.0], input.xs[input.n - 1], input.xs[?7u].orValue(0)]", [1, 3, 3, 0]],
    ["[int(3u), uint(input.n), int(-1.5), double('.5'), .5 + 1, int('-7')]", [3, 3, -1, 0.5, 1.5, -7]],
    ["[9007199254740993 == 9007199254740992.0, 0.1 + 0.2 == 0.3, 0.0 == -0.0]", [false, false, true]],
    ["-9223372036854775808 < -9223372036854775807", true],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    ["-(-9223372036854775808)", /overflow.*at position 1 of/],
    ["9223372036854775808", /out of range for a 64-bit integer, at position 1 of/],
    ["int('')", /is not an integer/],
    ["int('0x10')", /is not an integer/],
    ["double('0x10')", /is not a number/],
    ["int(1e99)", /out of range for a 64-bit integer/],
    ["uint(-1)", /out of range for an unsigned 64-bit integer/],
    ["input.xs[1.5]", /1\.5/],
    ["input.xs[-1]", /index -1/],
  ])("fails with the reason: %s", (text, message) => expect(() => value(text)).toThrow(message));
});

describe("an expression with strings, by code point", () => {
  it.each<[string, unknown]>([
    [
      "[input.s.slice(1, 2), input.s.slice(-2, -1), input.s.slice(2), input.s.slice(5), input.s.slice(0, 0)]",
      ["😀", "😀", "é", "", ""],
    ],
    [
      "[input.s.substring(1, 2), input.s.substring(input.n), input.s.charAt(1), input.s.charAt(3)]",
      ["😀", "", "😀", ""],
    ],
    [
      "[input.s.indexOf('é'), input.s.lastIndexOf('é'), input.s.indexOf('x'), input.s.indexOf('a', 1), ''.indexOf('')]",
      [2, 2, -1, -1, 0],
    ],
    [
      "[input.s.split(''), reverse(input.s), input.s.replace('', '-'), 'aaa'.replace('a', 'b', 2)]",
      [["a", "😀", "é"], "é😀a", "a-😀-é", "bba"],
    ],
    ["['｡' < '😀', sort(['😀', '｡', 'a']), max('｡', '😀')]", [true, ["a", "｡", "😀"], "😀"]],
    ["['\\u0085 a\\ufeff '.trim(), 'ÄbC'.lowerAscii(), 'äbC'.upperAscii()]", ["a\ufeff", "Äbc", "äBC"]],
    ["[slice(input.xs, 1)[0], reverse(input.xs)[0], slice(input.s, 0, 1) + 'b']", [2, 3, "ab"]],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    "'abc'.substring(4)",
    "'abc'.substring(2, 1)",
    "'abc'.charAt(-1)",
    "'abc'.indexOf('a', 4)",
    "'abc'.substring(0.5)",
  ])("fails: %s", (text) => expect(() => value(text)).toThrow(/position|whole number/));
});

describe("an expression with bytes", () => {
  it.each<[string, unknown]>([
    [
      "[b'é' == b'\\303\\251', bytes('é') == b'é', b'a' < b'b', b'' < b'a', string(b'é😀'), size(b'é')]",
      [true, true, true, true, "é😀", 2],
    ],
    ["[br'\\d' == b'\\\\d', BR\"\"\"a\nb\"\"\" == b'a\\nb']", [true, true]],
    ["b'é' + b'\\xff'", "w6n/"],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it("fails to convert invalid UTF-8 to a string", () =>
    expect(() => value("string(b'\\xff')")).toThrow(/not valid UTF-8/));
});

describe("an expression with maps and keys", () => {
  it.each<[string, unknown]>([
    ["{1: 'a', 2u: 'b'}.map(k, k + 1)", [2, 3]],
    [
      "[keys({1: 'a', 'b': 2}), entries({true: 1}), {input.n: 1}[3], {1: 'a'}[1.0], 2u in {2: 1}]",
      [[1, "b"], [{ key: true, value: 1 }], 1, "a", true],
    ],
    ["merge({1: 'a'}, {1u: 'b', 'c': 1})", { 1: "b", c: 1 }],
    ["[has({'a': 1}.a), has({}.a), has(input.o.gone), has({'a': null}.a)]", [true, false, false, true]],
    [
      "[has(steps['a b'].output), has(steps['a b'].output.gone), steps.`a b`.output.`x-y`, has(input.o.`a b`)]",
      [true, false, 1, true],
    ],
    [
      "[has(steps['a b']), has(steps['a b'].output['x-y']), has(steps['a b'].output['gone']), has(input['n'])]",
      [true, true, false, true],
    ],
    ["['n', 'gone'].map(key, has(input[key]))", [true, false]],
    ["[has(input.?gone['x']), has(input.o['x'])]", [false, false]],
    ["type(1)", "int"],
  ])("returns the expected value: %s", (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    ["{'a': 1, 'a': 2}", /"a" is repeated, at position 10 of/],
    ["{1: 1, 1u: 2}", /"1" is repeated, at position 8 of/],
    ["{input.n: 1, 3: 2}", /"3" is repeated, at position 14 of/],
    ["{null: 1}", /not null, at position 2 of/],
    ["{1.5: 1}", /not 1\.5, at position 2 of/],
    ["{'a': 1}.b", /No such key: b/],
    ["`a`", /Unexpected character/],
    ["has(1)", /has\(\) needs the field of a map, such as has\(input\.name\) or has\(input\["first name"\]\)/],
    ["has([1][0])", /has\(\) needs the field of a map/],
    ["has(input.o[input.n])", /has\(\) needs the field of a map/],
  ])("fails with the reason: %s", (text, message) => expect(() => value(text)).toThrow(message));
});
