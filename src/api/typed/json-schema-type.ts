/** The TypeScript type of the values that a literal JSON Schema accepts. */
import type { JsonObject, JsonValue } from "../../json.ts";

/**
 * Understands `type`, `enum`, `const`, `properties`, `required`, `items`, `prefixItems`, `anyOf` and `oneOf`. It ignores other
 * keywords, which can only accept fewer values. Any JSON, any list or any object if the compiler does not know the schema.
 */
export type SchemaType<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Variant)[] }
      ? Narrower<SchemaType<Variant>, Schema>
      : Schema extends { readonly oneOf: readonly (infer Variant)[] }
        ? Narrower<SchemaType<Variant>, Schema>
        : TypeOf<Schema>;

/** The type of the variants, or that of the whole schema if they are about something else, such as lengths. */
type Narrower<Variants, Schema> = JsonValue extends Variants ? TypeOf<Schema> : Variants;

type TypeOf<Schema> = Schema extends { readonly type: infer Type }
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
          ? (FirstItems<Schema> | RestItems<Schema>)[]
          : Name extends "object"
            ? ObjectType<Schema>
            : JsonValue;

type FirstItems<Schema> = "prefixItems" extends keyof Schema
  ? Schema extends { readonly prefixItems: readonly (infer Item)[] }
    ? SchemaType<Item>
    : JsonValue
  : never;

/** `items: false` forbids further items. A list of schemas stands for `prefixItems`. */
type RestItems<Schema> = Schema extends { readonly items: infer Item }
  ? Item extends false
    ? never
    : SchemaType<Item>
  : JsonValue;

type ObjectType<Schema> = Schema extends { readonly properties: infer Properties }
  ? string extends keyof Properties
    ? JsonObject
    : Simplified<
        { [Name in keyof Properties & RequiredNames<Schema>]: SchemaType<Properties[Name]> } & {
          [Name in Exclude<keyof Properties, RequiredNames<Schema>>]?: SchemaType<Properties[Name]>;
        }
      >
  : JsonObject;

/** Names that are certain to be in the list. */
type RequiredNames<Schema> = Schema extends { readonly required: infer Names extends readonly unknown[] }
  ? HasOneLength<Names> extends true
    ? { [Index in keyof Names]: One<Names[Index]> }[number]
    : never
  : never;

type HasOneLength<List extends readonly unknown[]> = number extends List["length"] ? false : IsOne<List["length"]>;
type One<Name> = string extends Name ? never : IsOne<Name> extends true ? Name : never;
type IsOne<Literal, All = Literal> = Literal extends unknown ? ([All] extends [Literal] ? true : false) : never;

/** Shown by editors, and in errors of the compiler, as one object. */
export type Simplified<T> = T extends infer Shown ? { [Key in keyof Shown]: Shown[Key] } : never;
