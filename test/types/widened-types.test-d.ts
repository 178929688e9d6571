/** What the compiler cannot know of a definition widens the types of its runs; they never promise more than a run keeps. */
import { describe, expectTypeOf, it } from "vitest";
import type { InputOf, JsonObject, JsonValue, OutputOf, SchemaType } from "../../src/index.ts";

const CODE = { type: "code", key: "a", code: "return 1" } as const;
const NUMBER = { type: "code", key: "n", code: "return 1", output: { type: "number" } } as const;
type Code = typeof CODE;
type Number_ = typeof NUMBER;
type Output<Steps> = OutputOf<{ readonly steps: Steps }>;
type Leaf<Key extends string> = { type: "code"; key: Key; output: { type: "number" } };

describe("the output of a run is any JSON", () => {
  it("if the steps contain a spread or are a list of unknown length", () => {
    expectTypeOf<Output<Number_[]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Number_, ...Code[]]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [...Code[], Number_]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Number_, Code?]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<OutputOf<{ steps?: readonly [Number_] }>>().toEqualTypeOf<JsonValue>();
  });

  it("if several leaves have the same type", () => {
    expectTypeOf<
      Output<readonly [{ type: "code"; key: "a"; destinations: ["b", "c"] }, Leaf<string>, Leaf<string>]>
    >().toEqualTypeOf<JsonValue>();
    expectTypeOf<
      Output<readonly [{ type: "code"; key: "a"; destinations: ["b", "c"] }, Leaf<"b">, Leaf<string>]>
    >().toEqualTypeOf<JsonValue>();
  });

  it("if a step may have destinations or catch routes, or not", () => {
    expectTypeOf<Output<readonly [Leaf<"b"> & { destinations: string[] }, Number_]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Code & { destinations?: ["n"] }, Number_]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Code & { on_error?: [] }, Number_]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<
      Output<readonly [Code & { destinations: readonly [...string[]] }, Number_]>
    >().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Code | (Code & { destinations: ["n"] }), Number_]>>().toEqualTypeOf<JsonValue>();
  });

  it("if a branch leads nowhere, so that it is a leaf", () => {
    type Nowhere = { type: "branch"; key: "x"; conditions: { yes: { order: 1; destinations: [] } } };
    expectTypeOf<Output<readonly [Number_, Nowhere]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Code & { destinations: ["n"] }, Number_, Nowhere]>>().toEqualTypeOf<JsonValue>();
    type Named = { type: "branch"; key: "x"; conditions: { [name: string]: { order: 1; destinations: ["n"] } } };
    expectTypeOf<Output<readonly [Named, Number_]>>().toEqualTypeOf<JsonValue>();
  });

  it("if a note has destinations or is one", () => {
    type Note = { type: "note"; key: "why"; note: string };
    expectTypeOf<Output<readonly [Note & { destinations: ["a"] }, Code, Number_]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Code & { destinations: ["why"] }, Note, Number_]>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Output<readonly [Number_, { type: "note" | "code"; key: "x" }]>>().toEqualTypeOf<JsonValue>();
  });

  it("if the step is pinned, because a run of the draft has any output", () => {
    expectTypeOf<OutputOf<{ steps: readonly [Number_]; pinned: { n: "x" } }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<OutputOf<{ steps: readonly [Number_]; pinned: JsonObject }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<OutputOf<{ steps: readonly [Number_]; pinned?: { n: "x" } }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<OutputOf<{ steps: readonly [Code, Number_]; pinned: { a: 1 } }>>().toEqualTypeOf<number>();
  });
});

describe("the output of a run", () => {
  it("is that of the leaf in graphs of literals", () => {
    type Branch = {
      type: "branch";
      key: "x";
      conditions: { yes: { order: 1; destinations: ["n"] }; no: { order: 2; destinations: [] } };
    };
    expectTypeOf<Output<readonly [Branch, Number_]>>().toEqualTypeOf<number>();
    expectTypeOf<
      Output<readonly [{ type: "branch"; key: "x"; conditions: object; else: ["n"] }, Number_]>
    >().toEqualTypeOf<number>();
    expectTypeOf<Output<readonly [Number_, { type: "note"; key: string; note: "" }]>>().toEqualTypeOf<number>();
    expectTypeOf<Output<readonly [{ type: "code"; key: string; code: "" }, Number_]>>().toEqualTypeOf<number>();
  });

  it("of 300 steps is known", () => {
    type Ten<T> = [T, T, T, T, T, T, T, T, T, T];
    type Hundred = [...Ten<Code>, ...Ten<Code>, ...Ten<Code>, ...Ten<Code>, ...Ten<Code>, ...Ten<Code>, ...Ten<Code>];
    expectTypeOf<
      Output<readonly [...Hundred, ...Hundred, ...Hundred, ...Hundred, ...Ten<Code>, ...Ten<Code>, Number_]>
    >().toEqualTypeOf<number>();
  });

  it("may or may not be a list if for_each is optional", () => {
    type Each = { items: "input.list" };
    expectTypeOf<Output<readonly [Number_ & { for_each?: Each }]>>().toEqualTypeOf<number | number[]>();
    expectTypeOf<Output<readonly [Number_ & { for_each: Each & { on_error: "fail" | "continue" } }]>>().toEqualTypeOf<
      (number | null)[]
    >();
    expectTypeOf<Output<readonly [Number_ & { for_each: Each & { on_error?: "continue" } }]>>().toEqualTypeOf<
      (number | null)[]
    >();
    expectTypeOf<Output<readonly [Number_ & { loop?: string }]>>().toEqualTypeOf<number>();
  });
});

