/** The TypeScript types of values that input fields accept, without lists and objects. */
import type { JsonValue } from "../../json.ts";

/** The value of a flag: one of both if the compiler does not know it; never if it is absent. */
export type MayBe<Field, Flag extends string> = Flag extends keyof Field ? Exclude<Field[Flag], undefined> : never;

export type ScalarValue<Field> = Field extends { readonly type: infer Type }
  ? string extends Type
    ? JsonValue
    : Type extends "number"
      ? NumberValue<Choices<Field>>
      : Type extends "boolean"
        ? boolean | "true" | "false"
        : Type extends "file"
          ? string | { readonly file_id: string }
          : Type extends "select"
            ? SelectValue<Field>
            : Type extends "string"
              ? TextOf<Choices<Field>>
              : string
  : JsonValue;

/** The values in `list`; any if there are none, or if the compiler does not know them. */
type Choices<Field> = "list" extends keyof Field
  ? Field extends { readonly list: readonly (infer Item)[] }
    ? [Item] extends [never]
      ? Any
      : ValueOf<Item>
    : Any
  : Any;
type Any = string | number;

type ValueOf<Item> = Item extends { readonly value: infer Value } ? Value : Item;

/** Choices are converted to the type of the field: 18 and "18" are the same one. */
type TextOf<Choice> = Choice extends string | number ? `${Choice}` : string;

/** Text that is no number is no choice. */
type NumberValue<Choice> = Choice extends number
  ? Choice | `${Choice}`
  : string extends Choice
    ? number | `${number}`
    : Choice extends `${infer Value extends number}`
      ? Value | Choice
      : never;

type SelectValue<Field> =
  true extends MayBe<Field, "additional_options">
    ? string
    : Field extends { readonly options: readonly (infer Option)[] }
      ? TextOf<ValueOf<Option> | ("list" extends keyof Field ? Choices<Field> : never)>
      : string;
