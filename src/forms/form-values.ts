/** Between a submitted form, which is a list of texts, and the values of an input definition. Pure. */
import { isRecord, type JsonObject, type JsonValue, parseJson, pointer } from "../json.ts";
import { choicesOf } from "../workflows/field-options.ts";
import type { InputDefinition, InputField } from "../workflows/input/input-field.ts";

/** A control of a form. Its name is the JSON Pointer of the value. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly field: InputField;
  /** The fields of an object. */
  readonly fields: readonly FormField[];
}

/** Texts of a submitted form, by the names of their controls. */
export type Submitted = ReadonlyMap<string, readonly string[]>;

/** The controls of a form in their order. Fields whose value comes from the version are left out. */
export function formFieldsOf(definition: InputDefinition, path: readonly string[] = []): FormField[] {
  return Object.entries(definition)
    .filter(([, field]) => field.config !== true && !isHidden(field))
    .map(([key, field]) => ({ key, field }))
    .sort((one, other) => (one.field.order ?? 0) - (other.field.order ?? 0))
    .map(({ key, field }) => {
      const nested = field.type === "object" && field.array !== true ? field.fields : {};
      const own = [...path, key];
      return { name: pointer(own), label: field.name ?? key, field, fields: formFieldsOf(nested, own) };
    });
}

/** A hidden field that is required and has no default would make the form impossible to send. */
function isHidden(field: InputField): boolean {
  return field.display?.hidden === true && (field.optional === true || "default" in field);
}

/** All fields of a form, with those of objects. */
export const withNested = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((one) => [one, ...withNested(one.fields)]);

/** How a control takes its value. */
export type Control = "none" | "group" | "file" | "check" | "choices" | "one" | "lines" | "json";

export function controlOf(field: InputField): Control {
  if (field.type === "content") return "none";
  if (field.type === "file") return "file";
  if (field.type === "object") return field.array === true ? "json" : "group";
  if (field.type === "boolean" && field.array !== true) return "check";
  if (field.array !== true) return "one";
  return hasChoices(field) ? "choices" : "lines";
}

const hasChoices = (field: InputField) =>
  (field.type === "select" || field.type === "string" || field.type === "number") && choicesOf(field) !== undefined;

/** The values that a form gives. Empty controls give none. */
export function valuesOf(fields: readonly FormField[], submitted: Submitted): JsonObject {
  return Object.fromEntries(
    fields.flatMap((one): [string, JsonValue][] => {
      const value = valueFrom(one, submitted);
      return value === undefined ? [] : [[keyOf(one.name), value]];
    }),
  );
}

/** The value of a control; undefined if there is none. */
export function valueAt(values: JsonObject, name: string): JsonValue | undefined {
  let value: JsonValue | undefined = values;
  for (const part of name.split("/").slice(1)) {
    const key = keyOf(part);
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The last part of a JSON Pointer (RFC 6901). */
const keyOf = (name: string) =>
  name
    .slice(name.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");

function valueFrom({ name, field, fields }: FormField, submitted: Submitted): JsonValue | undefined {
  const texts = submitted.get(name) ?? [];
  const [first = ""] = texts;
  switch (controlOf(field)) {
    case "none":
      return undefined;
    case "group": {
      const values = valuesOf(fields, submitted);
      const isEmpty = Object.keys(values).length === 0 && field.optional === true;
      return isEmpty ? undefined : values;
    }
    case "check":
      return first === "true";
    case "file":
    case "choices":
      return texts.length === 0 ? undefined : [...texts];
    case "lines": {
      const lines = first.split(/\r\n?|\n/).map((line) => line.trim());
      const given = lines.filter((line) => line !== "");
      return given.length === 0 ? undefined : given;
    }
    case "json":
      return first.trim() === "" ? undefined : parsed(first);
    case "one":
      return first === "" ? undefined : first;
  }
}

/** A text that is not JSON stays a text, which the field refuses. */
function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The texts with which a form shows values, such as defaults. */
export function textsOf(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { name, field, fields: nested } of fields) {
    const key = keyOf(name);
    const own = Object.hasOwn(values, key) ? values[key] : undefined;
    const value = own ?? ("default" in field ? field.default : undefined);
    if (field.type === "object" && field.array !== true) {
      for (const [inner, found] of textsOf(nested, isRecord(value) ? value : {})) texts.set(inner, found);
    } else if (value !== undefined && value !== null) texts.set(name, shown(controlOf(field), value));
  }
  return texts;
}

function shown(control: Control, value: unknown): string[] {
  const plain = (one: unknown) => (typeof one === "string" ? one : JSON.stringify(one));
  if (control === "json") return [JSON.stringify(value, null, 2)];
  if (!Array.isArray(value)) return [plain(value)];
  return control === "lines" ? [value.map(plain).join("\n")] : value.map(plain);
}
