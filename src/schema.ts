/** How schemas are checked here, and the shapes that all slices share. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import * as v from "valibot";
import { LAST_INSTANT } from "./clock.ts";
import { didYouMean } from "./closest-name.ts";
import { type FieldError, StepwellError } from "./errors.ts";
import { isRecord, type JsonObject, type JsonValue, jsonProblem, pointer, withoutUndefined } from "./json.ts";

export type Schema = v.GenericSchema<unknown, unknown>;

/** `v.record` drops these keys without a word. */
const DROPPED = ["constructor", "prototype"] as const;

/**
 * An object with exactly these fields. Unlike `v.strictObject` it tells every field that is unknown, not just the first,
 * and takes neither an array nor a field named "toString".
 */
export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const own: Entries = Object.assign(Object.create(null), entries);
  const object = v.strictObject(own);
  const known = v.object(own);
  return v._standardSchema<typeof object>({
    ...object,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (!isRecord(input)) return refused(object, dataset, config);
      const result = known["~run"](dataset, config);
      for (const key of Object.keys(input)) {
        if (Object.hasOwn(own, key)) continue;
        const missing = Object.keys(own).filter((name) => !Object.hasOwn(input, name));
        refuseKey(object, key, "never", input, result, config, `Unknown field.${didYouMean(key, missing)}`);
      }
      return result;
    },
  });
}

/** A map with free names; the names that `v.record` would drop are refused. */
export function map<const Value extends v.GenericSchema>(value: Value, name: v.GenericSchema<string> = v.string()) {
  const record = v.record(name, value);
  return v._standardSchema<typeof record>({
    ...record,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (Array.isArray(input)) return refused(record, dataset, config);
      const result = record["~run"](dataset, config);
      for (const key of DROPPED) {
        if (!isRecord(input) || !Object.hasOwn(input, key)) continue;
        refuseKey(record, key, "another name", input, result, config);
      }
      return result;
    },
  });
}

/** Any JSON object, kept as it is. */
export const jsonObject = untouched<JsonObject>(v.record(v.string(), v.unknown()), isRecord);

/** Any JSON value, kept as it is. */
export const jsonValue = untouched<JsonValue>(v.unknown(), (value) => value !== undefined);

const INSTANT = "Must be an ISO 8601 instant such as 2026-01-31T12:00:00Z.";

/** An instant that somebody gives, such as can be kept and put in order with others. */
export const instantText = v.pipe(
  v.string(),
  v.isoTimestamp(INSTANT),
  v.check((text) => !v.ISO_TIMESTAMP_REGEX.test(text) || isInstant(text), INSTANT),
);

/** An offset may be "+05", which no date takes, or lead behind the year 9999; and February has no 31st. */
function isInstant(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return Date.parse(text) <= LAST_INSTANT && new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === day;
}

const DAY = 24 * 60 * 60;

/** A whole number in a range; without an end, as large as a double keeps exactly. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return v.pipe(
    v.number(),
    v.safeInteger("Must be a whole number."),
    v.minValue(least, `Must be at least ${least}.`),
    v.maxValue(most, `Must be at most ${most}.`),
  );
}

/** A whole number of seconds. */
export function seconds(least: number) {
  const whole = v.safeInteger<number, string>("Must be a whole number of seconds.");
  return v.pipe(v.number(), whole, v.minValue(least, `Must be at least ${least}.`));
}

/** A whole number of seconds that are so many days at the most. */
export function secondsUpTo(days: number, least: number) {
  return v.pipe(seconds(least), v.maxValue(days * DAY, `Must be at most ${days * DAY}, which is ${days} days.`));
}

/** Who may see a thing without a key. Specification 4.5. */
export const Visibility = v.picklist(["PUBLIC", "PRIVATE"], "Must be PUBLIC or PRIVATE.");
export type Visibility = v.InferOutput<typeof Visibility>;

/** Takes what is accepted, untouched, where valibot's own schema of this shape would leave keys out. */
function untouched<Kept>(
  { "~types": _, ...shape }: v.GenericSchema,
  accepts: (value: unknown) => boolean,
): v.GenericSchema<Kept> {
  const custom = v.custom<Kept>(accepts);
  return v._standardSchema<v.GenericSchema<Kept>>({
    ...shape,
    "~run"(dataset, config) {
      return accepts(dataset.value) ? custom["~run"](dataset, config) : refused(this, dataset, config);
    },
  });
}

