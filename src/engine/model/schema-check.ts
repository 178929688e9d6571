/**
 * Validates a value against a JSON Schema with a limit on the work. The library checks keywords that concern only the
 * value itself. Traversal of nested schemas, which may take exponential time, happens and is counted here.
 */
import type { validate } from "@cfworker/json-schema";
import { isRecord, minJsonLength } from "../../json.ts";
import { groupedDigits } from "../../messages/grouped-digits.ts";
import { matchCost } from "../expressions/bounded-patterns.ts";
import { itemsHold, propertiesHold } from "./schema-members.ts";
import { type PlanOf, type SchemaPlan, TEXT_SHIFT } from "./schema-plan.ts";
import type { Steps, ValueLocation, Walk } from "./schema-walk.ts";

/** The schema is too expensive or invalid. */
export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema";
}

/** Operations to validate a small value. */
const BASE_OPERATIONS = 1_000_000;
/** Further operations for each character of the value as JSON, so that a schema suits values of any size. */
const OPERATIONS_PER_CHAR = 8;
/** Maximum number of operations to validate one value: a few seconds. */
const MAX_OPERATIONS = 20_000_000;
/** Operations between two yields: a few milliseconds. */
const OPERATIONS_PER_STEP = 10_000;
/** How many of them may be spent on compiling patterns. Checked when the workflow is deployed. */
const MAX_PATTERN_OPERATIONS = 600_000;
/** Operations for checking one value against one schema. */
const OPERATIONS_PER_VISIT = 4;
/** The library checks the format `url` in quadratic time: 200 ms for 20,000 colons. */
const MAX_URL_CHARS = 8_192;
/** Listing the keys of an object takes longer than iterating over a list. */
const OPERATIONS_PER_KEY = 4;
/** Maximum depth of nested schemas, including references. */
const MAX_DEPTH = 500;
/** Maximum number of collected messages. Every failing branch adds some, and few are shown. */
const MAX_MESSAGES = 100;

interface Tools {
  readonly validate: typeof validate;
  readonly planOf: PlanOf;
  /** Called with the operations of all validations. */
  onOperations(operations: number): void;
}

/**
 * Returns one line for each error in the value; empty if it is valid.
 * @throws UnusableSchema
 */
export function* schemaErrors(root: unknown, value: unknown, tools: Tools): Steps<string[]> {
  const messages: string[] = [];
  const spendOfBudget = createBudget(operationsFor(value), "validate the value");
  let sinceYield = 0;
  const spend = (operations: number) => {
    tools.onOperations(operations);
    sinceYield += operations;
    spendOfBudget(operations);
  };
  const walk: Walk = {
    spend,
    holds,
    isDue() {
      if (sinceYield < OPERATIONS_PER_STEP) return false;
      sinceYield = 0;
      return true;
    },
    *quietly(test) {
      const before = messages.length;
      const isValid = yield* test;
      messages.length = before;
      return isValid;
    },
    *unless(test) {
      const before = messages.length;
      const isValid = yield* test;
      if (isValid) messages.length = before;
      return isValid;
    },
    report({ at }, message) {
      if (messages.length < MAX_MESSAGES) messages.push(`${at}: ${message}`);
      return false;
    },
  };
  return (yield* holds(root, value, { at: "#", depth: 0, seen: new Set() })) ? [] : messages;

  function* holds(schema: unknown, item: unknown, location: ValueLocation): Steps<boolean> {
    spend(OPERATIONS_PER_VISIT);
    if (walk.isDue()) yield;
    if (schema === true) return true;
    if (!isRecord(schema)) return walk.report(location, "Is not allowed.");
    if (location.depth > MAX_DEPTH) throw new UnusableSchema(`It nests more than ${MAX_DEPTH} schemas.`);
    const plan = tools.planOf(schema);
    const results = [plainHolds(plan, item, location)];
    if (plan.hasGroups) results.push(yield* groupsHold(schema, plan, item, location, walk));
    if (Array.isArray(item)) results.push(yield* itemsHold(schema, item, location, walk));
    else if (isRecord(item)) results.push(yield* propertiesHold(schema, plan.namePatterns, item, location, walk));
    return results.every(Boolean);
  }

  function plainHolds({ plain, cost, compared, pattern }: SchemaPlan, item: unknown, location: ValueLocation): boolean {
    spend(cost + (1 + compared) * widthOf(item));
    if (plain?.format === "url" && typeof item === "string" && item.length > MAX_URL_CHARS)
      return walk.report(location, `String is longer than ${groupedDigits(MAX_URL_CHARS)} characters.`);
    const { errors } = plain === null ? { errors: [] } : tools.validate(item, plain, "2020-12", {}, false);
    for (const { error } of errors) walk.report(location, error);
    if (pattern === null || typeof item !== "string") return errors.length === 0;
    spend(matchCost(pattern, item));
    return pattern.test(item) ? errors.length === 0 : walk.report(location, "String does not match pattern.");
  }
}

