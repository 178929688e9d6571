/** Values of expressions as JSON. */
import { expect, it } from "vitest";
import { toJson } from "../../src/engine/expressions/functions/to-json.ts";
import { type JsonValue, MAX_DEPTH } from "../../src/json.ts";

/** A list which counts how often it is read. */
function counted(items: readonly unknown[]) {
  const reads = { count: 0 };
  const list = new Proxy(items, {
    get(target, name) {
      reads.count++;
      return Reflect.get(target, name);
    },
  });
  return { list, reads };
}

it("an output is looked at once, however many expressions return it", () => {
  const { list, reads } = counted(Array.from({ length: 1_000 }, (_, at) => ({ at })));
  const seen: number[] = [];
  expect(toJson(list, (values) => seen.push(values))).toBe(list);
  expect(seen).toEqual([3_001]);
  const { count } = reads;
  expect(count).toBeGreaterThan(1_000);
  for (let again = 0; again < 100; again++) expect(toJson(list, (values) => seen.push(values))).toBe(list);
  expect(reads.count).toBe(count);
  expect(seen).toEqual([3_001]);
});

it("an output within other values is looked at once, in one expression and in several", () => {
  const { list, reads } = counted(Array.from({ length: 1_000 }, (_, at) => ({ at })));
  const seen: number[] = [];
  const onRead = (values: number) => seen.push(values);
  expect(toJson([list, list, new Map([["a", list]])], onRead)).toEqual([list, list, { a: list }]);
  const { count } = reads;
  const [first = 0] = seen;
  expect(first).toBeLessThan(3_001 + 10);
  for (let other = 0; other < 100; other++) toJson([other, list], onRead);
  expect(reads.count).toBe(count);
  expect(seen.slice(1)).toEqual(Array(100).fill(2));
});

it("an output that was looked at counts for the limits of every value that contains it", () => {
  let nested: JsonValue = Array(1_000).fill(0);
  for (let level = 0; level < MAX_DEPTH - 1; level++) nested = [nested];
  expect(toJson(nested)).toBe(nested);
  expect(() => toJson([nested])).toThrow(/nested deeper than/);
  const long = Array(1_000).fill("x".repeat(1_000));
  expect(toJson(Array(60).fill(long))).toHaveLength(60);
  expect(() => toJson(Array(70).fill(long))).toThrow("The result is too large");
});

it("a value that is not JSON is converted each time", () => {
  const moment = new Date(0);
  const list = [moment, 1n];
  for (let again = 0; again < 2; again++) expect(toJson(list)).toEqual(["1970-01-01T00:00:00.000Z", 1]);
});

it("only what changes of an object is copied, in its place", () => {
  const kept = { deep: [1, 2] };
  const value = { a: 1n, kept, gone: undefined, moment: new Date(0), b: "x" };
  const converted = toJson(value);
  expect(JSON.stringify(converted)).toBe(
    '{"a":1,"kept":{"deep":[1,2]},"gone":null,"moment":"1970-01-01T00:00:00.000Z","b":"x"}',
  );
  expect(converted).toHaveProperty("kept", kept);
  expect(value.a).toBe(1n);
  expect(toJson(Object.assign(Object.create(null), { n: 1 }))).toEqual({ n: 1 });
  expect(toJson(new Map<unknown, unknown>([[1n, new Map([["x", null]])]]))).toEqual({ 1: { x: null } });
});
