/** Objects without the properties that have no value, as values and as types. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { omitUndefined } from "../../src/json.ts";

describe("omitUndefined", () => {
  it("drops properties that are undefined, and keeps the others in their order", () => {
    const kept = omitUndefined({ z: 1, gone: undefined, nothing: null, zero: 0, empty: "", no: false, a: "last" });
    expect(Object.entries(kept)).toEqual([
      ["z", 1],
      ["nothing", null],
      ["zero", 0],
      ["empty", ""],
      ["no", false],
      ["a", "last"],
    ]);
  });

  it("leaves the object as it was, and the values inside it", () => {
    const inner = { gone: undefined };
    const fields = { inner, gone: undefined };
    expect(omitUndefined(fields)).toStrictEqual({ inner });
    expect(omitUndefined(fields).inner).toBe(inner);
    expect(Object.keys(fields)).toEqual(["inner", "gone"]);
  });

  it("gives a type in which what may be undefined may be missing", () => {
    const kept = omitUndefined({ id: "a", size: 1 as number | undefined, hash: null as string | null });
    expectTypeOf(kept.id).toEqualTypeOf<string>();
    expectTypeOf(kept.hash).toEqualTypeOf<string | null>();
    const exact: { id: string; size?: number; hash: string | null } = kept;
    expect(exact).toEqual({ id: "a", size: 1, hash: null });
  });
});
