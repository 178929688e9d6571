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
