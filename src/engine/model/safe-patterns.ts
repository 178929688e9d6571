/**
 * Patterns of users' schemas without their danger: JavaScript's own engine can take for ever on thirty characters. What
 * matches in an answer is found by RE2, and each pattern is replaced by one that names just these texts.
 */
import type { RE2JS } from "re2js";
import { isRecord } from "../../json.ts";

type Engine = typeof RE2JS;

export const loadPatterns = async (): Promise<Engine> => (await import("re2js")).RE2JS;

/**
 * Changes the schemas so that they say of this instance what they said before.
 * @param schemas As for {@link schemaProblems}.
 */
export function makeSafe(schemas: readonly unknown[], instance: unknown, engine: Engine): void {
  const texts = [...textsOf(instance, new Set())];
  const naming = (pattern: string) => {
    const compiled = engine.compile(pattern);
    const found = texts.filter((text) => compiled.test(text)).map(escaped);
    return found.length === 0 ? NOTHING : `^(?:${found.join("|")})$`;
  };
  for (const schema of schemas) {
    if (!isRecord(schema)) continue;
    const { pattern, patternProperties } = schema;
    if (typeof pattern === "string") schema["pattern"] = naming(pattern);
    if (isRecord(patternProperties)) {
      schema["patternProperties"] = Object.fromEntries(merged(patternProperties, naming));
    }
  }
}

/** Matches no text. */
const NOTHING = "(?!)";

/** Patterns that name the same texts hold together. */
function merged(patterns: Readonly<Record<string, unknown>>, naming: (pattern: string) => string) {
  const all = new Map<string, unknown>();
  for (const [pattern, schema] of Object.entries(patterns)) {
    const named = naming(pattern);
    const before = all.get(named);
    all.set(named, before === undefined ? schema : { allOf: [before, schema] });
  }
  return all;
}

/** Every text in a value, and every name of a property. */
function textsOf(value: unknown, found: Set<string>): Set<string> {
  if (typeof value === "string") found.add(value);
  else if (Array.isArray(value)) for (const item of value) textsOf(item, found);
  else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) textsOf(item, found.add(name));
  }
  return found;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
