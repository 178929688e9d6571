/**
 * Validates a value against a JSON Schema with a limit on the work. The library checks keywords that concern only the
 * value itself. Traversal of nested schemas, which may take exponential time, happens and is counted here.
 */
import type { validate } from "@cfworker/json-schema";
import { isRecord } from "../../json.ts";
import { matchCost, type PatternEngine } from "../expressions/bounded-patterns.ts";
import { itemsHold, propertiesHold } from "./schema-members.ts";
import { createPlans, type SchemaPlan, type Schemas, TEXT_SHIFT } from "./schema-plan.ts";
import type { ValueLocation, Walk } from "./schema-walk.ts";

/** The schema is too expensive or invalid. A different response would not help. */
export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema";
}

/** Maximum number of operations to validate one response: up to about 100 ms. */
const MAX_OPERATIONS = 1_000_000;
/** How many of them may be spent on compiling patterns. Checked when the workflow is deployed. */
const MAX_PATTERN_OPERATIONS = 600_000;
/** Operations for checking one value against one schema. */
const OPERATIONS_PER_VISIT = 4;
/** The library checks the format `url` in quadratic time: 200 ms for 20,000 colons. */
const URL_CHARS_PER_OPERATION = 1_024;
/** Listing the keys of an object takes longer than iterating over a list. */
const OPERATIONS_PER_KEY = 4;
/** Maximum depth of nested schemas, including references. */
const MAX_DEPTH = 500;
/** Maximum number of collected messages. Every failing branch adds some, and few are shown. */
const MAX_MESSAGES = 100;

interface Tools {
  readonly validate: typeof validate;
  /** Null if no schema has a pattern. */
  readonly engine: PatternEngine | null;
}

/**
 * Returns one line for each error in the value; empty if it is valid.
 * @throws UnusableSchema
 */
export function schemaErrors(root: unknown, schemas: Schemas, value: unknown, tools: Tools): string[] {
  const messages: string[] = [];
  const spend = createBudget(MAX_OPERATIONS, "validate the response");
  const planOf = createPlans(schemas, tools.engine, spend);
  const walk: Walk = {
    spend,
    holds,
    quietly(test) {
      const before = messages.length;
      const isValid = test();
      messages.length = before;
      return isValid;
    },
    unless(test) {
      const before = messages.length;
      const isValid = test();
      if (isValid) messages.length = before;
      return isValid;
    },
    report({ at }, message) {
      if (messages.length < MAX_MESSAGES) messages.push(`${at}: ${message}`);
      return false;
    },
  };
  return holds(root, value, { at: "#", depth: 0, seen: new Set() }) ? [] : messages;

  function holds(schema: unknown, item: unknown, location: ValueLocation): boolean {
    spend(OPERATIONS_PER_VISIT);
    if (schema === true) return true;
    if (!isRecord(schema)) return walk.report(location, "Is not allowed.");
    if (location.depth > MAX_DEPTH) throw new UnusableSchema(`It nests more than ${MAX_DEPTH} schemas.`);
    const plan = planOf(schema);
    const results = [plainHolds(plan, item, location), groupsHold(schema, plan, item, location, walk)];
    if (Array.isArray(item)) results.push(itemsHold(schema, item, location, walk));
    else if (isRecord(item)) results.push(propertiesHold(schema, plan.namePatterns, item, location, walk));
    return results.every(Boolean);
  }

  function plainHolds({ plain, cost, compared, pattern }: SchemaPlan, item: unknown, location: ValueLocation): boolean {
    spend(cost + (1 + compared) * widthOf(item));
    if (plain?.format === "url" && typeof item === "string") spend(item.length ** 2 / URL_CHARS_PER_OPERATION);
    const { errors } = plain === null ? { errors: [] } : tools.validate(item, plain, "2020-12", {}, false);
    for (const { error } of errors) walk.report(location, error);
    if (pattern === null || typeof item !== "string") return errors.length === 0;
    spend(matchCost(pattern, item));
    return pattern.test(item) ? errors.length === 0 : walk.report(location, "String does not match pattern.");
  }
}

export const createPatternBudget = () => createBudget(MAX_PATTERN_OPERATIONS, "compile its patterns");

function createBudget(limit: number, work: string): (operations: number) => void {
  let left = limit;
  return (operations) => {
    left -= operations;
    if (left < 0) throw new UnusableSchema(`It takes more than ${limit.toLocaleString("en")} operations to ${work}.`);
  };
}

/** Returns the cost of reading a value once. */
function widthOf(value: unknown): number {
  if (typeof value === "string") return value.length >> TEXT_SHIFT;
  return isRecord(value) ? Object.keys(value).length * OPERATIONS_PER_KEY : 0;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Checks the keywords that apply other schemas to the same value. */
function groupsHold(
  schema: Readonly<Record<string, unknown>>,
  plan: SchemaPlan,
  value: unknown,
  location: ValueLocation,
  walk: Walk,
) {
  const { $ref, allOf, anyOf, oneOf, not, if: condition, then: then_, else: else_, dependentSchemas } = schema;
  const { holds, quietly, unless, report } = walk;

  /** Marks what a branch has evaluated only if the branch is valid. */
  function branch(within: unknown): boolean {
    const inner: ValueLocation = { at: location.at, depth: location.depth + 1, seen: new Set() };
    const isValid = holds(within, value, inner);
    if (isValid) for (const name of inner.seen) location.seen.add(name);
    return isValid;
  }

  const results: boolean[] = [];
  if ($ref !== undefined) {
    if (plan.target === undefined)
      throw new UnusableSchema(`It has a $ref that does not resolve: ${JSON.stringify($ref)}.`);
    results.push(branch(plan.target));
  }
  for (const one of list(allOf)) results.push(branch(one));
  if (Array.isArray(anyOf)) {
    results.push(
      unless(() => {
        report(location, "Instance does not match any subschemas.");
        return anyOf.filter(branch).length > 0;
      }),
    );
  }
  if (Array.isArray(oneOf)) {
    results.push(
      unless(() => {
        const { length } = oneOf.filter(branch);
        return length === 1 || report(location, `Instance does not match exactly one subschema (${length} matches).`);
      }),
    );
  }
  if (
    not !== undefined &&
    quietly(() => holds(not, value, { at: location.at, depth: location.depth + 1, seen: new Set() }))
  ) {
    results.push(report(location, 'Instance matched "not" schema.'));
  }
  if (condition !== undefined) {
    const rest = quietly(() => branch(condition)) ? then_ : else_;
    if (rest !== undefined) results.push(branch(rest));
  }
  if (isRecord(dependentSchemas) && isRecord(value)) {
    for (const [name, one] of Object.entries(dependentSchemas))
      if (Object.hasOwn(value, name)) results.push(branch(one));
  }
  return results.every(Boolean);
}
