/** What the lists of a field accept: its values with their labels, or the names of further fields. Pure. */
import type { InputField, NumberField, SelectField, StringField } from "./input/input-field.ts";

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

/** What a form calls a choice; undefined for a value that is none, or has no label. */
export function choiceLabel(field: InputField, value: string | number): string | undefined {
  const list = "list" in field ? (field.list ?? []) : [];
  const choices = field.type === "select" ? [...field.options, ...list] : list;
  for (const choice of choices) {
    if (typeof choice === "object" && String(choice.value) === String(value)) return choice.label;
  }
  return undefined;
}

/** Whether a field accepts only some values, and its form can show all of them. */
export const hasChoices = (field: InputField): field is NumberField | StringField | SelectField =>
  (field.type === "select" || field.type === "string" || field.type === "number") && choicesOf(field) !== undefined;

/** Whether a form can show the text of a field in several lines. */
export const canHaveLines = (field: InputField): boolean =>
  field.type === "string" && field.array !== true && field.validation === undefined && !hasChoices(field);

const NAMES = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Whether `additional_fields` of an object accepts a name that is not one of its fields. */
export function isAdditionalName(name: string, accepted: boolean | readonly string[]): boolean {
  return typeof accepted === "boolean" ? accepted : namesIn(accepted).has(name);
}

/** Creates the set once per list, because each item of a list of objects needs it. */
function namesIn(list: readonly string[]): ReadonlySet<string> {
  const names = NAMES.get(list) ?? new Set(list);
  NAMES.set(list, names);
  return names;
}
