/** The input of a run against what its version asks for: every bad field at once. Specification 2.4. Pure. */
import * as v from "valibot";
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonValue, pointer } from "../json.ts";
import { choicesOf } from "../workflows/choices.ts";
import type { InputDefinition, InputField } from "../workflows/input-field.ts";

type Path = readonly (string | number)[];
/** What `input_default` has for the fields of one level. */
type Defaults = Readonly<Record<string, unknown>>;

/** A file that a field names; whether the app has it, and whether its type is taken, is for the caller to find out. */
export interface NamedFile {
  readonly id: string;
  readonly pointer: string;
  readonly allowed_types: readonly string[] | undefined;
}

export interface CheckedInput {
  /** With defaults filled in; what was optional and is missing is null. Files are ids here. */
  readonly values: JsonObject;
  readonly files: readonly NamedFile[];
  readonly errors: readonly FieldError[];
}

/**
 * Without any definition, a run takes whatever it is given.
 *
 * @param defaults `input_default` of the version: the only source of `config` fields.
 * @param base Where the input stands in what the caller sent.
 */
export function checkInput(
  definition: InputDefinition,
  given: JsonObject,
  defaults: JsonObject,
  base: Path = ["input"],
): CheckedInput {
  if (Object.keys(definition).length === 0) return { values: { ...defaults, ...given }, files: [], errors: [] };
  const found: Found = { files: [], errors: [] };
  const values = fields(definition, given, defaults, base, false, found);
  return { values, ...found };
}

interface Found {
  readonly files: NamedFile[];
  readonly errors: FieldError[];
}

function fields(
  definition: InputDefinition,
  given: Readonly<Record<string, unknown>>,
  defaults: Defaults,
  path: Path,
  additional: boolean | readonly string[],
  found: Found,
): JsonObject {
  const wrong = (name: string, message: string) => found.errors.push({ pointer: pointer([...path, name]), message });
  const values: [string, JsonValue][] = [];
  for (const [name, field] of Object.entries(definition)) {
    const isGiven = Object.hasOwn(given, name) && given[name] !== null;
    if (field.type === "content") {
      if (isGiven) wrong(name, "Is shown between the fields and takes no value.");
    } else if (field.config === true && isGiven) {
      wrong(name, "Is set in the configuration (input_default) and not by a run.");
    } else {
      const configured = Object.hasOwn(defaults, name) ? defaults[name] : null;
      const value = isGiven ? given[name] : defaultOf(field, configured);
      values.push([name, fieldValue(field, value, configured, [...path, name], found)]);
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(definition, name)) continue;
    const taken = typeof additional === "boolean" ? additional : additional.includes(name);
    if (taken)
      values.push([name, value as JsonValue]); // a part of JSON is JSON
    else wrong(name, "Unknown field.");
  }
  return Object.fromEntries(values);
}

/** Of an object, what its own fields do not find among the defaults by themselves. */
function defaultOf(field: InputField, configured: unknown): unknown {
  if (configured === null) return "default" in field ? field.default : undefined;
  if (field.type !== "object" || field.array === true || !isRecord(configured)) return configured;
  return Object.fromEntries(Object.entries(configured).filter(([name]) => !Object.hasOwn(field.fields, name)));
}

/** @param configured What `input_default` has for it. */
function fieldValue(field: InputField, value: unknown, configured: unknown, path: Path, found: Found): JsonValue {
  if (value === undefined || value === null) {
    if (field.optional !== true) found.errors.push({ pointer: pointer(path), message: "Is required." });
    return null;
  }
  // A lone value for a list of one cannot be misread.
  const several = field.array === true || field.type === "file";
  if (!several) return oneValue(field, value, isRecord(configured) ? configured : {}, path, found);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (field.array !== true && items.length > 1) {
    found.errors.push({ pointer: pointer(path), message: "Takes one file." });
  }
  if (items.length === 0 && field.optional !== true) {
    found.errors.push({ pointer: pointer(path), message: "Needs at least one value." });
  }
  return items.map((item, index) => oneValue(field, item, {}, Array.isArray(value) ? [...path, index] : path, found));
}

function oneValue(field: InputField, value: unknown, defaults: Defaults, path: Path, found: Found): JsonValue {
  if (field.type === "object") {
    if (isRecord(value)) return fields(field.fields, value, defaults, path, field.additional_fields ?? false, found);
    found.errors.push({ pointer: pointer(path), message: "Must be an object." });
    return null;
  }
  const result = v.safeParse(schemaOf(field), value);
  if (!result.success) {
    found.errors.push({ pointer: pointer(path), message: result.issues[0].message });
    return null;
  }
  if (field.type === "file") {
    found.files.push({ id: String(result.output), pointer: pointer(path), allowed_types: field.allowed_types });
  }
  return result.output;
}

type Scalar = v.GenericSchema<unknown, string | number | boolean>;

function schemaOf(field: Exclude<InputField, { type: "object" }>): Scalar {
  switch (field.type) {
    case "number":
      return listed(numeric, choicesOf(field));
    case "string":
      return listed(field.validation === "url" ? webAddress : text, choicesOf(field));
    case "boolean":
      return truth;
    case "date":
      return date;
    case "datetime":
      return datetime;
    case "time":
      return time;
    case "select":
      return listed(text, choicesOf(field));
    case "file":
      return v.string("Must be the id of a file.");
    case "connection":
      return v.string("Must be the id of a connection.");
    case "content":
      return v.never("Takes no value.");
  }
}

const text = v.string("Must be a string.");

/** Numbers and truth values may come as text, as forms send them. */
const numeric = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.regex(/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i), v.transform(Number))],
    "Must be a number.",
  ),
  v.finite("Must be a number."),
);
const truth = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((spelt) => spelt === "true"),
    ),
  ],
  "Must be true or false.",
);

const webAddress = v.pipe(
  text,
  v.check((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    return url?.protocol === "http:" || url?.protocol === "https:";
  }, "Must be a URL that starts with http:// or https://."),
);

const DATE = "Must be a date such as 2027-01-31.";
const DATETIME = "Must be an ISO 8601 date and time such as 2027-01-31T09:30:00Z.";
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?$/;
const ZONED = /^(\d{4}-\d{2}-\d{2})T([^Z+-]+)(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

const date = v.pipe(v.string(DATE), v.check(isCalendarDay, DATE));
const time = v.pipe(v.string(), v.regex(CLOCK, "Must be a time of day such as 09:30 or 09:30:00."));
const datetime = v.pipe(
  v.string(DATETIME),
  v.check((value) => {
    const [, day = "", clock = ""] = ZONED.exec(value) ?? [];
    return isCalendarDay(day) && CLOCK.test(clock);
  }, DATETIME),
);

/** Also knows how long a month is. */
function isCalendarDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** One of the values to choose from, where there are any. */
function listed(schema: Scalar, values: readonly (string | number)[] | undefined): Scalar {
  if (values === undefined) return schema;
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  const message = `Must be one of ${shown.join(", ")}${values.length > 20 ? ", …" : ""}.`;
  return v.pipe(
    schema,
    v.check((value) => typeof value !== "boolean" && values.includes(value), message),
  );
}
