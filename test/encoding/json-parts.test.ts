/** Long JSON is written in parts, between which others get their turn of the event loop. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLongJson, jsonParts } from "../../src/encoding/json/json-parts.ts";
import type { JsonValue } from "../../src/index.ts";

const PART = 256 * 1024;

describe("JSON in parts", () => {
  it("is the JSON of the value", () => {
    const long = fc.string({ unit: "binary" }).map((text) => `${text}😀\n`.repeat(200_000));
    const value = fc.tuple(long, fc.jsonValue(), fc.nat({ max: 60_000 })).map(
      ([text, item, count]): JsonValue => ({
        text,
        "": [JSON.parse(JSON.stringify(item)), ...Array(count).fill("item"), [text], 1], // without -0
        last: count,
      }),
    );
    fc.assert(
      fc.property(value, (one) => {
        expect(JSON.parse([...jsonParts(one)].join(""))).toEqual(one);
      }),
      { numRuns: 5 },
    );
  });

  it.each<[string, JsonValue]>([
    ["a text", "x".repeat(1_000_000)],
    ["a list", Array(300_000).fill(1)],
    ["an object", Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key ${n}`, n]))],
    ["an object of texts", { first: "x".repeat(500_000), second: "y".repeat(500_000), third: [] }],
  ])("has no part much longer than the others: %s", (_, value) => {
    const parts = [...jsonParts(value)];
    expect(parts.join("")).toBe(JSON.stringify(value));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1.1 * PART);
  });

  it("is one part for a short value, and for one that chooses its JSON", () => {
    expect([...jsonParts({ a: [1] })]).toEqual(['{"a":[1]}']);
    expect(isLongJson({ a: [1] })).toBe(false);
    const chosen = Object.assign({ text: "x".repeat(1_000_000) }, { toJSON: () => "chosen" });
    expect([...jsonParts(chosen as unknown as JsonValue)]).toEqual(['"chosen"']); // as JSON.stringify, which any caller may use
  });

  it("leaves out what is undefined", () => {
    const value = { text: "x".repeat(300_000), ...JSON.parse("{}"), gone: undefined } as unknown as JsonValue;
    expect([...jsonParts(value)].join("")).toBe(JSON.stringify(value));
  });
});