describe("the type of a JSON Schema", () => {
  const properties = { a: { type: "string" }, b: { type: "number" } } as const;
  type Properties = typeof properties;

  it("requires only names that are certain", () => {
    type Of<Required> = SchemaType<{ type: "object"; properties: Properties; required: Required }>;
    expectTypeOf<Of<["a"]>>().toEqualTypeOf<{ a: string; b?: number }>();
    expectTypeOf<Of<string[]>>().toEqualTypeOf<{ a?: string; b?: number }>();
    expectTypeOf<Of<("a" | "b")[]>>().toEqualTypeOf<{ a?: string; b?: number }>();
    expectTypeOf<Of<["a", ..."b"[]]>>().toEqualTypeOf<{ a?: string; b?: number }>();
    expectTypeOf<Of<["a", "a" | "b"]>>().toEqualTypeOf<{ a: string; b?: number }>();
    expectTypeOf<Of<["a", "b"?]>>().toEqualTypeOf<{ a?: string; b?: number }>();
  });

  it("is an open object if names of properties are not known", () => {
    expectTypeOf<
      SchemaType<{ type: "object"; properties: { [name: string]: { type: "string" } } }>
    >().toEqualTypeOf<JsonObject>();
    expectTypeOf<
      SchemaType<{ type: "object"; additionalProperties: { type: "number" } }>
    >().toEqualTypeOf<JsonObject>();
  });

  it("of a list covers prefixItems", () => {
    expectTypeOf<
      SchemaType<{ type: "array"; prefixItems: [{ type: "string" }, { type: "null" }]; items: { type: "number" } }>
    >().toEqualTypeOf<(string | number | null)[]>();
    expectTypeOf<SchemaType<{ type: "array"; prefixItems: [{ type: "string" }] }>>().toEqualTypeOf<JsonValue[]>();
    expectTypeOf<SchemaType<{ type: "array"; prefixItems: [{ type: "string" }]; items: false }>>().toEqualTypeOf<
      string[]
    >();
    expectTypeOf<
      SchemaType<{ type: "array"; prefixItems?: [{ type: "string" }]; items: { type: "number" } }>
    >().toEqualTypeOf<JsonValue[]>();
    expectTypeOf<SchemaType<{ type: "array"; items: [{ type: "string" }] }>>().toEqualTypeOf<JsonValue[]>();
  });

  it("ignores what does not narrow it, and what the validator does not know", () => {
    expectTypeOf<SchemaType<{ type: "string"; nullable: true }>>().toEqualTypeOf<string>();
    expectTypeOf<SchemaType<{ $ref: "#/$defs/a" }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<SchemaType<{ type: "number"; anyOf: [{ minimum: 1 }, { maximum: 0 }] }>>().toEqualTypeOf<number>();
    expectTypeOf<SchemaType<{ allOf: [{ type: "number" }, { minimum: 1 }] }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<SchemaType<{ type: string }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<SchemaType<{ type?: "string" }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<SchemaType<{ type: ("string" | "null")[] }>>().toEqualTypeOf<string | null>();
    expectTypeOf<SchemaType<{ enum: string[] }>>().toEqualTypeOf<string>();
    expectTypeOf<SchemaType<{ enum: JsonValue[] }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<SchemaType<JsonObject>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<SchemaType<true>>().toEqualTypeOf<JsonValue>();
  });
});

