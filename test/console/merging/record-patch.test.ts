/** What the page sends of a record's data. */
import { expect, it } from "vitest";
import { patchOf } from "../../../adapters/console/app/records/record-patch.ts";

it("is what changed, and null for what was removed", () => {
  const before = { loan: { amount: 1, note: "a" }, old: { x: 1 }, same: { y: 1 } };
  const after = { loan: { amount: 2 }, same: { y: 1 }, added: { z: [1] } };
  expect(patchOf(before, after)).toEqual({ loan: { amount: 2, note: null }, old: null, added: { z: [1] } });
});

it("has the names that the server refuses, so that it says so", () => {
  const text = '{"loan":{"name":"q2","__proto__":{"a":1}},"__proto__":{"b":5}}';
  expect(JSON.stringify(patchOf({ loan: { name: "q" } }, JSON.parse(text)))).toBe(text);
});
