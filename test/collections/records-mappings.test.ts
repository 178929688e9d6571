/** What mappings make of any data: told again in a second way, and compared. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyMappings } from "../../src/collections/records/apply-mappings.ts";

const name = fc.constantFrom("a", "b", "c");
const path = fc.tuple(name, name).map(([entity, field]) => `${entity}:${field}`);
const value = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.array(fc.integer()),
  fc.record({ deep: fc.array(fc.constant(null)) }),
);
const data = fc.dictionary(name, fc.dictionary(name, value, { minKeys: 1 }));
const mappings = fc.array(fc.record({ source_path: path, destination_paths: fc.array(path, { maxLength: 3 }) }), {
  maxLength: 6,
});

type Data = Parameters<typeof applyMappings>[0];

/** As a flat list of paths. */
function flat(given: Data): Map<string, unknown> {
  return new Map(
    Object.entries(given).flatMap(([entity, fields]) =>
      Object.entries(fields).map(([field, one]) => [`${entity}:${field}`, one] as const),
    ),
  );
}

it("each mapping once, in order, whatever they lead to", () => {
  fc.assert(
    fc.property(data, mappings, (given, all) => {
      const expected = flat(given);
      for (const { source_path, destination_paths } of all) {
        if (!expected.has(source_path)) continue;
        const copied = expected.get(source_path);
        for (const destination of destination_paths) expected.set(destination, copied);
      }
      const before = structuredClone(given);
      const result = flat(applyMappings({}, given, all));
      expect(Object.fromEntries(result)).toEqual(Object.fromEntries(expected));
      expect(given).toEqual(before);
    }),
  );
});

it("names that are special to JavaScript are names like others", () => {
  const given = { toString: { valueOf: 1 } } as unknown as Data; // no type has an own toString of another kind
  const copied = applyMappings({}, given, [
    { source_path: "toString:valueOf", destination_paths: ["a:hasOwnProperty"] },
  ]);
  expect(JSON.stringify(copied)).toBe('{"toString":{"valueOf":1},"a":{"hasOwnProperty":1}}');
  expect(applyMappings({}, {}, [{ source_path: "toString:name", destination_paths: ["a:b"] }])).toEqual({});
});

describe("a source that loses its value", () => {
  const mapping = [
    { source_path: "a:x", destination_paths: ["b:x", "b:y"] },
    { source_path: "b:x", destination_paths: ["c:x"] },
  ];
  const before: Data = { a: { x: 1 }, b: { x: 1, y: 1 }, c: { x: 1 } };

  it("takes it away from the destinations that hold it, over any number of mappings", () => {
    expect(applyMappings(before, { a: null }, mapping)).toEqual({});
  });

  it("leaves a destination alone that somebody wrote since, or writes now", () => {
    expect(applyMappings({ ...before, b: { x: 1, y: 2 } }, { a: { x: null } }, mapping)).toEqual({ b: { y: 2 } });
    expect(applyMappings(before, { a: { x: null }, b: { y: 1 } }, mapping)).toEqual({ b: { y: 1 } });
  });

  it("changes nothing where it never had one", () => {
    expect(applyMappings({ b: { x: 5 } }, { b: { y: 6 } }, mapping)).toEqual({ b: { x: 5, y: 6 }, c: { x: 5 } });
  });
});
