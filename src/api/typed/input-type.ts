/** The TypeScript type of the input that a literal definition accepts. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { MayBe, ScalarValue } from "./input-value-type.ts";
import type { Simplified } from "./json-schema-type.ts";
import type { Certain } from "./last-step.ts";

/**
 * Input of a run at the first input step: its fields, and those of the whole workflow. Any object if the compiler does not know
 * the fields. A field is optional if the compiler does not know whether it is required.
 */
export type InputOf<Definition> = Definition extends unknown
  ? Fields<Merged<FieldsIn<Definition>, StartFields<Definition>>, DefaultsIn<Definition>>
  : never;

/** Fields of any name. */
type AnyFields = Readonly<Record<string, unknown>>;
type NoFields = Record<never, never>;

type FieldsIn<Given> = "input" extends keyof Given
  ? Given extends { readonly input: infer Input extends object }
    ? Input
    : AnyFields
  : NoFields;

type DefaultsIn<Definition> = Definition extends { readonly input_default?: infer Given } ? Given : null;

type StartFields<Definition> = "steps" extends keyof Definition
  ? Definition extends { readonly steps: infer Steps extends readonly unknown[] }
    ? FirstInput<Steps>
    : AnyFields
  : NoFields;

type FirstInput<Steps extends readonly unknown[]> = [Exclude<StartRole<Steps[number]>, "other">] extends [never]
  ? NoFields
  : Steps extends readonly [infer First, ...infer Rest]
    ? Certain<StartRole<First>> extends infer Role
      ? Role extends "input"
        ? FieldsIn<First>
        : Role extends "other"
          ? FirstInput<Rest>
          : AnyFields
      : never
    : AnyFields;

type StartRole<Step> = Step extends { readonly type: infer Type }
  ? string extends Type
    ? "unknown"
    : Type extends "input"
      ? "input"
      : "other"
  : "unknown";

/** The fields of the input step replace those of the workflow with the same name. */
type Merged<Own, Started> = Own extends unknown
  ? Started extends unknown
    ? Omit<Own, keyof Started> & Started
    : never
  : never;

/** @typeParam Defaults Values of `input_default` for these fields. */
type Fields<Given, Defaults> = Given extends unknown
  ? [keyof Given] extends [never]
    ? JsonObject
    : string extends keyof Given
      ? JsonObject
      : Simplified<
          {
            -readonly [Name in keyof Given as NameIf<false, Name, Given[Name], Defaults>]: FieldValue<
              Given[Name],
              DefaultOf<Defaults, Name>
            >;
          } & {
            -readonly [Name in keyof Given as NameIf<true, Name, Given[Name], Defaults>]?: FieldValue<
              Exclude<Given[Name], undefined>,
              DefaultOf<Defaults, Name>
            > | null;
          }
        >
  : never;

/** The name of a field that a caller may give, if that is optional or not. */
type NameIf<Optional, Name, Field, Defaults> = [Field] extends [NamesWithout]
  ? never
  : true extends MayBeOmitted<Field, DefaultOf<Defaults, Name>>
    ? Optional extends true
      ? Name
      : never
    : Optional extends true
      ? never
      : Name;

/** Fields without a value that a caller may give. */
type NamesWithout = { readonly type: "content" } | { readonly config: true };

/** Null stands for no value. */
type DefaultOf<Defaults, Name> = Defaults extends unknown
  ? Name extends keyof Defaults
    ? Defaults[Name]
    : null
  : never;

/** True, or one of both, if a run may begin without the field. Distributes over a field that may be one of several. */
type MayBeOmitted<Field, Default> = Field extends { readonly type: infer Type }
  ? "content" extends Type
    ? true
    : "default" extends keyof Field
      ? true
      : true extends MayBe<Field, "optional"> | MayBe<Field, "config">
        ? true
        : [Default] extends [null | undefined]
          ? false
          : Type extends "object"
            ? true extends MayBe<Field, "array">
              ? true
              : NoFields extends FieldsOfObject<Field, Default>
                ? true
                : false
            : true
  : true;

/** A field for a list also accepts a single value. A field for one file accepts a list of one. */
type FieldValue<Field, Default> = Field extends { readonly type: infer Type }
  ? true extends MayBe<Field, "array">
    ? OneValue<Field, null> | readonly OneValue<Field, null>[]
    : Type extends "file"
      ? OneValue<Field, null> | OneOf<OneValue<Field, null>, MayBe<Field, "optional">>
      : OneValue<Field, Default>
  : JsonValue;

type OneOf<Value, Optional> = true extends Optional ? readonly [] | readonly [Value] : readonly [Value];

type OneValue<Field, Default> = Field extends { readonly type: "object" }
  ? FieldsOfObject<Field, Default>
  : ScalarValue<Field>;

/** Objects with names that the compiler does not know are any object. */
type FieldsOfObject<Field, Default> = "additional_fields" extends keyof Field
  ? Field extends { readonly additional_fields: false; readonly fields: infer Nested }
    ? Fields<Nested, Default>
    : JsonObject
  : Field extends { readonly fields: infer Nested }
    ? Fields<Nested, Default>
    : JsonObject;
