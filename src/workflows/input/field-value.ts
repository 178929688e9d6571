/** The schemas of field values. Pure. */
import * as v from "valibot";
import { parseWebUrl } from "../../net/web-url.ts";
import { choicesOf } from "../field-options.ts";
import type { InputField } from "./input-field.ts";

type Scalar = v.GenericSchema<unknown, string | number | boolean>;

type ScalarField = Exclude<InputField, { type: "object" }>;

const SCHEMAS = new WeakMap<ScalarField, Scalar>();

/**
 * The schema of a field. Accepts the value itself and the text that a form sends for it. Created once per field: each item
 * of a list of objects needs it, and a field may have thousands of choices.
 */
export function schemaOf(field: ScalarField): Scalar {
  const schema = SCHEMAS.get(field) ?? createSchema(field);
  SCHEMAS.set(field, schema);
  return schema;
}

function createSchema(field: ScalarField): Scalar {
  switch (field.type) {
    case "number":
      return withOptions(numeric, choicesOf(field));
    case "string":
      return withOptions(field.validation === "url" ? webUrl : text, choicesOf(field));
    case "boolean":
      return bool;
    case "date":
      return date;
    case "datetime":
      return datetime;
    case "time":
      return time;
    case "select":
      return withOptions(text, choicesOf(field));
    case "file":
      return fileId;
    case "connection":
      return v.string("Must be the id of a connection.");
    case "content":
      return v.never("Must be omitted: a content field has no value.");
  }
}

const text = v.string("Must be a string.");

/** An id, or a file of a record, which is shown with its `file_id`. */
const fileId = v.union(
  [
    v.string(),
    v.pipe(
      v.object({ file_id: v.string() }),
      v.transform(({ file_id }) => file_id),
    ),
  ],
  "Must be the id of a file.",
);

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;
const TOO_PRECISE =
  "Must not have more digits than a double-precision number can represent. Use a string field instead.";

/** Numbers and booleans may be text, as forms send them. */
const numeric = v.pipe(
  v.union(
    [
      v.number(),
      v.pipe(
        v.string(),
        v.regex(NUMBER),
        v.check((text) => !NUMBER.test(text) || isExact(text), TOO_PRECISE),
        v.transform(Number),
      ),
    ],
    (issue) => (issue.issues?.some(({ message }) => message === TOO_PRECISE) ? TOO_PRECISE : "Must be a number."),
  ),
  v.finite("Must be a number."),
);

/** Whether a double represents all digits of the text. */
function isExact(text: string): boolean {
  const number = Number(text);
  return !Number.isFinite(number) || digitsOf(text) === digitsOf(String(number));
}

/** The significant digits: without sign, point, exponent, and zeros at both ends. */
function digitsOf(text: string): string {
  const [mantissa = ""] = text.trim().toLowerCase().split("e");
  const digits = mantissa.replaceAll(/[^\d]/g, "");
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return digits.slice(start, end);
}

const bool = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((text) => text === "true"),
    ),
  ],
  "Must be true or false.",
);

/** Characters that URL parsers ignore. They are rejected, so that the stored value is the parsed value. */
const STRIPPED = /^[\0-\x20]|[\t\n\r]|[\0-\x20]$/;

const webUrl = v.pipe(
  text,
  v.check((value) => !STRIPPED.test(value), "Must be a URL without line breaks or surrounding spaces."),
  v.check((value) => {
    const url = parseWebUrl(value);
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

/** Rejects days that a month does not have. */
function isCalendarDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** Restricts a schema to a list of values, if there is one. */
function withOptions(schema: Scalar, values: readonly (string | number)[] | undefined): Scalar {
  if (values === undefined) return schema;
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  const message = `Must be one of ${shown.join(", ")}${values.length > 20 ? ", …" : ""}.`;
  const known = new Set<unknown>(values);
  return v.pipe(
    schema,
    v.check((value) => known.has(value), message),
  );
}
