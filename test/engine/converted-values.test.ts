/** Values of expressions as JSON. */
import { expect, it } from "vitest";
import { toJson } from "../../src/engine/expressions/functions/to-json.ts";

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