function refuseKey<Issue extends v.BaseIssue<unknown>>(
  schema: v.GenericSchema,
  key: string,
  expected: string,
  input: Readonly<Record<string, unknown>>,
  dataset: v.OutputDataset<unknown, Issue>,
  config: v.Config<v.BaseIssue<unknown>>,
  message?: string,
): void {
  const path: [v.ObjectPathItem] = [{ type: "object", origin: "key", input, key, value: input[key] }];
  v._addIssue(schema, "key", dataset, config, {
    input: key,
    expected,
    path,
    ...(message === undefined ? {} : { message }),
  });
}

/** As the result of any schema: the issues of all of them have the same form, which their types do not say. */
function refused(
  schema: v.GenericSchema,
  dataset: v.UnknownDataset,
  config: v.Config<v.BaseIssue<unknown>>,
): v.FailureDataset<never> {
  v._addIssue(schema, "type", dataset, config);
  return dataset as unknown as v.FailureDataset<never>;
}

/**
 * Checks a value from outside against a schema.
 * @throws StepwellError `invalid` with an entry for each field that is wrong.
 */
export function check<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  within?: FieldError["in"],
): v.InferOutput<S> {
  const plain = jsonProblem(value);
  const errors = plain === null ? [] : [plain];
  if (errors.length === 0) {
    const result = v.safeParse(schema, withoutUndefined(value));
    if (result.success) return result.output;
    errors.push(...fieldErrors(result.issues));
  }
  throw invalid(errors.map((error) => (within === undefined ? error : { ...error, in: within })));
}

/** Of any realm. */
export function isSignal(value: unknown): value is AbortSignal {
  return Object.prototype.toString.call(value) === "[object AbortSignal]";
}
export const NO_SIGNAL = "Must be an AbortSignal.";

/**
 * Checks options of a call in this process, which may hold more than JSON does, such as a signal.
 * @throws StepwellError `invalid` with an entry for each option that is wrong.
 */
export function checkOptions<const S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw invalid(fieldErrors(result.issues), "the options");
}

/** One error for any number of wrong fields; its message tells the first and how many more. */
export function invalid(errors: readonly FieldError[], whole = "the body"): StepwellError {
  const [first] = errors;
  const where =
    first === undefined
      ? ""
      : `${first.in === undefined ? "" : `${first.in} `}${first.pointer || whole}: ${first.message}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : "";
  return new StepwellError("invalid", `${where}${more}`, { errors });
}

/** Where any Standard Schema found something wrong, as parts of a pointer. */
export function plainPath(path: StandardSchemaV1.Issue["path"] = []): (string | number)[] {
  return path.map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return typeof key === "number" ? key : String(key);
  });
}

/** Schema issues as pointers and sentences. */
export function fieldErrors(
  issues: readonly v.BaseIssue<unknown>[],
  base: readonly (string | number)[] = [],
): FieldError[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)))];
    // Where a value may have several forms, the form that was meant is the one of which a part was recognised.
    const within = issue.issues?.filter((inner) => inner.path !== undefined) ?? [];
    return within.length > 0 ? fieldErrors(within, path) : [{ pointer: pointer(path), message: sentence(issue) }];
  });
}

/** What an issue of any Standard Schema says; where valibot speaks for itself, in the words of everything else here. */
export function issueText(issue: StandardSchemaV1.Issue): string {
  return isOfValibot(issue) ? sentence(issue) : issue.message;
}

function isOfValibot(issue: StandardSchemaV1.Issue): issue is StandardSchemaV1.Issue & v.BaseIssue<unknown> {
  return "kind" in issue && "expected" in issue && typeof (issue as { received?: unknown }).received === "string";
}

function sentence(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith("Invalid ")) return issue.message;
  if (issue.expected === "never") return "Unknown field.";
  if (issue.received === "undefined") return "Is required.";
  if (issue.kind === "schema") return `Must be ${issue.expected ?? "something else"}, not ${issue.received}.`;
  return `Must be ${issue.expected ?? "something else"}, is ${issue.received}.`;
}
