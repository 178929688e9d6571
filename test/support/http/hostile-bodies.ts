/** Large bodies for any schema: hostile values for each schema within it. */
import type * as v from "valibot";

/** Enough for thousands of errors, and fast to create for hundreds of schemas. */
export const MAX_BODY_BYTES = 128 * 1024;

/** The members of valibot schemas that the walk uses. */
interface Described {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Described>>;
  readonly item?: Described;
  readonly items?: readonly Described[];
  readonly options?: readonly unknown[];
  readonly wrapped?: Described;
  readonly literal?: unknown;
  readonly value?: Described;
}

const isDescribed = (value: unknown): value is Described =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const OPTIONAL = new Set(["optional", "exact_optional", "nullish", "undefinedable"]);

/** A small value of roughly the right shape. */
export function sample(schema: Described): unknown {
  const { entries, item, items, options, wrapped } = schema;
  if (schema.type === "literal") return schema.literal;
  if (wrapped !== undefined) return sample(wrapped);
  if (entries !== undefined) {
    const required = Object.entries(entries).filter(([, entry]) => !OPTIONAL.has(entry.type));
    return Object.fromEntries(required.map(([name, entry]) => [name, sample(entry)]));
  }
  if (items !== undefined) return items.map(sample);
  if (item !== undefined) return [sample(item)];
  if (options !== undefined) return isDescribed(options[0]) ? sample(options[0]) : options[0];
  if (schema.type === "number") return 1;
  if (schema.type === "boolean") return true;
  return schema.type === "string" ? "x" : {};
}

/** Wraps a value in the objects and lists that the schema requires around it. */
type Put = (value: unknown) => unknown;

/** A schema within the schema of a body. */
interface SchemaNode {
  /** JSON Pointer. */
  readonly name: string;
  readonly schema: Described;
  readonly put: Put;
}

/** The schema and all schemas within it, except those that are in `seen` already. */
export function schemaNodesOf(root: v.GenericSchema, seen: Set<unknown>, depth = 8): SchemaNode[] {
  const found: SchemaNode[] = [];
  const walk = (schema: Described, name: string, put: Put, left: number): void => {
    if (left === 0 || seen.has(schema)) return;
    seen.add(schema);
    if (schema.wrapped !== undefined) {
      walk(schema.wrapped, name, put, left);
      return;
    }
    found.push({ name, schema, put });
    const { entries, item, items, options, value } = schema;
    for (const [key, entry] of Object.entries(entries ?? {})) {
      const others = Object(sample(schema));
      walk(entry, `${name}/${key}`, (inner) => put({ ...others, [key]: inner }), left - 1);
    }
    if (item !== undefined) walk(item, `${name}/0`, (inner) => put([inner]), left - 1);
    if (items?.[0] !== undefined) walk(items[0], `${name}/0`, (inner) => put([inner]), left - 1);
    if (value !== undefined) walk(value, `${name}/*`, (inner) => put({ some: inner }), left - 1);
    for (const option of options ?? []) if (isDescribed(option)) walk(option, name, put, left - 1);
  };
  walk(root as unknown as Described, "", (value) => value, depth);
  return found;
}

/** An array as long as the body limit allows. */
export function many(item: unknown, bytes = MAX_BODY_BYTES - 16 * 1024): unknown[] {
  return new Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item);
}

/** An object with as many keys as the body limit allows. */
export function manyKeys(value: unknown, bytes = MAX_BODY_BYTES - 16 * 1024): Record<string, unknown> {
  const each = JSON.stringify(value).length + 11;
  return Object.fromEntries(Array.from({ length: Math.floor(bytes / each) }, (_, index) => [`k${index}`, value]));
}

/** Makes a value on first use. It is shared: bodies are only read. */
function once(make: () => unknown): () => unknown {
  let made: unknown;
  return () => {
    made ??= make();
    return made;
  };
}

/** Hostile values for a body that accepts anything: large names, strings and arrays. */
export const HOSTILE_VALUES: Readonly<Record<string, () => unknown>> = {
  "a list of numbers": () => many(0),
  "a list of empty objects": () => many({}),
  "unknown keys": once(() => manyKeys(0)),
  "a long text": () => "x".repeat(MAX_BODY_BYTES - 16 * 1024),
  "control characters": () => "\u0001".repeat(MAX_BODY_BYTES / 6 - 4 * 1024),
  "a long key": () => ({ ["x".repeat(MAX_BODY_BYTES - 16 * 1024)]: 0 }),
  "wrong fields below a long key": once(() => ({
    ["x".repeat(MAX_BODY_BYTES / 2)]: manyKeys(0, MAX_BODY_BYTES / 3),
  })),
  "lists in lists": () => Array.from({ length: 90 }).reduce<unknown>((inner) => [inner], many(0)),
};

/** Hostile values for a schema: all of them for the whole body, otherwise those that match its type. */
export function hostileValuesFor({ name, schema }: SchemaNode): [what: string, value: () => unknown][] {
  const own: [string, () => unknown][] = [["as large as possible", () => oversizedOf(schema)]];
  if (name === "") return [...own, ...Object.entries(HOSTILE_VALUES)];
  return schema.item === undefined && schema.entries === undefined && schema.value === undefined
    ? own
    : [...own, ["a list of numbers", () => many(0)], ["unknown keys", () => manyKeys(0)]];
}

function oversizedOf({ item, value, ...schema }: Described): unknown {
  if (item !== undefined) return many(sample(item));
  if (value !== undefined) return manyKeys(sample(value));
  const one = sample({ ...schema });
  return typeof one === "string" ? "x".repeat(MAX_BODY_BYTES - 16 * 1024) : many(one);
}
