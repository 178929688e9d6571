/** Starts of long values. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutJson } from "../../src/engine/inspection/json-preview.ts";
import type { JsonObject, JsonValue } from "../../src/index.ts";

const bytesOf = (value: JsonValue) => new TextEncoder().encode(JSON.stringify(value));

/** A value which counts how often its parts are read. */
function counted<Value extends object>(value: Value) {
  const reads = { count: 0 };
  const watched = new Proxy(value, {
    get(target, name) {
      reads.count++;
      return Reflect.get(target, name);
    },
  });
  return { watched, reads };
}

describe("the start of a value as JSON", () => {
  it("has at most the bytes that were asked for, and never ends within a character", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: "grapheme" }), fc.nat(60), (json, text, limit) => {
        const value: JsonValue = [text, JSON.parse(JSON.stringify(json))];
        const whole = bytesOf(value);
        const cut = cutJson(value, limit);
        expect(cut === null).toBe(whole.length <= limit);
        if (cut === null) return;
        expect(JSON.stringify(value).startsWith(cut.preview)).toBe(true);
        const shown = new TextEncoder().encode(cut.preview).length;
        expect(shown).toBeLessThanOrEqual(limit);
        expect(shown).toBeGreaterThan(limit - 4);
      }),
    );
  });

  it("lists the names of a large object once", () => {
    let listed = 0;
    const object = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
    const watched = new Proxy(object, {
      ownKeys(target) {
        listed++;
        return Reflect.ownKeys(target);
      },
    });
    for (let again = 0; again < 10; again++) expect(cutJson([watched, again], 100, 50_000)?.preview).toHaveLength(100);
    expect(listed).toBe(1);
  });

  it("reads no more of a long list than it shows", () => {
    const { watched, reads } = counted(
      Array.from({ length: 300_000 }, (_, id): JsonObject => ({ id, name: `n${id}` })),
    );
    const cut = cutJson(watched, 1_000, 9_077_781);
    expect(cut?.bytes).toBe(9_077_781);
    expect(cut?.preview).toHaveLength(1_000);
    expect(reads.count).toBeLessThan(1_000);
  });
});