describe("the input of a run", () => {
  it("is any object if the first input step is not certain", () => {
    type Start = { type: "input"; key: "start"; input: { n: { type: "number" } } };
    type Given<Steps> = InputOf<{ input: { s: { type: "string" } }; steps: Steps }>;
    expectTypeOf<Given<readonly [Start]>>().toEqualTypeOf<{ s: string; n: number | `${number}` }>();
    expectTypeOf<Given<Start[]>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Given<readonly [...Code[], Start]>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Given<readonly [Code, ...Start[]]>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Given<readonly [Code | Start]>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<InputOf<{ input: { s: { type: "string" } }; steps?: readonly [Start] }>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<InputOf<{ input?: { s: { type: "string" } }; steps: [Start] }>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Given<readonly [Start, ...Code[]]>>().toEqualTypeOf<{ s: string; n: number | `${number}` }>();
    expectTypeOf<InputOf<{ input: { s: { type: "string" } } }>>().toEqualTypeOf<{ s: string }>();
  });

  it("has the field of the input step if the workflow has one of the same name", () => {
    type Start = { type: "input"; key: "start"; input: { n: { type: "number" } } };
    expectTypeOf<
      InputOf<{ input: { n: { type: "boolean" }; s: { type: "string" } }; steps: readonly [Start] }>
    >().toEqualTypeOf<{ s: string; n: number | `${number}` }>();
  });

  it("does not require what may have a value", () => {
    type Of<Field> = InputOf<{ input: { f: Field } }>;
    expectTypeOf<Of<{ type: "string"; optional: boolean }>>().toEqualTypeOf<{ f?: string | null }>();
    expectTypeOf<Of<{ type: "string"; optional?: true }>>().toEqualTypeOf<{ f?: string | null }>();
    expectTypeOf<Of<{ type: "string"; config: boolean }>>().toEqualTypeOf<{ f?: string | null }>();
    expectTypeOf<Of<{ type: "string"; default?: string }>>().toEqualTypeOf<{ f?: string | null }>();
    expectTypeOf<Of<{ type: "string" } | { type: "string"; optional: true }>>().toEqualTypeOf<{ f?: string | null }>();
    expectTypeOf<Of<{ type: "string" | "content" }>>().toEqualTypeOf<{ f?: string | null }>();
    type Defaults<Given> = InputOf<{ input: { f: { type: "string" } }; input_default: Given }>;
    expectTypeOf<Defaults<JsonObject>>().toEqualTypeOf<{ f?: string | null }>();
    expectTypeOf<Defaults<{ f: null }>>().toEqualTypeOf<{ f: string }>();
    expectTypeOf<Defaults<null>>().toEqualTypeOf<{ f: string }>();
    expectTypeOf<Defaults<{ f: "x" } | null>>().toEqualTypeOf<{ f?: string | null }>();
  });

  it("applies input_default within objects", () => {
    type City = { type: "object"; fields: { city: { type: "string" }; zip: { type: "string" } } };
    type Of<Given> = InputOf<{ input: { at: City }; input_default: Given }>;
    expectTypeOf<Of<{ at: { city: "x" } }>>().toEqualTypeOf<{ at: { zip: string; city?: string | null } }>();
    expectTypeOf<Of<{ at: { city: "x"; zip: "1" } }>>().toEqualTypeOf<{
      at?: { zip?: string | null; city?: string | null } | null;
    }>();
  });

  it("has one file in a field for one", () => {
    type File = string | { readonly file_id: string };
    type Of<Field> = InputOf<{ input: { f: Field } }> extends { f: infer Value } ? Value : JsonObject;
    expectTypeOf<Of<{ type: "file" }>>().toEqualTypeOf<File | readonly [File]>();
    expectTypeOf<Of<{ type: "file"; array: true }>>().toEqualTypeOf<File | readonly File[]>();
    expectTypeOf<Of<{ type: "file"; array: boolean }>>().toEqualTypeOf<File | readonly File[]>();
    expectTypeOf<Of<{ type: "date"; array: true }>>().toEqualTypeOf<string | readonly string[]>();
    expectTypeOf<Of<{ type: "date"; array?: true }>>().toEqualTypeOf<string | readonly string[]>();
  });

  it("has the choices that a run accepts", () => {
    type Of<Field> = InputOf<{ input: { f: Field } }> extends { f: infer Value } ? Value : JsonObject;
    expectTypeOf<Of<{ type: "number"; list: [18, "21"] }>>().toEqualTypeOf<18 | 21 | "18" | "21">();
    expectTypeOf<Of<{ type: "string"; list: [18, { value: "a"; label: "A" }] }>>().toEqualTypeOf<"18" | "a">();
    expectTypeOf<Of<{ type: "string"; list: [] }>>().toEqualTypeOf<string>();
    expectTypeOf<Of<{ type: "string"; list: string[] }>>().toEqualTypeOf<string>();
    expectTypeOf<Of<{ type: "string"; list?: ["a"] }>>().toEqualTypeOf<string>();
    expectTypeOf<Of<{ type: "select"; options: [{ value: "a" }]; list: [1] }>>().toEqualTypeOf<"a" | "1">();
    expectTypeOf<Of<{ type: "select"; options: [{ value: "a" }]; list?: ["b"] }>>().toEqualTypeOf<string>();
    expectTypeOf<
      Of<{ type: "select"; options: [{ value: "a" }]; additional_options: boolean }>
    >().toEqualTypeOf<string>();
    expectTypeOf<
      Of<{ type: "object"; fields: { a: { type: "date" } }; additional_fields: boolean }>
    >().toEqualTypeOf<JsonObject>();
  });
});