function operationsFor(value: unknown): number {
  const chars = minJsonLength(value, MAX_OPERATIONS / OPERATIONS_PER_CHAR);
  return Math.min(MAX_OPERATIONS, BASE_OPERATIONS + OPERATIONS_PER_CHAR * chars);
}

export const createPatternBudget = () => createBudget(MAX_PATTERN_OPERATIONS, "compile its patterns");

function createBudget(limit: number, work: string): (operations: number) => void {
  let left = limit;
  return (operations) => {
    left -= operations;
    if (left < 0) throw new UnusableSchema(`It takes more than ${groupedDigits(limit)} operations to ${work}.`);
  };
}

/** Returns the cost of reading a value once. */
function widthOf(value: unknown): number {
  if (typeof value === "string") return value.length >> TEXT_SHIFT;
  return isRecord(value) ? Object.keys(value).length * OPERATIONS_PER_KEY : 0;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Checks the keywords that apply other schemas to the same value. */
function* groupsHold(
  schema: Readonly<Record<string, unknown>>,
  plan: SchemaPlan,
  value: unknown,
  location: ValueLocation,
  walk: Walk,
): Steps<boolean> {
  const { $ref, allOf, anyOf, oneOf, not, if: condition, then: then_, else: else_, dependentSchemas } = schema;
  const { holds, quietly, unless, report } = walk;

  /** Marks what a branch has evaluated only if the branch is valid. */
  function* branch(within: unknown): Steps<boolean> {
    const inner: ValueLocation = { at: location.at, depth: location.depth + 1, seen: new Set() };
    const isValid = yield* holds(within, value, inner);
    if (isValid) for (const name of inner.seen) location.seen.add(name);
    return isValid;
  }

  const results: boolean[] = [];
  if ($ref !== undefined) {
    if (plan.target === undefined)
      throw new UnusableSchema(`It has a $ref that does not resolve: ${JSON.stringify($ref)}.`);
    results.push(yield* branch(plan.target));
  }
  for (const one of list(allOf)) results.push(yield* branch(one));
  if (Array.isArray(anyOf)) results.push(yield* unless(anyHolds(anyOf)));
  if (Array.isArray(oneOf)) results.push(yield* unless(oneHolds(oneOf)));
  if (
    not !== undefined &&
    (yield* quietly(holds(not, value, { at: location.at, depth: location.depth + 1, seen: new Set() })))
  ) {
    results.push(report(location, 'Instance matched "not" schema.'));
  }
  if (condition !== undefined) {
    const rest = (yield* quietly(branch(condition))) ? then_ : else_;
    if (rest !== undefined) results.push(yield* branch(rest));
  }
  if (isRecord(dependentSchemas) && isRecord(value)) {
    for (const [name, one] of Object.entries(dependentSchemas))
      if (Object.hasOwn(value, name)) results.push(yield* branch(one));
  }
  return results.every(Boolean);

  function* anyHolds(schemas: readonly unknown[]): Steps<boolean> {
    report(location, "Instance does not match any subschemas.");
    return (yield* countMatches(schemas)) > 0;
  }

  function* oneHolds(schemas: readonly unknown[]): Steps<boolean> {
    const count = yield* countMatches(schemas);
    return count === 1 || report(location, `Instance does not match exactly one subschema (${count} matches).`);
  }

  function* countMatches(schemas: readonly unknown[]): Steps<number> {
    let count = 0;
    for (const one of schemas) if (yield* branch(one)) count++;
    return count;
  }
}
