/** Schema checks, and the schemas that all slices share. */
import * as v from "valibot";
import { type OwnedJson, receivedJson } from "./encoding/json/owned-json.ts";
import { hasLoneSurrogate, UNPAIRED } from "./encoding/url-component.ts";
import { type FieldError, MAX_ERRORS } from "./errors.ts";
import { isRecord, type JsonInput, type JsonInputObject, type JsonObject, type JsonValue } from "./json.ts";
import { didYouMean } from "./messages/closest-name.ts";
import { asDataset, isFull, type Progress, refused, refuseKey, take } from "./messages/container-result.ts";
import { fieldErrors, invalid } from "./messages/field-errors.ts";
import { LAST_INSTANT } from "./time/iso.ts";
import { DAY_SECONDS } from "./time/units.ts";

export type Schema = v.GenericSchema<unknown, unknown>;

/** Marks a secret: forms mask it (`writeOnly` of JSON Schema). */
export const WRITE_ONLY = v.metadata<string, { readonly writeOnly: true }>({ writeOnly: true });

/** As a key, it would set the prototype of an object instead of a field, so `jsonProblem` rejects it. */
export const FORBIDDEN_KEY = "__proto__";

/** For keys in the paths of requests. Clients resolve "." and ".." before they send a URL, also when they are encoded. */
export const segment = v.check<string, string>(
  (text) => text !== "." && text !== "..",
  'Must not be "." or "..": no URL can contain this key.',
);

/**
 * An object with exactly these fields. Unlike `v.strictObject`, it reports every unknown field instead of the first,
 * and rejects arrays and a field named "toString".
 * @param hint Added to the message about an unknown field that resembles no known one.
 */
// @__NO_SIDE_EFFECTS__
export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries, hint = "") {
  const own: Entries = Object.assign(Object.create(null), entries);
  const object = v.strictObject(own);
  const known = v.object(own);
  return v._standardSchema<typeof object>({
    ...object,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (!isRecord(input)) return refused(object, dataset, config);
      const result = known["~run"](dataset, config);
      for (const key in input) {
        if (isFull(result)) break;
        if (Object.hasOwn(own, key)) continue;
        const missing = Object.keys(own).filter((name) => !Object.hasOwn(input, name));
        const meant = didYouMean(key, missing) || (hint && ` ${hint}`);
        refuseKey(object, key, "never", input, result, config, `Unknown field.${meant}`);
      }
      return result;
    },
  });
}

/** A schema whose lists are read-only, so that it accepts those of callers and nobody changes what it returned. */
export interface ListSchema<Item extends v.GenericSchema>
  extends v.BaseSchema<
    readonly v.InferInput<Item>[],
    readonly v.InferOutput<Item>[],
    v.ArrayIssue | v.InferIssue<Item>
  > {
  readonly item: Item;
}

/** A list. Unlike `v.array`, it stops checking after {@link MAX_ERRORS} errors. */
// @__NO_SIDE_EFFECTS__
export function list<const Item extends v.GenericSchema>(item: Item): ListSchema<Item> {
  const array = v.array(item);
  return v._standardSchema<ListSchema<Item>>({
    ...array,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (!Array.isArray(input)) return refused(array, dataset, config);
      const values: unknown[] = [];
      const result: Progress = { typed: true, value: values };
      for (let key = 0; key < input.length && !isFull(result); key++) {
        const value: unknown = input[key];
        const found = item["~run"]({ value }, config);
        take(result, found, { type: "array", origin: "value", input, key, value });
        values.push(found.value);
      }
      return asDataset<readonly v.InferOutput<Item>[]>(result);
    },
  });
}

/**
 * A map with any names. Unlike `v.record`, it stops checking after {@link MAX_ERRORS} errors, keeps `constructor` and
 * `prototype`, which `v.record` drops silently, and rejects `__proto__`.
 */
// @__NO_SIDE_EFFECTS__
export function map<const Value extends v.GenericSchema>(value: Value, name: v.GenericSchema<string> = v.string()) {
  const record = v.record(name, value);
  return v._standardSchema<typeof record>({
    ...record,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (!isRecord(input)) return refused(record, dataset, config);
      const values: Record<string, unknown> = {};
      const result: Progress = { typed: true, value: values };
      for (const key in input) {
        if (isFull(result)) break;
        if (key === FORBIDDEN_KEY || hasLoneSurrogate(key)) {
          const message = key === FORBIDDEN_KEY ? undefined : UNPAIRED;
          refuseKey(record, key, "another name", input, asDataset(result), config, message);
          continue;
        }
        const found = {
          name: name["~run"]({ value: key }, config),
          value: value["~run"]({ value: input[key] }, config),
        };
        take(result, found.name, { type: "object", origin: "key", input, key, value: input[key] });
        take(result, found.value, { type: "object", origin: "value", input, key, value: input[key] });
        if (found.name.typed) values[found.name.value] = found.value.value;
      }
      return asDataset<v.InferOutput<typeof record>>(result);
    },
  });
}

