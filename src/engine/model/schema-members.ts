/** Validates the items of an array and the properties of an object against a JSON Schema. */
import type { RE2JS } from "re2js";
import { isRecord, minJsonLength, pointer } from "../../json.ts";
import { matchCost } from "../expressions/bounded-patterns.ts";
import type { Steps, ValueLocation, Walk } from "./schema-walk.ts";

/** Operations per character of items that are compared. */
const OPERATIONS_PER_COMPARED_CHAR = 2;

type Node = Readonly<Record<string, unknown>>;

const inside = ({ at, depth }: ValueLocation, key: string | number): ValueLocation => ({
  at: at + pointer([key]),
  depth: depth + 1,
  seen: new Set(),
});

export function* propertiesHold(
  { properties, additionalProperties, propertyNames, unevaluatedProperties }: Node,
  namePatterns: readonly (readonly [RE2JS, unknown])[],
  value: Node,
  location: ValueLocation,
  { holds, spend }: Walk,
): Steps<boolean> {
  const hasKeywords = [properties, additionalProperties, propertyNames, unevaluatedProperties].some(
    (one) => one !== undefined,
  );
  if (!hasKeywords && namePatterns.length === 0) return true;
  let isValid = true;
  for (const [name, item] of Object.entries(value)) {
    spend(1);
    const within = inside(location, name);
    if (propertyNames !== undefined) isValid = (yield* holds(propertyNames, name, within)) && isValid;
    const found = schemasFor(name);
    if (found.length > 0) location.seen.add(name);
    else if (unevaluatedProperties !== undefined && !location.seen.has(name)) {
      found.push(unevaluatedProperties);
      location.seen.add(name);
    }
    for (const schema of found) isValid = (yield* holds(schema, item, within)) && isValid;
  }
  return isValid;

  function schemasFor(name: string): unknown[] {
    const found = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    for (const [pattern, schema] of namePatterns) {
      spend(matchCost(pattern, name));
      if (pattern.test(name)) found.push(schema);
    }
    if (found.length === 0 && additionalProperties !== undefined) found.push(additionalProperties);
    return found;
  }
}

export function* itemsHold(
  schema: Node,
  value: readonly unknown[],
  location: ValueLocation,
  walk: Walk,
): Steps<boolean> {
  const { prefixItems, items, additionalItems, unevaluatedItems, uniqueItems } = schema;
  const { holds, report } = walk;
  const first = [prefixItems, items].find(Array.isArray) ?? [];
  const rest = Array.isArray(items) ? additionalItems : items;
  let isValid = yield* containedHold(schema, value, location, walk);
  if (first.length > 0 || rest !== undefined || unevaluatedItems !== undefined) {
    for (const [index, item] of value.entries()) {
      const declared = index < first.length ? first[index] : rest;
      const itemSchema = declared ?? (location.seen.has(String(index)) ? undefined : unevaluatedItems);
      if (itemSchema === undefined) continue;
      location.seen.add(String(index));
      isValid = (yield* holds(itemSchema, item, inside(location, index))) && isValid;
    }
  }
  if (uniqueItems !== true) return isValid;
  const duplicates = yield* findDuplicates(value, walk);
  return duplicates === null ? isValid : report(location, `Duplicate items at indexes ${duplicates.join(" and ")}.`);
}

function* containedHold(
  { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY }: Node,
  value: readonly unknown[],
  location: ValueLocation,
  { holds, quietly, report }: Walk,
): Steps<boolean> {
  if (contains === undefined) return true;
  let count = 0;
  for (const [index, item] of value.entries()) {
    if (!(yield* quietly(holds(contains, item, inside(location, index))))) continue;
    location.seen.add(String(index));
    count++;
  }
  if (count >= Number(minContains) && count <= Number(maxContains)) return true;
  const right = `at least ${minContains}${Number.isFinite(maxContains) ? ` and at most ${maxContains}` : ""}`;
  return report(location, `Array must contain ${right} items that match "contains", and has ${count}.`);
}

/** Returns the indexes of two items that are equal as JSON, or null. */
function* findDuplicates(value: readonly unknown[], { spend, isDue }: Walk): Steps<readonly [number, number] | null> {
  const before = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    spend(OPERATIONS_PER_COMPARED_CHAR * minJsonLength(item, Number.POSITIVE_INFINITY));
    if (isDue()) yield;
    const text = isRecord(item) || Array.isArray(item) ? JSON.stringify(item, sortedKeys) : JSON.stringify(item);
    const other = before.get(text);
    if (other !== undefined) return [other, index];
    before.set(text, index);
  }
  return null;
}

/** Sorts keys, because the order of properties doesn't matter for equality. */
function sortedKeys(_: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
