/** Long JSON that is parsed in parts is what `parseJson` makes of it, wherever the parts end. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseLongJson } from "../../src/encoding/json/parse-long-json.ts";
import { type JsonValue, parseJson } from "../../src/json.ts";

const pause = () => Promise.resolve();
const bytesOf = (text: string) => new TextEncoder().encode(text);
const inParts = (text: string, partBytes: number) => parseLongJson(bytesOf(text), pause, partBytes);

function whole(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const partBytes = fc.integer({ min: 1, max: 40 });
/** Keys that repeat, and those that V8 orders as numbers. */
const key = fc.oneof(fc.constantFrom("a", "b", "1", "0", "", '"', "\\"), fc.string({ unit: "grapheme" }));
const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(null, true, 0, -1.5e-7, "[", "},{", '\\",'),
      fc.string({ unit: "grapheme" }),
      fc.integer(),
    ),
    fc.array(tie("value"), { maxLength: 8 }),
    fc.dictionary(key, tie("value"), { maxKeys: 8 }),
  ),
}));
const container = json.filter((value) => typeof value === "object" && value !== null);
const spaces = fc.constantFrom(undefined, 1, "\t", " \r\n");

it("parses objects and lists as a whole does", async () => {
  await fc.assert(
    fc.asyncProperty(container, spaces, partBytes, async (value, space, size) => {
      const text = JSON.stringify(value, null, space);
      const parsed = await inParts(text, size);
      expect(parsed).toEqual(value);
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(parseJson(text)));
    }),
  );
});

it("parses no text that is not JSON, and every other one in the same way", async () => {
  const piece = fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"',
    "\\",
    '"a"',
    '"a":',
    '"a":1',
    "1",
    "[1,2]",
    "{}",
    " ",
    "é",
  );
  const damaged = fc.tuple(container, fc.nat(), fc.nat({ max: 3 }), piece).map(([value, place, cut, added]) => {
    const text = JSON.stringify(value);
    const at = place % (text.length + 1);
    // Not half a pair of surrogates.
    return new TextDecoder().decode(bytesOf(text.slice(0, at) + added + text.slice(at + cut)));
  });
  const pieces = fc.array(piece, { maxLength: 12 }).map((all) => `[${all.join("")}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, pieces), partBytes, async (text, size) => {
      const expected = whole(text);
      const parsed = await inParts(text, size);
      expect(parsed).toEqual(typeof expected === "object" && expected !== null ? expected : undefined);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ["an empty list", "[]", []],
  ["a comma behind no member", "[[,1]]", undefined],
  ["a comma before the end", "[[1],]", undefined],
  ["the last of two members of the same name", '{"a":[1,2],"a":{"b":3}}', { a: { b: 3 } }],
  ["the last of two lists of the same name", '{"a":[1,2],"a":[3,4]}', { a: [3, 4] }],
  ["names that are numbers", '{"z":1,"5":[1,2],"4":{"3":[1,2]}}', { z: 1, 5: [1, 2], 4: { 3: [1, 2] } }],
  ["a bracket of the other kind", "[1,2}", undefined],
  ["more behind the end", "[1,2] 3", undefined],
  ["the name __proto__", '{"a":1,"__proto__":{"b":[1,2]}}', undefined],
  ["a number beyond a double", "[1,1e400]", undefined],
  ["a text alone", '"a"', undefined],
  ["nothing", "", undefined],
  ["lists that are nested too deep", "[1,".repeat(2_000) + "]".repeat(2_000), undefined],
] as const)("parses %s as a whole does, or leaves it", async (_, text, expected) => {
  for (const size of [0, 1, 2, 5, 1_000]) expect(await inParts(text, size)).toEqual(expected);
});

it("leaves bytes that are not UTF-8", async () => {
  const bytes = Uint8Array.of(...bytesOf('["'), 0xc3, ...bytesOf('",1]'));
  for (const size of [1, 1_000]) expect(await parseLongJson(bytes, pause, size)).toBeUndefined();
});

it("pauses after each part", async () => {
  let pauses = 0;
  const text = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, tags: ["a", "b"] })));
  const counted = async () => void pauses++;
  await parseLongJson(bytesOf(text), counted, 1_000);
  expect(pauses).toBeGreaterThan(text.length / 1_100 - 1);
});
