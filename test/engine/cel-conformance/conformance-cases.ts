/** Reads the published CEL conformance cases, and writes values in their notation. */
import { readdirSync, readFileSync } from "node:fs";
import { Optional } from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { typeName } from "../../../src/engine/expressions/functions/to-json.ts";
import type { JsonValue } from "../../../src/json.ts";

const CASES = new URL("./cases/", import.meta.url);

export interface ConformanceCase {
  /** `file/section/case`, as published. */
  readonly name: string;
  readonly expression: string;
  /** In the notation of the cases; `{ "error": true }` for any error. */
  readonly expected: JsonValue;
  /** Variables by name. */
  readonly bindings: ReadonlyMap<string, unknown>;
}

export function readConformanceCases(): ConformanceCase[] {
  return readdirSync(CASES).flatMap((file) => {
    const sections: unknown = JSON.parse(readFileSync(new URL(file, CASES), "utf8"));
    return entriesOf(sections).flatMap(([section, rows]) =>
      entriesOf(rows).map(([name, row]) => readCase(`${file.replace(".json", "")}/${section}/${name}`, row)),
    );
  });
}

function readCase(name: string, row: unknown): ConformanceCase {
  const [expression, expected, variables = {}] = Array.isArray(row) ? row : [];
  if (typeof expression !== "string") throw new Error(`${name} has no expression`);
  const bindings = entriesOf(variables).map(([key, value]): [string, unknown] => [key, readValue(value)]);
  return { name, expression, expected, bindings: new Map(bindings) };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** A value of the cases as expressions take it. */
function readValue(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(readValue);
  const [[kind, value] = []] = entriesOf(written);
  switch (kind) {
    case undefined:
      return written;
    case "int":
      return BigInt(String(value));
    case "uint":
      return new UnsignedInt(BigInt(String(value)));
    case "double":
      return Number(value);
    case "bytes":
      return Uint8Array.from(String(value).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    case "map":
      return new Map(Array.isArray(value) ? value.map(([key, item]) => [readValue(key), readValue(item)]) : []);
  }
  const [seconds, nanoseconds] = Array.isArray(value) ? value : [];
  if (kind === "duration") return new Duration(BigInt(seconds), nanoseconds);
  if (kind === "timestamp") return new Date(Number(seconds) * 1000 + nanoseconds / 1_000_000);
  throw new Error(`No variable can be a ${kind}`);
}

/** A value of an expression as the table writes it. */
export function writeValue(value: unknown): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "bigint":
      return { int: String(value) };
    case "number":
      return { double: Number.isFinite(value) && !Object.is(value, -0) ? value : writeDouble(value) };
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(writeValue);
  if (value instanceof UnsignedInt) return { uint: String(value) };
  if (value instanceof Uint8Array)
    return { bytes: Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("") };
  if (value instanceof Date) {
    const milliseconds = ((value.getTime() % 1000) + 1000) % 1000;
    return { timestamp: [String((value.getTime() - milliseconds) / 1000), milliseconds * 1_000_000] };
  }
  if (value instanceof Duration) return { duration: [String(value.seconds), value.nanos] };
  if (value instanceof Optional) return { optional: value.hasValue() ? [writeValue(value.value())] : [] };
  if (value !== undefined && /^Type</.test(String(value))) return { type: typeName(value) };
  const entries = value instanceof Map ? [...value] : entriesOf(value);
  return { map: entries.map(([key, item]) => [writeValue(key), writeValue(item)]) };
}

function writeDouble(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The same for two maps with the same entries, whatever their order. */
export function comparable(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const [[kind, entries] = []] = Array.isArray(item) ? [] : entriesOf(item);
    return kind === "map" && Array.isArray(entries)
      ? { map: entries.map((entry: JsonValue) => comparable(entry)).sort() }
      : item;
  });
}
