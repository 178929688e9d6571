/** Random input definitions, each with an input that it accepts. Files and connections are left out: they need an app. */
import fc from "fast-check";
import { type JsonObject, type JsonValue, omitUndefined } from "../../../src/json.ts";
import type { InputDefinition, InputField } from "../../../src/workflows/input/input-field.ts";

interface FieldWithValue {
  readonly field: InputField;
  readonly value: JsonValue;
}

export interface FormWithInput {
  readonly definition: InputDefinition;
  readonly input: JsonObject;
}

const text = fc.string({ unit: fc.constantFrom("a", "B", "7", " ", "é", "/", "~", "{"), minLength: 1, maxLength: 12 });
/** Texts that a list keeps as they are. */
const word = fc.string({ unit: fc.constantFrom("a", "B", "7", "é", "/", "~"), minLength: 1, maxLength: 12 });
const number = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.integer({ min: -9_999, max: 9_999 }).map((value) => value / 100),
);
const two = (max: number, min = 0) => fc.integer({ min, max }).map((value) => String(value).padStart(2, "0"));
const day = fc.tuple(fc.integer({ min: 1900, max: 2099 }), two(12, 1), two(28, 1)).map((parts) => parts.join("-"));
const time = fc.tuple(two(23), two(59)).map((parts) => parts.join(":"));
const moment = fc.tuple(day, time).map(([date, clock]) => `${date}T${clock}:00Z`);
const label = fc.constantFrom("First", "Second", "Third");
const choices = fc.uniqueArray(word, { minLength: 1, maxLength: 14 });

/** What every type has. */
const common = fc
  .record({
    name: fc.option(label, { nil: undefined }),
    desc: fc.option(text, { nil: undefined }),
    optional: fc.option(fc.boolean(), { nil: undefined }),
    order: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    display: fc.option(
      fc.record({
        field: fc.constantFrom("inline" as const, "stacked" as const),
        container: fc.constantFrom("grid" as const, "full" as const, "center" as const),
      }),
      { nil: undefined },
    ),
  })
  .map(omitUndefined);

function scalar(field: fc.Arbitrary<InputField>, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<FieldWithValue> {
  return fc.tuple(field, value, common, fc.boolean()).chain(([own, one, more, array]) => {
    const whole = { ...own, ...more };
    if (!array) return fc.constant({ field: whole, value: one });
    const list = fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: String });
    // A default is a single value.
    const { default: _, ...plain } = { default: undefined, ...whole };
    return list.map((values) => ({ field: { ...plain, array: true }, value: values }));
  });
}

const plain = (type: "date" | "datetime" | "time" | "boolean"): fc.Arbitrary<InputField> => fc.constant({ type });

const leaf: fc.Arbitrary<FieldWithValue> = fc.oneof(
  scalar(fc.constant({ type: "string" }), word),
  scalar(
    fc.constant({ type: "string", validation: "url" }),
    word.map((path) => `https://example.com/${encodeURIComponent(path)}`),
  ),
  scalar(fc.constant({ type: "number" }), number),
  scalar(plain("boolean"), fc.boolean()),
  scalar(plain("date"), day),
  scalar(plain("time"), time),
  scalar(plain("datetime"), moment),
  choices.chain((values) =>
    scalar(fc.constant({ type: "select", options: values.map((value) => ({ value })) }), fc.constantFrom(...values)),
  ),
  fc
    .uniqueArray(number, { minLength: 1, maxLength: 8 })
    .chain((list) => scalar(fc.constant({ type: "number", list }), fc.constantFrom(...list))),
  choices.chain((values) =>
    scalar(
      fc.constant({ type: "select", options: values.map((value) => ({ value })), additional_options: true }),
      word,
    ),
  ),
);

const name = fc.string({
  unit: fc.constantFrom("a", "b", "Z", "0", "_", " ", "/", "~", "%", "é"),
  minLength: 1,
  maxLength: 6,
});

function fields(levels: number): fc.Arbitrary<FormWithInput> {
  const one =
    levels === 0 ? leaf : fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: object(levels - 1) });
  return fc.uniqueArray(fc.tuple(name, one), { minLength: 1, maxLength: 5, selector: ([key]) => key }).map((all) => ({
    definition: Object.fromEntries(all.map(([key, { field }]) => [key, field])),
    input: Object.fromEntries(all.map(([key, { value }]) => [key, value])),
  }));
}

function object(levels: number): fc.Arbitrary<FieldWithValue> {
  return fc.tuple(fields(levels), common, fc.boolean(), fc.boolean()).map(([inner, more, array, additional]) => {
    const field: InputField = { type: "object", fields: inner.definition, ...more, additional_fields: additional };
    const extra = additional && !Object.hasOwn(inner.definition, "extra") ? { extra: "5" } : {};
    const value = { ...inner.input, ...extra };
    return array ? { field: { ...field, array }, value: [value] } : { field, value };
  });
}

export const formWithInput: fc.Arbitrary<FormWithInput> = fields(2);
