/** Between a submitted form, which is a list of texts, and the values of an input definition. Pure. */

import { pointerName, pointerNames } from "../encoding/json-pointer.ts";
import { isRecord, type JsonObject, type JsonValue, parseJson, pointer } from "../json.ts";
import { choicesOf, hasChoices } from "../workflows/field-options.ts";
import { entriesInOrder } from "../workflows/input/entries-in-order.ts";
import { defaultOf, type InputDefinition, type InputField } from "../workflows/input/input-field.ts";
import { MAX_RADIO_BUTTONS } from "./model/form-model.ts";

/** A control of a form. Its name is the JSON Pointer of the value. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly field: InputField;
  readonly control: Control;
  /** The value that the form shows at first: of the version, or the default; undefined for none. */
  readonly preset: unknown;
  /** Whether the step gets a value, or may do without one, if nothing is entered. */
  readonly hasValueWithoutAnswer: boolean;
  /** The fields of an object. */
  readonly fields: readonly FormField[];
}

/** Texts of a submitted form, by the names of their controls. */
export type Submitted = ReadonlyMap<string, readonly string[]>;

type Values = Readonly<Record<string, unknown>>;

/**
 * The controls of a form in their order, without fields that only the version sets, and without hidden ones. A hidden field
 * whose value is missing is shown, because the form could not be sent otherwise.
 * @param configured `input_default` of the version.
 */
export function formFieldsOf(
  definition: InputDefinition,
  configured: Values,
  path: readonly string[] = [],
): FormField[] {
  return entriesInOrder(definition)
    .filter(([, field]) => field.config !== true)
    .map(([key, field]): FormField => {
      const own = [...path, key];
      const preset = (Object.hasOwn(configured, key) ? configured[key] : null) ?? defaultOf(field);
      const values = isRecord(preset) ? preset : {};
      const fields = field.type === "object" && field.array !== true ? formFieldsOf(field.fields, values, own) : [];
      const hasValueWithoutAnswer = hasValue(field, preset, fields);
      const control = controlOf(field, preset);
      return { name: pointer(own), label: field.name ?? key, field, control, preset, hasValueWithoutAnswer, fields };
    })
    .filter(({ field, hasValueWithoutAnswer }) => !(hasValueWithoutAnswer && field.display?.hidden === true));
}

/** An object that the version sets must have all of its own fields, even if it is optional. */
function hasValue(field: InputField, preset: unknown, fields: readonly FormField[]): boolean {
  if (preset === undefined) return field.optional === true;
  return fields.every(({ hasValueWithoutAnswer }) => hasValueWithoutAnswer);
}

/** Whether a form has a field of this type, also in an object or a list of objects. */
export function hasFieldOfType(definition: InputDefinition, type: InputField["type"]): boolean {
  return Object.values(definition).some(
    (field) => field.type === type || (field.type === "object" && hasFieldOfType(field.fields, type)),
  );
}

/** All fields of a form, with those of objects. */
export const withNested = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((one) => [one, ...withNested(one.fields)]);

/** How a control takes its value. `asked`: yes or no, of which a person must choose one. */
export type Control = "none" | "group" | "file" | "check" | "asked" | "choices" | "radio" | "one" | "lines" | "json";

function controlOf(field: InputField, preset: unknown): Control {
  if (field.type === "content") return "none";
  if (field.type === "file") return "file";
  if (field.type === "object") return field.array === true ? "json" : "group";
  // Without a default, a box that is not checked would say no, or that nobody has answered.
  if (field.type === "boolean" && field.array !== true) return preset === undefined ? "asked" : "check";
  if (!hasChoices(field)) return field.array === true ? "lines" : "one";
  if (field.array === true) return "choices";
  const isShort = (choicesOf(field) ?? []).length <= MAX_RADIO_BUTTONS;
  const { control = isShort ? "radio" : "dropdown" } = field.display ?? {};
  return control === "radio" ? "radio" : "one";
}

/** Whether an empty text is a choice, instead of no answer. */
export const hasEmptyChoice = (field: InputField): boolean =>
  hasChoices(field) && choicesOf(field)?.includes("") === true;

/** Whether people write the values of a field, instead of choosing them. */
export const isWritten = ({ field, control }: Pick<FormField, "field" | "control">): boolean =>
  (control === "one" || control === "lines") && !hasChoices(field);

