/** Objects from other code that refer to the same ones again and again: their copy takes no time for each way to them. */
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { ownedJson } from "../../src/encoding/json/owned-json.ts";
import { isTooDeep, type JsonValue, MAX_DEPTH } from "../../src/json.ts";

const MEBI = 2 ** 20;

/** Each level refers to the next one twice: as JSON, 2^levels values. */
function doubled(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { left: value, right: value };
  return value;
}

/** Counts how often a property of it is read. */
function counted<Value extends object>(value: Value, reads: { count: number }): Value {
  return new Proxy(value, {
    get(target, name) {
      reads.count++;
      return Reflect.get(target, name);
    },
  });
}

it.each([
  ["as many as can be copied", 40],
  ["as deep as can be", MAX_DEPTH - 1],
])("refuses %s levels of them", (_, levels) => {
  const { problem } = ownedJson(doubled(levels));
  expect(problem?.message).toBe(
    "Must not repeat the same objects so often: their copies have more than a million values.",
  );
});

it("reads each of them a few times, not once for each way to it", () => {
  const reads = { count: 0 };
  let value: object = {};
  for (let level = 0; level < 18; level++) value = counted({ left: value, right: value }, reads);
  expect(ownedJson(value).problem).toBeNull();
  expect(reads.count).toBeLessThan(25_000);
});

it("copies them like others", () => {
  const shared = { list: [1, { deep: "text" }] };
  const value = { items: Array.from({ length: 15_000 }, (_, n) => ({ n, shared })) };
  const json = JSON.stringify(value);
  const taken = ownedJson(value);
  shared.list.push(2);
  expect(taken.problem === null && JSON.stringify(taken.value) === json).toBe(true);
});

it("refuses one that is nested too deep at its second place only", () => {
  let shared: unknown = [];
  for (let level = 0; level < 60; level++) shared = [shared];
  const many = Array.from({ length: 20_000 }, () => 0);
  let deep: unknown = shared;
  for (let level = 0; level < 60; level++) deep = [deep];
  const { problem } = ownedJson({ many, shared, again: [shared], deep });
  expect(problem).toMatchObject({ message: `Must not be nested deeper than ${MAX_DEPTH} levels.` });
  const taken = ownedJson({ many, shared, again: [[shared]] });
  expect(taken.problem === null && isTooDeep(taken.value)).toBe(false);
});

it.each<[string, unknown]>([
  ["a text", "x".repeat(MEBI)],
  ["texts", Array.from({ length: 16 }, () => "x".repeat(MEBI / 16))],
  ["keys", Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`${n}${"k".repeat(MEBI / 16)}`, 1]))],
  ["values", Array.from({ length: MEBI }, () => 0)],
])("refuses what is too long because of %s, and says so", (_, value) => {
  const message = "Must be at most 1,048,576 characters of JSON.";
  expect(ownedJson(value, MEBI)).toMatchObject({ problem: { message }, isTooLong: true });
  expect(ownedJson(value, 2 * MEBI).problem).toBeNull();
});

it("takes objects of another realm, and 0 for -0", () => {
  const value: JsonValue = runInNewContext("({ a: [1, { b: -0 }], c: { d: null } })");
  const taken = ownedJson(value);
  expect(taken.problem === null && taken.value).toStrictEqual({ a: [1, { b: 0 }], c: { d: null } });
});

it.each<[string, () => unknown]>([
  ["an object that inherits properties", () => Object.create({ a: 1 })],
  ["an Error", () => new Error("no")],
  ["a Date", () => new Date()],
  ["a Date", () => runInNewContext("new Date()")],
])("names %s", (name, value) => {
  expect(ownedJson({ v: value() }).problem).toEqual({ pointer: "/v", message: `Must be plain JSON, not ${name}.` });
});

it("survives a getter that throws what cannot be looked at", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const value = {
    get a() {
      throw proxy;
    },
  };
  expect(ownedJson(value).problem).toEqual({
    pointer: "/a",
    message: "Must be plain JSON, not a value whose properties cannot be read.",
  });
});
