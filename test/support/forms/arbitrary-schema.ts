/** Random schemas of a library, with alternatives, each with a value that it accepts. */
import fc from "fast-check";
import * as v from "valibot";
import type { JsonObject, JsonValue } from "../../../src/json.ts";

type AnySchema = v.GenericSchema;

interface SchemaWithValue {
  readonly schema: AnySchema;
  readonly value: JsonValue;
}

export interface ObjectWithValue {
  readonly schema: AnySchema;
  readonly value: JsonObject;
}

const text = fc.string({ unit: fc.constantFrom("a", "B", "7", " ", "é", "/", "~", "{"), minLength: 1, maxLength: 8 });
/** Texts that a list keeps: a row with nothing but spaces is an empty one. */
const word = text.filter((value) => value.trim() !== "");
const number = fc.integer({ min: -9_999, max: 9_999 }).map((value) => value / 100);
const name = fc.string({ unit: fc.constantFrom("a", "b", "Z", "0", "_", " ", "/", "~"), minLength: 1, maxLength: 5 });
const day = fc.integer({ min: 10, max: 28 }).map((date) => `2027-01-${date}`);

const is = (schema: AnySchema, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<SchemaWithValue> =>
  value.map((one) => ({ schema, value: one }));

const leaf: fc.Arbitrary<SchemaWithValue> = fc.oneof(
  is(v.string(), text),
  is(v.number(), number),
  is(v.boolean(), fc.boolean()),
  is(v.pipe(v.string(), v.isoDate()), day),
  is(v.picklist(["a", "b", 3]), fc.constantFrom("a", "b", 3)),
  is(v.nullable(v.number()), fc.option(number)),
  is(v.literal("fixed"), fc.constant("fixed")),
  is(v.literal(true), fc.constant(true)),
  is(v.array(v.string()), fc.array(word, { minLength: 1, maxLength: 3 })),
  is(
    v.record(v.string(), v.number()),
    fc.dictionary(
      name.filter((key) => key !== "__proto__"),
      number,
      { maxKeys: 3 },
    ),
  ),
);

function objects(levels: number): fc.Arbitrary<ObjectWithValue> {
  const field = fc.tuple(name, valuesOf(levels), fc.constantFrom("required", "given", "absent"));
  return fc.uniqueArray(field, { maxLength: 4, selector: ([key]) => key }).map((fields) => ({
    schema: v.strictObject(
      Object.fromEntries(
        fields.map(([key, { schema, value }, presence]) => [
          key,
          isNeeded(value, presence) ? schema : v.exactOptional(schema),
        ]),
      ),
    ),
    value: Object.fromEntries(
      fields.flatMap(([key, { value }, presence]) =>
        presence === "absent" && !isNeeded(value, presence) ? [] : [[key, value]],
      ),
    ),
  }));
}

/** In a field that may be left out, null means the same as nothing. */
const isNeeded = (value: JsonValue, presence: string) => presence === "required" || value === null;

/** Objects that a field tells apart. Some fields are in several of them. */
function discriminated(levels: number): fc.Arbitrary<ObjectWithValue> {
  return fc
    .tuple(
      fc.constantFrom("type", "kind/of"),
      fc.uniqueArray(name, { minLength: 2, maxLength: 4 }),
      fc.array(objects(levels), { minLength: 4, maxLength: 4 }),
      fc.nat(),
    )
    .map(([key, types, bodies, position]) => {
      const options = types.map((type, index) => ({
        type,
        body: bodies[index] ?? { schema: v.strictObject({}), value: {} },
      }));
      const chosen = options[position % options.length];
      return {
        schema: v.union(
          options.map(({ type, body }) => v.strictObject({ ...entriesOf(body.schema), [key]: v.literal(type) })),
        ),
        value: { ...chosen?.body.value, [key]: chosen?.type ?? "" },
      };
    });
}

const entriesOf = (schema: AnySchema): v.ObjectEntries =>
  "entries" in schema ? (schema.entries as v.ObjectEntries) : {}; // those of objects above

/** Values that only their types tell apart. */
function mixed(levels: number): fc.Arbitrary<SchemaWithValue> {
  return fc
    .tuple(objects(levels), text, number, fc.array(number, { minLength: 1, maxLength: 2 }), fc.nat())
    .map(([body, ...others]) => {
      const [words, amount, list, position] = others;
      const values: JsonValue[] = [words, amount, list, body.value, null];
      return {
        schema: v.union([v.string(), v.number(), v.array(v.number()), body.schema, v.null()]),
        value: values[position % values.length] ?? null,
      };
    });
}

function valuesOf(levels: number): fc.Arbitrary<SchemaWithValue> {
  if (levels === 0) return leaf;
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: objects(levels - 1) },
    { weight: 2, arbitrary: discriminated(levels - 1) },
    { weight: 2, arbitrary: mixed(levels - 1) },
    {
      weight: 1,
      arbitrary: discriminated(levels - 1).map(({ schema, value }) => ({ schema: v.array(schema), value: [value] })),
    },
  );
}

/** An object, or one of several. */
export const schemaWithValue: fc.Arbitrary<ObjectWithValue> = fc.oneof(objects(2), discriminated(2));
