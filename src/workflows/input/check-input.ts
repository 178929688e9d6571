/** Checks the input of a run against the fields of its version, and reports every invalid field. Pure. */
import * as v from "valibot";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { type FieldError, MAX_ERRORS } from "../../errors.ts";
import { isRecord, type JsonObject, type JsonValue, minJsonLength, pointer } from "../../json.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import { isAdditionalName } from "../field-options.ts";
import { schemaOf } from "./field-value.ts";
import { defaultOf, type InputDefinition, type InputField } from "./input-field.ts";

export type Path = readonly (string | number)[];
/** The values of `input_default` for the fields of one level. */
type Defaults = Readonly<Record<string, unknown>>;

/** A file or a connection in an input. */
export interface InputReference {
  readonly id: string;
  readonly pointer: string;
  /** Allowed media types of a file, or services of a connection. */
  readonly allowed_types: readonly string[] | undefined;
  /** Maximum bytes of a file. */
  readonly max_size?: number | undefined;
}

/** The files and connections in an input. The caller checks that the app has them and that the fields accept them. */
export interface InputReferences {
  readonly files: readonly InputReference[];
  readonly connections: readonly InputReference[];
}

export interface CheckedInput extends InputReferences {
  /** The input with defaults. Omitted optional values are null. Files are ids here. */
  readonly values: JsonObject;
  readonly errors: readonly FieldError[];
}

/**
 * Checks an input. A definition without fields accepts any object.
 *
 * @param defaults `input_default` of the version: the only source of `config` fields.
 * @param base Path of the input in the request.
 * @param keepsNull Whether null for an optional field counts, instead of its default.
 */
export function checkInput(
  definition: InputDefinition,
  given: JsonObject,
  defaults: JsonObject,
  base: Path = ["input"],
  keepsNull = false,
): CheckedInput {
  const { budget, files, connections, errors } = createFindings();
  if (Object.keys(definition).length === 0) return { values: { ...defaults, ...given }, files, connections, errors };
  const found = { budget, files, connections, errors, missing: errors, keepsNull };
  const values = fields(definition, given, defaults, base, false, found);
  return { values, files, connections, errors };
}

export interface Findings {
  readonly files: InputReference[];
  readonly connections: InputReference[];
  readonly errors: FieldError[];
  /** Characters of defaults that may still be added: each `{}` in a list of objects adds all of its fields. */
  readonly budget: { left: number };
  /** Required values that are missing but may be provided later. The same list as `errors` if they cannot. */
  readonly missing: FieldError[];
  /** Whether null for an optional field counts, instead of its default. */
  readonly keepsNull?: boolean;
}

/** Characters of all defaults that one input may add. */
const MAX_ADDED_CHARS = 16 * MEBIBYTE;

export function createFindings(): Findings {
  return { files: [], connections: [], errors: [], missing: [], budget: { left: MAX_ADDED_CHARS } };
}

