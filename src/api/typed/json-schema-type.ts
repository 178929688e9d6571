/** The TypeScript type of the values that a literal JSON Schema accepts. */
import type { JsonObject, JsonValue } from "../../json.ts";

/**
 * Understands `type`, `enum`, `const`, `properties`, `required`, `additionalProperties: false`, `items`, `anyOf` and `oneOf`. Any
 * other schema accepts any JSON.
 */
export type SchemaType<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Variant)[] }
      ? SchemaType<Variant>
      : Schema extends { readonly oneOf: readonly (infer Variant)[] }
        ? SchemaType<Variant>
        : Schema extends { readonly type: infer Type }
          ? TypeNamed<Type extends readonly (infer Name)[] ? Name : Type, Schema>
          : JsonValue;

/** Distributes over a list of types. */
type TypeNamed<Name, Schema> = Name extends "string"
  ? string
  : Name extends "number" | "integer"
    ? number
    : Name extends "boolean"
      ? boolean
      : Name extends "null"
        ? null
        : Name extends "array"
          ? ListType<Schema>
          : Name extends "object"
            ? ObjectType<Schema>
            : JsonValue;

type ListType<Schema> = Schema extends { readonly items: infer Item } ? SchemaType<Item>[] : JsonValue[];

type ObjectType<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplified<
      { [Name in keyof Properties & RequiredNames<Schema>]: SchemaType<Properties[Name]> } & {
        [Name in Exclude<keyof Properties, RequiredNames<Schema>>]?: SchemaType<Properties[Name]>;
      }
    >
  : JsonObject;

type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** Shown by editors as one object. */
export type Simplified<T> = { [Key in keyof T]: T[Key] };