/**
 * The values that a form gives. Empty controls give none.
 * @param isFromPage Whether empty controls that a page has shown with a preset give null, because a person has cleared them.
 */
export function valuesOf(fields: readonly FormField[], submitted: Submitted, isFromPage: boolean): JsonObject {
  return Object.fromEntries(
    fields.flatMap((one): [string, JsonValue][] => {
      const value = valueFrom(one, submitted, isFromPage);
      if (value !== undefined) return [[keyOf(one.name), value]];
      return isFromPage && isCleared(one, submitted) ? [[keyOf(one.name), null]] : [];
    }),
  );
}

/** The value of a control; undefined if there is none. */
export function valueAt(values: JsonObject, name: string): JsonValue | undefined {
  let value: JsonValue | undefined = values;
  for (const key of pointerNames(name)) {
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The last part of a JSON Pointer (RFC 6901). */
const keyOf = (name: string) => pointerName(name.slice(name.lastIndexOf("/") + 1));

/** Whether a person has cleared an optional control that has no value. */
function isCleared({ name, field, control, preset, fields }: FormField, submitted: Submitted): boolean {
  if (field.optional !== true || preset === undefined) return false;
  if (control === "group") return withNested(fields).some(hasShownText);
  // Browsers send nothing for a group of boxes of which none is checked.
  return hasShownText({ control, preset }) && (control === "choices" || submitted.has(name));
}

/** Whether a page shows a text for the preset of a control. Browsers show no files. */
function hasShownText({ control, preset }: Pick<FormField, "control" | "preset">): boolean {
  if (preset === undefined || ["none", "group", "file", "check"].includes(control)) return false;
  return shown(control, preset, plainText).some((text) => text !== "");
}

function valueFrom(
  { name, field, control, fields }: FormField,
  submitted: Submitted,
  isFromPage: boolean,
): JsonValue | undefined {
  const texts = submitted.get(name) ?? [];
  const [first = ""] = texts;
  switch (control) {
    case "none":
      return undefined;
    case "group": {
      const isLeftOut = field.optional === true && fields.every((one) => isEmpty(one, submitted));
      return isLeftOut ? undefined : valuesOf(fields, submitted, isFromPage);
    }
    case "check":
      // Browsers send nothing for a box that is not checked.
      return first === "" ? false : truth(first);
    case "asked":
      return first === "" ? undefined : truth(first);
    case "file":
    case "choices":
      return texts.length === 0 ? undefined : [...texts];
    case "lines": {
      const given = texts.flatMap(linesOf);
      return given.length === 0 ? undefined : given;
    }
    case "json":
      return first.trim() === "" ? undefined : parsed(first);
    case "radio":
    case "one":
      return first === "" && !(texts.length > 0 && hasEmptyChoice(field)) ? undefined : first;
  }
}

/** The lines of a text that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * Whether nothing was entered. A box that is not checked says nothing, unless the form has shown it checked: then a person
 * has cleared it.
 */
function isEmpty(form: FormField, submitted: Submitted): boolean {
  const { control } = form;
  if (control === "group") return form.fields.every((one) => isEmpty(one, submitted));
  const value = valueFrom(form, submitted, false);
  return value === undefined || (control === "check" && value === false && form.preset !== true);
}

/** Any other text stays one, which the field refuses. */
const truth = (text: string): JsonValue => (text === "true" || text === "false" ? text === "true" : text);

/** A text that is not JSON stays a text, which the field refuses. */
function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/**
 * The texts that a form shows at first.
 * @param textOf Writes a value of a field, or one of its values.
 */
export function presetTexts(
  fields: readonly FormField[],
  textOf: (form: FormField, value: unknown) => string,
): Map<string, string[]> {
  return new Map(
    withNested(fields).flatMap((one): [string, string[]][] => {
      const { name, control, preset } = one;
      if (control === "group" || preset === undefined) return [];
      return [[name, shown(control, preset, (value) => textOf(one, value))]];
    }),
  );
}

/** A value as programs write it. */
export const plainText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function shown(control: Control, value: unknown, textOf: (value: unknown) => string): string[] {
  if (control === "json") return [JSON.stringify(value, null, 2)];
  if (!Array.isArray(value)) return [textOf(value)];
  return control === "lines" ? [value.map(textOf).join("\n")] : value.map(textOf);
}
