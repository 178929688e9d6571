/** The value that a cut JSON text describes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCutJson } from "../../adapters/console/app/elements/values/cut-json.ts";
import { isRecord, type JsonValue } from "../../src/json.ts";

/** Expects the start of a value, which is cut only where the path leads. */
function expectStart(cut: JsonValue, whole: JsonValue, path: readonly string[]): void {
  const [name, ...names] = path;
  if (typeof cut === "string") {
    expect([name, String(whole).startsWith(cut)]).toEqual([undefined, true]);
    return;
  }
  expect(Array.isArray(cut)).toBe(Array.isArray(whole));
  for (const [key, item] of Object.entries<JsonValue>(Object(cut))) {
    const original: JsonValue = Object.getOwnPropertyDescriptor(whole, key)?.value;
    if (key === name) expectStart(item, original, names);
    else expect(item).toEqual(original);
  }
}

describe("a JSON text that is cut", () => {
  it.each([
    ['[1,{"a":"x', [1, { a: "x" }], ["1", "a"]],
    ['[1,{"a":"x"', [1, { a: "x" }], ["1"]],
    ['[1,{"a":"x","b', [1, { a: "x" }], ["1"]],
    ['[1,{"a":"x","b":', [1, { a: "x" }], ["1"]],
    ['[1,{"a":"x","b":12', [1, { a: "x" }], ["1"]],
    ['[1,{"a":"x","b":12,', [1, { a: "x", b: 12 }], ["1"]],
    ['[1,{"a":"x","b":tru', [1, { a: "x" }], ["1"]],
    ["[[],[[2", [[], [[]]], ["1", "0"]],
    ["[[],[[2],", [[], [[2]]], ["1"]],
    ['"a\\"b\\\\', 'a"b\\', []],
    ['"a\\\\\\', "a\\", []],
    ['"a\\u00e', "a", []],
    ['"a\\\\u00e', "a\\u00e", []],
    ['"\\ud83d', "\ud83d", []],
    ['{"\\"k":{"2":[],"1":{"z":"', { '"k': { 2: [], 1: { z: "" } } }, ['"k', "1", "z"]],
  ])("is read up to its end, which is marked: %s", (text, value, path) => {
    expect(parseCutJson(text)).toEqual({ value, path });
  });

  it.each(["", "12", "nul", "]", '"\\x'])("is null for what says nothing: %s", (text) => {
    expect(parseCutJson(text)).toBeNull();
  });

  it("keeps a name that means something else to JavaScript", () => {
    const cut = parseCutJson('{"__proto__":{"a":[1,"x');
    expect(cut?.path).toEqual(["__proto__", "a", "1"]);
    expect(JSON.stringify(cut?.value)).toBe('{"__proto__":{"a":[1,"x"]}}');
  });

  it("is the start of the value, wherever it is cut", () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }),
      fc.dictionary(fc.constantFrom("1", "10", "2", "constructor"), fc.jsonValue({ maxDepth: 2 })),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (list, part) => {
        const json = JSON.stringify(list);
        const whole: JsonValue = JSON.parse(json);
        const cut = parseCutJson(json.slice(0, Math.max(1, Math.floor(part * json.length))));
        if (cut === null) throw new Error("It is no JSON.");
        expectStart(cut.value, whole, cut.path);
      }),
    );
  });

  it("has no limit of entries, levels and characters", () => {
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`key ${key}`, [key]])));
    const wide = parseCutJson(keys.slice(0, -20));
    expect(isRecord(wide?.value) && Object.keys(wide.value).length).toBe(99_999);
    const deep = parseCutJson('[{"a":'.repeat(100));
    expect(deep?.path).toHaveLength(199);
    const long = parseCutJson(`["${'\\"\ud800'.repeat(2_500_000)}`);
    expect(long?.path).toEqual(["0"]);
    expect(String(Object(long?.value)[0])).toHaveLength(5_000_000);
  });
});
