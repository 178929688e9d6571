/** omitUndefined: at run time and in types. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { omitUndefined } from "../../src/json.ts";

describe("omitUndefined", () => {
  it("omits undefined properties and keeps the order of the others", () => {
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

  it("leaves the given object and its nested values unchanged", () => {
    const inner = { gone: undefined };
    const fields = { inner, gone: undefined };
    expect(omitUndefined(fields)).toStrictEqual({ inner });
    expect(omitUndefined(fields).inner).toBe(inner);
    expect(Object.keys(fields)).toEqual(["inner", "gone"]);
  });

  it("turns properties that may be undefined into optional ones", () => {
    const kept = omitUndefined({ id: "a", size: 1 as number | undefined, hash: null as string | null });
    expectTypeOf(kept.id).toEqualTypeOf<string>();
    expectTypeOf(kept.hash).toEqualTypeOf<string | null>();
    const exact: { id: string; size?: number; hash: string | null } = kept;
    expect(exact).toEqual({ id: "a", size: 1, hash: null });
  });
});
