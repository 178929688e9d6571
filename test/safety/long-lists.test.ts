/** Long lists in a definition, for long lists in an input: the time grows with their sum, not with their product. */
import { describe, expect, it } from "vitest";
import { pickFields } from "../../src/hooks/pick-fields.ts";
import type { JsonObject } from "../../src/index.ts";
import { checkInput } from "../../src/workflows/input/check-input.ts";
import type { InputDefinition, InputField } from "../../src/workflows/input/input-field.ts";
import { isLinear } from "../support/cpu-time.ts";

const SIZE = 16 * 1024;
const numbers = (size: number) => Array.from({ length: size }, (_, index) => index);
const names = (size: number) => numbers(size).map((index) => `v${index}`);
const fromNames = (size: number): JsonObject => Object.fromEntries(names(size).map((name) => [name, 1]));

const FIELDS: readonly (readonly [name: string, field: (size: number) => InputField, value: string | number])[] = [
  ["the options of a select", (size) => ({ type: "select", options: names(size).map((value) => ({ value })) }), "v1"],
  ["the list of a string field", (size) => ({ type: "string", list: names(size) }), "v1"],
  ["the list of a number field", (size) => ({ type: "number", list: numbers(size) }), 1],
];

const listOf = (fields: InputDefinition): InputDefinition => ({ items: { type: "object", array: true, fields } });

describe("the time to check a list of objects is linear in", () => {
  it.each(FIELDS)("%s", async (_, field, value) => {
    const check = (size: number) => {
      const definition = listOf({ f: field(size) });
      const given = { items: numbers(size).map(() => ({ f: value })) };
      return () => expect(checkInput(definition, given, {}).errors).toEqual([]);
    };
    expect(await isLinear(SIZE, check)).toBe(true);
  });

  it.each(FIELDS)("%s of nested objects", async (_, field, value) => {
    const check = (size: number) => {
      const definition = listOf({ o: { type: "object", fields: { f: field(size) } } });
      const given = { items: numbers(size).map(() => ({ o: { f: value } })) };
      return () => expect(checkInput(definition, given, {}).errors).toEqual([]);
    };
    expect(await isLinear(SIZE, check)).toBe(true);
  });
});

describe("the time to read a webhook's payload is linear in additional_fields", () => {
  const definition = (size: number): InputDefinition => ({
    o: { type: "object", fields: {}, additional_fields: names(size).reverse() },
  });

  it("for as many names", async () => {
    const read = (size: number) => {
      const [fields, given] = [definition(size), { o: fromNames(size) }];
      return () => pickFields(fields, given);
    };
    expect(await read(8)()).toEqual({ o: fromNames(8) });
    expect(await isLinear(SIZE, read)).toBe(true);
  });

  it("for as many objects", async () => {
    const read = (size: number) => {
      const [fields, given] = [definition(size), { o: numbers(size).map(() => ({ v1: 1 })) }];
      return () => pickFields(fields, given);
    };
    expect(await read(8)()).toEqual({ o: numbers(8).map(() => ({ v1: 1 })) });
    expect(await isLinear(SIZE, read)).toBe(true);
  });
});
