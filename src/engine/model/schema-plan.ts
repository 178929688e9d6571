/** A JSON Schema prepared for reading it again and again: its references followed, its patterns compiled, its cost known. */
import type { Schema } from "@cfworker/json-schema";
import type { RE2JS } from "re2js";
import { isRecord, leastLength } from "../../json.ts";
import { compilePattern, type PatternEngine } from "../expressions/bounded-patterns.ts";

/** Every schema within one by its address, as `dereference` of @cfworker/json-schema finds them. */
export type Schemas = Readonly<Record<string, unknown>>;

export interface SchemaPlan {
  /** What it says of a value by itself; null for nothing. */
  readonly plain: Schema | null;
  /** What reading it costs, and comparing with what it names. */
  readonly cost: number;
  /** Values of `enum` and `const`: each is compared. */
  readonly compared: number;
  readonly pattern: RE2JS | null;
  readonly namePatterns: readonly (readonly [RE2JS, unknown])[];
  /** Where `$ref` leads; undefined without one. */
  readonly target: unknown;
}

/** Says something of a value by itself, whatever it holds. */
const PLAIN = [
  ...["type", "const", "enum", "format", "minLength", "maxLength", "multipleOf"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "required", "dependentRequired"],
  ...["minProperties", "maxProperties", "minItems", "maxItems"],
];

/** Characters read in the time of one operation. */
export const TEXT_SHIFT = 4;

/** The schema that a `$ref` leads to; undefined where it leads nowhere. */
export function targetOf(schema: Readonly<Record<string, unknown>>, schemas: Schemas): unknown {
  const address = schema["__absolute_ref__"];
  return typeof address === "string" ? (schemas[address] ?? schemas[address.replace(/#$/, "")]) : undefined;
}

/** @param engine Null where no schema has a pattern. */
export function createPlans(schemas: Schemas, engine: PatternEngine | null, spend: (operations: number) => void) {
  const plans = new Map<object, SchemaPlan>();

  function compiled(pattern: string): RE2JS {
    if (engine === null) throw new Error("A pattern was compiled before RE2 was loaded.");
    return compilePattern(engine, pattern, spend);
  }

  function made(schema: Readonly<Record<string, unknown>>): SchemaPlan {
    const { pattern, patternProperties } = schema;
    const plain: Schema = {};
    for (const keyword of PLAIN) if (Object.hasOwn(schema, keyword)) plain[keyword] = schema[keyword];
    const isPlain = Object.keys(plain).length > 0;
    return {
      plain: isPlain ? plain : null,
      cost: isPlain ? leastLength(plain, Number.POSITIVE_INFINITY) >> TEXT_SHIFT : 0,
      compared: Array.isArray(plain.enum) ? plain.enum.length : Number("const" in plain),
      pattern: typeof pattern === "string" ? compiled(pattern) : null,
      namePatterns: isRecord(patternProperties)
        ? Object.entries(patternProperties).map(([name, within]) => [compiled(name), within] as const)
        : [],
      target: targetOf(schema, schemas),
    };
  }

  return (schema: Readonly<Record<string, unknown>>): SchemaPlan => {
    const before = plans.get(schema);
    if (before !== undefined) return before;
    const plan = made(schema);
    plans.set(schema, plan);
    return plan;
  };
}
