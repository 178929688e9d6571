/** Prepares a JSON Schema for repeated validation: resolves references, compiles patterns and computes costs. */
import type { Schema } from "@cfworker/json-schema";
import type { RE2JS } from "re2js";
import { isRecord, type JsonObject, minJsonLength } from "../../json.ts";
import { compilePattern, type PatternEngine } from "../expressions/bounded-patterns.ts";

/** All subschemas by URI, as returned by `dereference` of @cfworker/json-schema. */
export type Schemas = Readonly<Record<string, unknown>>;

export interface SchemaPlan {
  /** Keywords that concern only the value itself, or null if there are none. */
  readonly plain: Schema | null;
  /** Operations for reading the schema and comparing with its constants. */
  readonly cost: number;
  /** Number of values in `enum` or `const`, each of which is compared. */
  readonly compared: number;
  readonly pattern: RE2JS | null;
  readonly namePatterns: readonly (readonly [RE2JS, unknown])[];
  /** Whether it applies other schemas to the same value. */
  readonly hasGroups: boolean;
  /** The schema that `$ref` resolves to, or undefined. */
  readonly target: unknown;
}

/** Keywords that concern only the value itself, without subschemas. */
const PLAIN = [
  ...["type", "const", "enum", "format", "minLength", "maxLength", "multipleOf"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "required", "dependentRequired"],
  ...["minProperties", "maxProperties", "minItems", "maxItems"],
];

/** Keywords that apply other schemas to the same value. */
const GROUPS = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"];

export const hasPatterns = (schema: JsonObject) => JSON.stringify(schema).includes('"pattern');

/** Clones the schema, because the library writes into it and definitions are shared. */
export function ownSchema(schema: JsonObject): Schema {
  return structuredClone(schema) as Schema; // validated when it was deployed
}

/** 2⁴ characters are read in the time of one operation. */
export const TEXT_SHIFT = 4;

/** Returns the schema that a `$ref` resolves to, or undefined. */
export function targetOf(schema: Readonly<Record<string, unknown>>, schemas: Schemas): unknown {
  const address = schema["__absolute_ref__"];
  return typeof address === "string" ? (schemas[address] ?? schemas[address.replace(/#$/, "")]) : undefined;
}

export type PlanOf = (schema: Readonly<Record<string, unknown>>) => SchemaPlan;

/**
 * @param engine Null if no schema has a pattern.
 * @param spend Called with the operations for compiling a pattern.
 */
export function createPlans(
  schemas: Schemas,
  engine: PatternEngine | null,
  spend: (operations: number) => void,
): PlanOf {
  const plans = new Map<object, SchemaPlan>();

  function compileOnce(pattern: string): RE2JS {
    if (engine === null) throw new Error("A pattern was compiled before RE2 was loaded.");
    return compilePattern(engine, pattern, spend);
  }

  function createPlan(schema: Readonly<Record<string, unknown>>): SchemaPlan {
    const { pattern, patternProperties } = schema;
    const plain: Schema = {};
    for (const keyword of PLAIN) if (Object.hasOwn(schema, keyword)) plain[keyword] = schema[keyword];
    const isPlain = Object.keys(plain).length > 0;
    return {
      plain: isPlain ? plain : null,
      cost: isPlain ? minJsonLength(plain, Number.POSITIVE_INFINITY) >> TEXT_SHIFT : 0,
      compared: Array.isArray(plain.enum) ? plain.enum.length : Number("const" in plain),
      pattern: typeof pattern === "string" ? compileOnce(pattern) : null,
      namePatterns: isRecord(patternProperties)
        ? Object.entries(patternProperties).map(([name, within]) => [compileOnce(name), within] as const)
        : [],
      hasGroups: GROUPS.some((keyword) => Object.hasOwn(schema, keyword)),
      target: targetOf(schema, schemas),
    };
  }

  return (schema) => {
    const before = plans.get(schema);
    if (before !== undefined) return before;
    const plan = createPlan(schema);
    plans.set(schema, plan);
    return plan;
  };
}