/** Any JSON object, unchanged. */
export const jsonObject = untouched<JsonObject, JsonInputObject>(v.record(v.string(), v.unknown()), isRecord);

/** Any JSON value, unchanged. */
export const jsonValue = untouched<JsonValue, JsonInput>(v.unknown(), (value) => value !== undefined);

const INSTANT = "Must be an ISO 8601 date and time such as 2026-01-31T12:00:00Z.";

/** A point in time from a caller, within the range that can be stored and sorted. */
export const instantText = v.pipe(
  v.string(),
  v.isoTimestamp(INSTANT),
  v.check((text) => !v.ISO_TIMESTAMP_REGEX.test(text) || isInstant(text), INSTANT),
);

/** Rejects what `isoTimestamp` accepts but `Date` does not: the offset "+05", years after 9999, February 31. */
function isInstant(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return Date.parse(text) <= LAST_INSTANT && new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === day;
}

/** A whole number in a range. The default maximum is the largest that a double represents exactly. */
// @__NO_SIDE_EFFECTS__
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return v.pipe(
    v.number(),
    v.safeInteger("Must be a whole number."),
    v.minValue(least, `Must be at least ${least}.`),
    v.maxValue(most, `Must be at most ${most}.`),
  );
}

/** A whole number of seconds. */
// @__NO_SIDE_EFFECTS__
export function seconds(least: number) {
  const whole = v.safeInteger<number, string>("Must be a whole number of seconds.");
  return v.pipe(v.number(), whole, v.minValue(least, `Must be at least ${least}.`));
}

/** A whole number of seconds, up to a number of days. */
// @__NO_SIDE_EFFECTS__
export function secondsUpTo(days: number, least: number) {
  return v.pipe(
    seconds(least),
    v.maxValue(days * DAY_SECONDS, `Must be at most ${days * DAY_SECONDS} seconds (${days} days).`),
  );
}

/** A name for people. */
export const Name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(256, "Must have at most 256 characters."),
);

/** `PUBLIC`: readable without an API key. `PRIVATE`: only with a key of the app. */
export const Visibility = v.picklist(["PUBLIC", "PRIVATE"], "Must be PUBLIC or PRIVATE.");
/** `PUBLIC`: readable without an API key. `PRIVATE`: only with a key of the app. */
export type Visibility = v.InferOutput<typeof Visibility>;

/**
 * A schema that returns accepted values unchanged; valibot's own schema of this shape would drop keys.
 * @param shape What openapi.json says about the values.
 */
// @__NO_SIDE_EFFECTS__
export function untouched<Kept, Given = Kept>(
  { "~types": _, ...shape }: v.GenericSchema,
  accepts: (value: unknown) => boolean,
): v.GenericSchema<Given, Kept> {
  const custom = v.custom<Kept>(accepts);
  return v._standardSchema<v.GenericSchema<Given, Kept>>({
    ...shape,
    "~run"(dataset, config) {
      return accepts(dataset.value) ? custom["~run"](dataset, config) : refused(this, dataset, config);
    },
  });
}

/**
 * Checks a value from outside against a schema.
 * @param whole Name of the value in messages. @default the body
 * @throws StepwellError `invalid` with an entry for each field that is wrong.
 */
export function check<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  within?: FieldError["in"],
  whole = "the body",
): v.InferOutput<S> {
  return checkOwned(schema, receivedJson(value), within, whole);
}

/** Checks a value that was taken over. Otherwise the same as {@link check}. */
export function checkOwned<const S extends v.GenericSchema>(
  schema: S,
  given: OwnedJson,
  within?: FieldError["in"],
  whole = "the body",
): v.InferOutput<S> {
  let errors: FieldError[];
  if (given.problem === null) {
    const result = v.safeParse(schema, given.value);
    if (result.success) return result.output;
    errors = fieldErrors(result.issues);
  } else {
    errors = [given.problem];
  }
  throw invalid(
    errors.map((error) => (within === undefined ? error : { ...error, in: within })),
    whole,
  );
}

/** Unlike `instanceof`, accepts a signal of another realm. */
export function isSignal(value: unknown): value is AbortSignal {
  return Object.prototype.toString.call(value) === "[object AbortSignal]";
}
export const NO_SIGNAL = "Must be an AbortSignal.";

/**
 * Checks the options of an in-process call, which can contain more than JSON, such as a signal.
 * @throws StepwellError `invalid` with an entry for each option that is wrong.
 */
export function checkOptions<const S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw invalid(fieldErrors(result.issues), "the options");
}
