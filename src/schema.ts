/** How schemas are checked here, and the shapes that all slices share. */
import * as v from "valibot";
import { type FieldError, StepwellError } from "./errors.ts";
import { isRecord, type JsonObject, type JsonValue, jsonProblem, pointer, withoutUndefined } from "./json.ts";

export type Schema = v.GenericSchema<unknown, unknown>;

/** `v.record` drops these keys without a word. */
const DROPPED = ["constructor", "prototype"] as const;

/** An object with exactly these fields: `v.strictObject`, which would take an array, and a field named "toString". */
export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const own: Entries = Object.assign(Object.create(null), entries);
  const object = v.strictObject(own);
  return v._standardSchema({
    ...object,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      return Array.isArray(dataset.value)
        ? refused(object, dataset, config)
        : object["~run"].call(this, dataset, config);
    },
  });
}

/** A map with free names; the names that `v.record` would drop are refused. */
export function map<const Value extends v.GenericSchema>(value: Value, name: v.GenericSchema<string> = v.string()) {
  const record = v.record(name, value);
  return v._standardSchema({
    ...record,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (Array.isArray(input)) return refused(record, dataset, config);
      const result = record["~run"](dataset, config);
      for (const key of DROPPED) {
        if (!isRecord(input) || !Object.hasOwn(input, key)) continue;
        v._addIssue(record, "key", result, config, {
          input: key,
          expected: "another name",
          path: [{ type: "object", origin: "key", input, key, value: input[key] }],
        });
      }
      return result;
    },
  });
}

/** Any JSON object, kept as it is. */
export const jsonObject = untouched<JsonObject>(v.record(v.string(), v.unknown()), isRecord);

/** Any JSON value, kept as it is. */
export const jsonValue = untouched<JsonValue>(v.unknown(), (value) => value !== undefined);

/** Who may see a thing without a key. Specification 4.5. */
export const Visibility = v.picklist(["PUBLIC", "PRIVATE"], "Must be PUBLIC or PRIVATE.");
export type Visibility = v.InferOutput<typeof Visibility>;
