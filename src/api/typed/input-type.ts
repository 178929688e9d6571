/** The TypeScript type of the input that a literal definition accepts. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { Simplified } from "./json-schema-type.ts";

/**
 * Input of a run at the first input step: its fields, and those of the whole workflow. Any object if the compiler does not know
 * the fields.
 */
export type InputOf<Definition> = Fields<FieldsOf<Definition> & StartFields<Definition>, Defaults<Definition>>;

type FieldsOf<Given> = Given extends { readonly input: infer Input extends object } ? Input : unknown;

type StartFields<Definition> = Definition extends { readonly steps: infer Steps }
  ? FieldsOf<FirstInput<Steps>>
  : unknown;

type FirstInput<Steps> = Steps extends readonly [infer First, ...infer Rest]
  ? First extends { readonly type: "input" }
    ? First
    : FirstInput<Rest>
  : unknown;

/** Names of fields that have a value by `input_default`. */
type Defaults<Definition> = Definition extends { readonly input_default: infer Given extends object }
  ? keyof Given
  : never;

type Fields<Given, Defaulted> = keyof Given extends never
  ? JsonObject
  : string extends keyof Given
    ? JsonObject
    : Simplified<
        { [Name in RequiredName<Given, Defaulted>]: FieldType<Given[Name]> } & {
          [Name in OptionalName<Given, Defaulted>]?: FieldType<Given[Name]> | null;
        }
      >;

/** Fields without a value that a caller may give. */
type NamesWithout = { readonly type: "content" } | { readonly config: true };

type RequiredName<Given, Defaulted> = {
  [Name in keyof Given]: Given[Name] extends NamesWithout | { readonly optional: true } | { readonly default: unknown }
    ? never
    : Name extends Defaulted
      ? never
      : Name;
}[keyof Given];

type OptionalName<Given, Defaulted> = {
  [Name in keyof Given]: Given[Name] extends NamesWithout ? never : Name;
}[Exclude<keyof Given, RequiredName<Given, Defaulted>>];

type FieldType<Field> = Field extends { readonly array: true } ? readonly ValueType<Field>[] : ValueType<Field>;

type FileValue = string | { readonly file_id: string };

type ValueType<Field> = Field extends { readonly type: infer Type }
  ? Type extends "number"
    ? Choice<Field, number> | `${number}`
    : Type extends "boolean"
      ? boolean | "true" | "false"
      : Type extends "file"
        ? FileValue | readonly FileValue[]
        : Type extends "select"
          ? SelectValue<Field>
          : Type extends "object"
            ? ObjectValue<Field>
            : Type extends "string"
              ? Choice<Field, string>
              : string
  : JsonValue;

type Choice<Field, Any> = Field extends { readonly list: readonly (infer Item)[] } ? ChoiceValue<Item> : Any;
type ChoiceValue<Item> = Item extends { readonly value: infer Value } ? Value : Item;

type SelectValue<Field> = Field extends { readonly additional_options: true }
  ? string
  :
      | (Field extends { readonly options: readonly (infer Option)[] } ? ChoiceValue<Option> : never)
      | (Field extends { readonly list: readonly (infer Item)[] } ? ChoiceValue<Item> : never);

type ObjectValue<Field> = Field extends { readonly additional_fields: true | readonly string[] }
  ? JsonObject
  : Field extends { readonly fields: infer Nested }
    ? Fields<Nested, never>
    : JsonObject;
