/** The values of a field that has a list of values. Pure. */
import type { NumberField, SelectField, StringField } from "./input/input-field.ts";

/**
 * The values that a field accepts; undefined for any value. Converted to the type of the field: 18 and "18" are the same
 * choice, and "any" is not a choice for a number.
 */
export function choicesOf(field: NumberField | StringField | SelectField): readonly (string | number)[] | undefined {
  if (field.type === "select" && field.additional_options === true) return undefined;
  const { list = [] } = field;
  const choices = field.type === "select" ? [...field.options, ...list] : list;
  if (choices.length === 0) return undefined;
  const values = choices.map((choice) => (typeof choice === "object" ? choice.value : choice));
  if (field.type !== "number") return values.map(String);
  return values.map(Number).filter((value) => !Number.isNaN(value));
}
