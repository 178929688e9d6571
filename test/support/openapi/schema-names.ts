/** The names of schemas as components: those of the constants that export them. */
import type * as v from "valibot";
import { isRecord } from "../../../src/json.ts";
import type { NamedSchema } from "./source-comments.ts";

/** Schemas of other types, such as texts, are short enough to be repeated. */
const NAMED_TYPES = new Set(["object", "strict_object", "loose_object", "variant", "union", "record", "picklist"]);

/** Variants without a constant are named by their discriminator: `HttpRequestStep` for the `http_request` of `Step`. */
export function nameSchemas(schemas: readonly NamedSchema[]): ReadonlyMap<v.GenericSchema, string> {
  const names = new Map<v.GenericSchema, string>();
  const taken = new Set<string>();
  const add = (schema: v.GenericSchema, name: string) => {
    if (names.has(schema) || taken.has(name)) return;
    names.set(schema, name);
    taken.add(name);
  };
  for (const { name, schema } of schemas) if (/^[A-Z]/.test(name) && NAMED_TYPES.has(schema.type)) add(schema, name);
  for (const { name, schema } of schemas) {
    const [noun = name] = /[A-Z][a-z]*$/.exec(name) ?? [];
    for (const { option, value } of optionsOf(schema)) {
      if (value !== undefined) add(option, `${pascal(value)}${noun}`);
    }
  }
  return names;
}

/** The options of a variant, each with its discriminator. */
export function optionsOf(schema: v.GenericSchema): { option: v.GenericSchema; value: string | undefined }[] {
  if (schema.type !== "variant" || !("key" in schema) || !("options" in schema)) return [];
  const { key, options } = schema as unknown as { key: string; options: v.GenericSchema[] }; // as its type says
  return options.map((option) => {
    const entry: unknown = "entries" in option && isRecord(option.entries) ? option.entries[key] : undefined;
    return { option, value: isRecord(entry) && typeof entry["literal"] === "string" ? entry["literal"] : undefined };
  });
}

/** The schemas that a schema consists of. */
export function childrenOf(schema: v.GenericSchema): v.GenericSchema[] {
  const found: unknown[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (name === "entries" && isRecord(value)) found.push(...Object.values(value));
    else if (Array.isArray(value)) found.push(...value);
    else if (name === "getter" && schema.type === "lazy" && typeof value === "function") found.push(value(undefined));
    else found.push(value);
  }
  return found.filter((one): one is v.GenericSchema => isRecord(one) && one["kind"] === "schema");
}

function pascal(text: string): string {
  return text.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
