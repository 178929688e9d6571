/** Mappings of any data, compared with a second, simpler implementation. */
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

/** The values by their paths. */
function flat(given: Data): Map<string, unknown> {
  return new Map(
    Object.entries(given).flatMap(([entity, fields]) =>
      Object.entries(fields).map(([field, one]) => [`${entity}:${field}`, one] as const),
    ),
  );
}

it("applies each mapping once, in order, without changing its input", () => {
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

it("removes a destination only with its source, while it equals the copy and no other mapping gives it", () => {
  const same = fc.dictionary(name, fc.dictionary(name, fc.constantFrom(1, 2), { minKeys: 1 }));
  const patch = fc.dictionary(name, fc.dictionary(name, fc.option(fc.constantFrom(1, 2)), { minKeys: 1 }));
  fc.assert(
    fc.property(same, patch, mappings, (given, changes, all) => {
      const before = flat(given);
      const written = flat(changes as Data);
      const expected = new Map(before);
      for (const [path, value] of written) {
        if (value === null) expected.delete(path);
        else expected.set(path, value);
      }
      const copied = new Set<string>();
      for (const { source_path, destination_paths } of all) {
        const value = expected.get(source_path);
        for (const path of destination_paths) {
          const isGiven = () =>
            copied.has(path) ||
            all.some((one) => one.destination_paths.includes(path) && expected.has(one.source_path));
          if (value !== undefined) {
            expected.set(path, value);
            copied.add(path);
          } else if (
            before.has(source_path) &&
            !written.has(path) &&
            before.get(source_path) === expected.get(path) &&
            !isGiven()
          )
            expected.delete(path);
        }
      }
      const result = flat(applyMappings(given, changes as Data, all));
      expect(Object.fromEntries(result)).toEqual(Object.fromEntries(expected));
      for (const [path] of before) {
        if (result.has(path) || written.has(path)) continue;
        const sources = all.filter((one) => one.destination_paths.includes(path)).map((one) => one.source_path);
        expect(sources.some((source) => before.has(source) && before.get(source) === before.get(path))).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("treats names of Object.prototype members as ordinary field names", () => {
  const given = { toString: { valueOf: 1 } } as unknown as Data; // no type has an own toString of another kind
  const copied = applyMappings({}, given, [
    { source_path: "toString:valueOf", destination_paths: ["a:hasOwnProperty"] },
  ]);
  expect(JSON.stringify(copied)).toBe('{"toString":{"valueOf":1},"a":{"hasOwnProperty":1}}');
  expect(applyMappings({}, {}, [{ source_path: "toString:name", destination_paths: ["a:b"] }])).toEqual({});
});

describe("a mapping whose source field is removed", () => {
  const mapping = [
    { source_path: "a:x", destination_paths: ["b:x", "b:y"] },
    { source_path: "b:x", destination_paths: ["c:x"] },
  ];
  const before: Data = { a: { x: 1 }, b: { x: 1, y: 1 }, c: { x: 1 } };

  it("removes the value from destinations that still hold it, through chained mappings", () => {
    expect(applyMappings(before, { a: null }, mapping)).toEqual({});
  });

  it("keeps a destination that was written since, or is written by the same update", () => {
    expect(applyMappings({ ...before, b: { x: 1, y: 2 } }, { a: { x: null } }, mapping)).toEqual({ b: { y: 2 } });
    expect(applyMappings(before, { a: { x: null }, b: { y: 1 } }, mapping)).toEqual({ b: { y: 1 } });
  });

  it("keeps a destination that another mapping gives, whichever comes first", () => {
    const both = [
      { source_path: "a:x", destination_paths: ["c:x"] },
      { source_path: "c:x", destination_paths: ["d:x"] },
      { source_path: "b:x", destination_paths: ["c:x"] },
    ];
    const given: Data = { a: { x: 1 }, b: { x: 1 }, c: { x: 1 }, d: { x: 1 } };
    const { a: _, ...left } = given;
    expect(applyMappings(given, { a: null }, both)).toEqual(left);
    expect(applyMappings(given, { a: null }, both.toReversed())).toEqual(left);
  });

  it("keeps destinations when the source never had a value", () => {
    expect(applyMappings({ b: { x: 5 } }, { b: { y: 6 } }, mapping)).toEqual({ b: { x: 5, y: 6 }, c: { x: 5 } });
  });
});
