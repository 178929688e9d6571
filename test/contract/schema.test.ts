/** All wrong fields are reported at once. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { isStepwellError } from "../../src/errors.ts";
import { check, map, strictObject } from "../../src/schema.ts";

const Inner = strictObject({ size: v.number(), note: v.exactOptional(v.string()) });
const Outer = strictObject({
  name: v.string(),
  inner: Inner,
  list: v.exactOptional(v.array(Inner)),
  named: v.exactOptional(map(Inner)),
  either: v.exactOptional(v.union([v.string(), Inner])),
  kind: v.exactOptional(
    v.variant("type", [strictObject({ type: v.literal("a"), a: v.number() }), strictObject({ type: v.literal("b") })]),
  ),
});
const RIGHT = { name: "n", inner: { size: 1 } };

/** Pointer and message of each error, sorted. */
function refusals(value: unknown): [string, string][] {
  try {
    check(Outer, value);
    return [];
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    return error.errors.map(({ pointer, message }): [string, string] => [pointer, message]).sort();
  }
}

const unknown = (...pointers: string[]) => pointers.map((pointer) => [pointer, "Unknown field."]);

describe("unknown fields", () => {
  it("are all reported together with other errors", () => {
    expect(refusals({ x: 1, name: 2, y: null, inner: { size: 1 }, z: {} })).toEqual([
      ["/name", "Must be a string, not 2."],
      ...unknown("/x", "/y", "/z"),
    ]);
    expect(refusals({ x: 1, y: 1 })).toEqual([
      ["/inner", "Is required."],
      ["/name", "Is required."],
      ...unknown("/x", "/y"),
    ]);
  });

  it("are reported within objects, lists, maps and variants", () => {
    const wrong = { size: 1, p: 1, q: 2 };
    const body = {
      x: 1,
      y: 2,
      name: "n",
      inner: wrong,
      list: [{ size: 1 }, wrong],
      named: { one: wrong },
      either: wrong,
      kind: { type: "a", a: 1, p: 1, q: 2 },
    };
    const inside = ["/either", "/inner", "/kind", "/list/1", "/named/one"];
    expect(refusals(body)).toEqual(unknown(...inside.flatMap((at) => [`${at}/p`, `${at}/q`]), "/x", "/y"));
  });

  it("are reported whatever their names", () => {
    const names = fc.oneof(fc.string(), fc.constantFrom("constructor", "toString", "a/b", "m~n", "0", ""));
    const others = names.filter((name) => name !== "__proto__" && !Object.hasOwn(Outer.entries, name));
    fc.assert(
      fc.property(fc.uniqueArray(others, { minLength: 1 }), (given) => {
        const body = { ...RIGHT, ...Object.fromEntries(given.map((name) => [name, 1])) };
        const pointers = given.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
        expect(refusals(body)).toEqual(unknown(...pointers).sort());
      }),
    );
  });

  it("are ignored when undefined", () => {
    expect(refusals({ ...RIGHT, x: undefined })).toEqual([]);
  });
});
