/** Defaults are added for each item of a list: a short body must not become gigabytes of input. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { checkInput } from "../../src/workflows/input/check-input.ts";
import type { InputDefinition } from "../../src/workflows/input/input-field.ts";

const items = (length: number): JsonObject => ({ items: Array.from({ length }, () => ({})) });
const listOf = (fields: InputDefinition): InputDefinition => ({ items: { type: "object", array: true, fields } });
const optional = (count: number, name = (index: number) => `f${index}`): InputDefinition =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [name(index), { type: "date", optional: true } as const]),
  );

describe("an input with 300,000 empty objects", () => {
  it.each<[string, InputDefinition]>([
    ["of many optional fields", optional(100)],
    ["of fields with long names", optional(2, (index) => `${"x".repeat(1_000)}${index}`)],
    ["of a field with a large default", { f: { type: "string", default: "x".repeat(10_000) } }],
    ["of objects of objects", { a: { type: "object", optional: true, fields: {} }, ...optional(100) }],
  ])("%s is rejected with one error", (_, fields) => {
    const { errors, values } = checkInput(listOf(fields), items(300_000), {});
    expect(errors).toEqual([
      { pointer: expect.stringMatching(/^\/input\/items\/\d+$/), message: expect.stringContaining("Send fewer items") },
    ]);
    expect(JSON.stringify(values).length).toBeLessThan(32 * 1024 * 1024);
  });

  it("with a few fields is accepted", () => {
    const { errors, values } = checkInput(listOf(optional(3)), items(300_000), {});
    expect(errors).toEqual([]);
    expect(values["items"]).toHaveLength(300_000);
  });
});

it("reads a long list of additional_fields once, not once per given name", () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
  let reads = 0;
  const list = new Proxy(names, {
    get(target, name, receiver) {
      reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  const definition: InputDefinition = {
    items: { type: "object", array: true, fields: {}, additional_fields: list },
  };
  const item = Object.fromEntries(names.map((name) => [name, 1]));
  const { errors } = checkInput(definition, { items: [item, item, item] }, {});
  expect(errors).toEqual([]);
  expect(reads).toBeLessThan(3 * names.length);
});