export function fields(
  definition: InputDefinition,
  given: Readonly<Record<string, unknown>>,
  defaults: Defaults,
  path: Path,
  additional: boolean | readonly string[],
  found: Findings,
): JsonObject {
  const wrong = (name: string, message: string) => found.errors.push({ pointer: pointer([...path, name]), message });
  const values: [string, JsonValue][] = [];
  for (const [name, field] of Object.entries(definition)) {
    if (isFull(found)) break;
    const isGiven = Object.hasOwn(given, name) && given[name] !== null;
    if (field.type === "content") {
      if (isGiven) wrong(name, "Must be omitted: a content field has no value.");
    } else if (field.config === true && isGiven) {
      wrong(name, "Must be omitted: only input_default sets a config field.");
    } else {
      const configured = Object.hasOwn(defaults, name) ? defaults[name] : null;
      const isLeftEmpty =
        found.keepsNull === true && field.optional === true && field.config !== true && Object.hasOwn(given, name);
      const value = isGiven || isLeftEmpty ? given[name] : defaultValueOf(field, configured);
      if (!isGiven && !isWithinBudget(name, value, found, path)) break;
      values.push([name, fieldValue(field, value, configured, [...path, name], found)]);
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (isFull(found)) break;
    if (Object.hasOwn(definition, name)) continue;
    if (isAdditionalName(name, additional))
      values.push([name, value as JsonValue]); // part of a JSON value
    else
      wrong(
        name,
        `Unknown field.${didYouMean(
          name,
          Object.keys(definition).filter((one) => !Object.hasOwn(given, one)),
        )}`,
      );
  }
  return Object.fromEntries(values);
}

/** Counts the size of an added default, and reports an error when the limit is exceeded. */
function isWithinBudget(name: string, value: unknown, { budget, errors }: Findings, path: Path): boolean {
  budget.left -= name.length + minJsonLength(value, budget.left) + 4;
  if (budget.left >= 0) return true;
  const message = `With defaults filled in, the input exceeds ${MAX_ADDED_CHARS} characters. Send fewer items.`;
  if (errors.every((error) => error.message !== message)) errors.push({ pointer: pointer(path), message });
  return false;
}

/** The default of a field. For an object, without the defaults that its own fields look up themselves. */
function defaultValueOf(field: InputField, configured: unknown): unknown {
  if (configured === null) return defaultOf(field);
  if (field.type !== "object" || field.array === true || !isRecord(configured)) return configured;
  return Object.fromEntries(Object.entries(configured).filter(([name]) => !Object.hasOwn(field.fields, name)));
}

/** @param configured The value of `input_default` for the field. */
export function fieldValue(
  field: InputField,
  value: unknown,
  configured: unknown,
  path: Path,
  all: Findings,
): JsonValue {
  const isConfig = field.config === true;
  const missing = isConfig ? all.errors : all.missing;
  if (value === undefined || value === null) {
    const message = isConfig ? "Is required in input_default." : "Is required.";
    if (field.optional === true) return null;
    missing.push({ pointer: pointer(path), message });
    // Later values for the object cannot include its config fields, so check these now.
    const isProvidedLater = missing !== all.errors && field.type === "object" && field.array !== true;
    if (isProvidedLater) fields(field.fields, {}, {}, path, false, all);
    return null;
  }
  const isList = field.array === true || field.type === "file";
  // Nothing can be added later to a config value or to an item of a list.
  const found = isConfig || isList ? { ...all, missing: all.errors } : all;
  // Accept a single value for a list.
  const readValue = valueReaderOf(field, found);
  if (!isList) return readValue(value, isRecord(configured) ? configured : {}, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (field.array !== true && items.length > 1) {
    found.errors.push({ pointer: pointer(path), message: "Must be a single file." });
  }
  if (items.length === 0 && field.optional !== true) {
    missing.push({ pointer: pointer(path), message: "Must have at least one value." });
  }
  const values: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    if (isFull(found)) break;
    values.push(readValue(item, {}, Array.isArray(value) ? [...path, index] : path));
  }
  return values;
}

/** Stops when there are more errors than are reported. */
const isFull = ({ errors, budget }: Findings) => errors.length > MAX_ERRORS || budget.left < 0;

type ReadValue = (value: unknown, defaults: Defaults, path: Path) => JsonValue;

/** Returns the function that checks and converts the values of a field. */
function valueReaderOf(field: InputField, found: Findings): ReadValue {
  if (field.type === "object") {
    return (value, defaults, path) => {
      if (isRecord(value)) return fields(field.fields, value, defaults, path, field.additional_fields ?? false, found);
      found.errors.push({ pointer: pointer(path), message: "Must be an object." });
      return null;
    };
  }
  const schema = schemaOf(field);
  return (value, _, path) => {
    const result = v.safeParse(schema, value);
    if (!result.success) {
      found.errors.push({ pointer: pointer(path), message: result.issues[0].message });
      return null;
    }
    if (field.type === "file" || field.type === "connection") {
      const named = field.type === "file" ? found.files : found.connections;
      const max_size = field.type === "file" ? field.max_size : undefined;
      named.push({ id: String(result.output), pointer: pointer(path), allowed_types: field.allowed_types, max_size });
    }
    return result.output;
  };
}
