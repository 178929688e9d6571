/** Brings together what two people did to the same value. */
import { describe, expect, it } from "vitest";
import {
  type IsWhole,
  merged,
  partAt,
  pathPointer,
  setOf,
  withPart,
  withStored,
} from "../../../adapters/console/app/merging/three-way.ts";

type Json = Readonly<Record<string, unknown>>;
const merge = (base: Json, mine: Json, theirs: Json, isWhole?: IsWhole) => merged(base, mine, theirs, isWhole);

describe("merged values", () => {
  it("have what only one side changed, at any depth", () => {
    expect(
      merge(
        { loan: { amount: 5, note: "a", terms: { months: 12, rate: 1 } } },
        { loan: { amount: 577, note: "a", terms: { months: 24, rate: 1 } } },
        { loan: { amount: 5, note: "b", terms: { months: 12, rate: 2 } } },
      ),
    ).toEqual({
      value: { loan: { amount: 577, note: "b", terms: { months: 24, rate: 2 } } },
      clashes: [],
      elsewhere: [
        ["loan", "note"],
        ["loan", "terms", "rate"],
      ],
    });
  });

  it("have mine where both changed it, and say what theirs is", () => {
    expect(merge({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 3, b: 4 })).toEqual({
      value: { a: 2, b: 4 },
      clashes: [{ path: ["a"], theirs: 3 }],
      elsewhere: [["b"]],
    });
  });

  it("have no clash where both did the same", () => {
    expect(merge({ a: 1 }, { a: 2 }, { a: 2 })).toEqual({ value: { a: 2 }, clashes: [], elsewhere: [] });
  });

  it("lack what one side removed, and have what both added", () => {
    expect(merge({ a: 1, b: 1 }, { a: 1, c: { x: 1 } }, { b: 1, c: { y: 1 } })).toEqual({
      value: { c: { x: 1, y: 1 } },
      clashes: [],
      elsewhere: [["a"], ["c", "y"]],
    });
  });

  it("clash where one side changed what the other removed", () => {
    expect(merge({ a: { x: 1 } }, { a: { x: 2 } }, {})).toEqual({
      value: { a: { x: 2 } },
      clashes: [{ path: ["a"], theirs: undefined }],
      elsewhere: [],
    });
  });

  it("do not mix lists, nor fields that are taken whole", () => {
    const { clashes } = merge(
      { list: [1], timing: { cron: "a", every: null } },
      { list: [1, 2], timing: { cron: "b", every: null } },
      { list: [0, 1], timing: { cron: null, every: 5 } },
      (name) => name === "timing",
    );
    expect(clashes).toEqual([
      { path: ["list"], theirs: [0, 1] },
      { path: ["timing"], theirs: { cron: null, every: 5 } },
    ]);
  });

  it("are not those of two sides where the sides say so", () => {
    const isWhole: IsWhole = (name, sides) => name === "settings" && new Set(sides.map(typeOf)).size > 1;
    const [a, b] = [
      { type: "a", config: { x: 1 } },
      { type: "b", config: {} },
    ];
    const { clashes } = merge(
      { settings: a },
      { settings: b },
      { settings: { ...a, config: { x: 1, tz: "UTC" } } },
      isWhole,
    );
    expect(clashes).toEqual([{ path: ["settings"], theirs: { type: "a", config: { x: 1, tz: "UTC" } } }]);
    const mine = { settings: { type: "a", config: { x: 2 } } };
    const both = merge({ settings: a }, mine, { settings: { type: "a", config: { x: 1, tz: "UTC" } } }, isWhole);
    expect(both.value).toEqual({ settings: { type: "a", config: { x: 2, tz: "UTC" } } });
  });

  it("have the items that either side added to a set, without those that either removed", () => {
    const { value, clashes } = merge(setOf(["a", "b", "c"]), setOf(["a", "b", "mine"]), setOf(["a", "c", "theirs"]));
    expect([Object.keys(value), clashes]).toEqual([["a", "mine", "theirs"], []]);
  });

  it("keep fields with names that each object inherits", () => {
    const of = (text: string): Json => JSON.parse(text);
    const { value } = merge(
      of('{"__proto__": 1, "x": 1}'),
      of('{"__proto__": 2, "x": 1}'),
      of('{"__proto__": 1, "x": 3}'),
    );
    expect(JSON.stringify(value)).toBe('{"__proto__":2,"x":3}');
  });
});

it("what this side has stored without a response is no change of the others", () => {
  const base = { note: "a", amount: 5 };
  const theirs = { note: "a L", amount: 7 };
  const before = withStored(base, { note: "a L", amount: 6 }, theirs);
  expect(before).toEqual({ note: "a L", amount: 5 });
  expect(merge(before, { note: "a L M", amount: 5 }, theirs)).toEqual({
    value: { note: "a L M", amount: 7 },
    clashes: [],
    elsewhere: [["amount"]],
  });
});

it("a part is replaced, added or removed, and the rest stays", () => {
  const value: Json = { a: { x: 1, y: 2 }, b: 3 };
  expect(withPart(value, ["a", "x"], 5)).toEqual({ a: { x: 5, y: 2 }, b: 3 });
  expect(withPart(value, ["c", "z"], 5)).toEqual({ a: { x: 1, y: 2 }, b: 3, c: { z: 5 } });
  expect(withPart(value, ["a"], undefined)).toEqual({ b: 3 });
});

it("a part is found by its names, and its pointer is no other's", () => {
  const value: Json = { "a/b": 1, a: { b: 2 } };
  expect([partAt(value, ["a/b"]), partAt(value, ["a", "b"]), partAt(value, ["c", "d"])]).toEqual([1, 2, undefined]);
  expect([pathPointer(["a/b"]), pathPointer(["a", "b"])]).toEqual(["/a~1b", "/a/b"]);
});

const typeOf = (side: unknown) => partAt(side, ["type"]);
