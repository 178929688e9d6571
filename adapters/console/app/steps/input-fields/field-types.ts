/** The types of input fields, and changes between them. Pure. */
import { entriesInOrder } from "../../../../../src/workflows/input/entries-in-order.ts";
import type { InputDefinition, InputField } from "../../../../../src/workflows/input/input-field.ts";

export const FIELD_TYPES = [
  "string",
  "number",
  "boolean",
  "select",
  "date",
  "time",
  "datetime",
  "file",
  "object",
  "connection",
  "content",
] as const satisfies readonly InputField["type"][];
export type FieldType = (typeof FIELD_TYPES)[number];

/** Fields of every type. */
const COMMON = ["name", "desc", "optional", "array", "placeholder", "display", "order", "config", "link", "metadata"];

/** A field of another type, with what the types have in general. */
export function retyped(field: InputField, type: FieldType): InputField {
  if (field.type === type) return field;
  const kept = Object.fromEntries(Object.entries(field).filter(([name]) => COMMON.includes(name)));
  return { ...kept, ...newField(type) };
}

export function newField(type: FieldType): InputField {
  switch (type) {
    case "select":
      return { type, options: [{ value: "one" }] };
    case "object":
      return { type, fields: {} };
    default:
      return { type };
  }
}

export type NamedField = readonly [name: string, field: InputField];

/** As forms show them: by `order`, and otherwise as they stand. */
export const inFormOrder: (definition: InputDefinition) => readonly NamedField[] = entriesInOrder;

/** The definition with its fields in this order. Each gets a number, because objects of JSON have no order to rely on. */
export function ordered(fields: readonly NamedField[]): InputDefinition {
  return Object.fromEntries(fields.map(([name, field], order): [string, InputField] => [name, { ...field, order }]));
}

/** Renames a field where it stands. Nothing changes if the name is taken or empty. */
export function renamedField(definition: InputDefinition, from: string, to: string): InputDefinition {
  if (to === "" || Object.hasOwn(definition, to)) return definition;
  return Object.fromEntries(Object.entries(definition).map(([name, field]) => [name === from ? to : name, field]));
}
