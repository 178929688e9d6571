/** Reads the fields of a call from `--NAME VALUE`: of a query as text, of a body as JSON where it is JSON. */
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { wrongUse } from "../terminal/failure.ts";

export interface ReadFields {
  /** Arguments without a name. */
  readonly words: readonly string[];
  /** Options of the command itself, of which the last value counts. */
  readonly own: ReadonlyMap<string, string>;
  /** Every other option: its values. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/**
 * @param flags Own options without a value.
 * @param valued Own options with one.
 */
export function readFields(raw: readonly string[], flags: readonly string[], valued: readonly string[]): ReadFields {
  const words: string[] = [];
  const own = new Map<string, string>();
  const fields = new Map<string, string[]>();
  for (let at = 0; at < raw.length; at++) {
    const word = raw[at] ?? "";
    if (word === "--") {
      for (const word of raw.slice(at + 1)) words.push(word);
      break;
    }
    const [, typed, assigned] = /^--?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (typed === undefined) {
      words.push(word);
      continue;
    }
    const name = SHORT[typed] ?? typed;
    const isFlag = flags.includes(name);
    const next = raw[at + 1];
    const hasNext = next !== undefined && !next.startsWith("--");
    const value = assigned ?? (isFlag || !hasNext ? "true" : next);
    if (valued.includes(name) && assigned === undefined && !hasNext) throw wrongUse(`--${name} needs a value.`);
    if (assigned === undefined && !isFlag && hasNext) at++;
    if (isFlag || valued.includes(name)) own.set(name, value);
    else {
      const field = name.replaceAll("-", "_");
      fields.set(field, [...(fields.get(field) ?? []), value]);
    }
  }
  return { words, own, fields };
}

const SHORT: Readonly<Record<string, string>> = { o: "out" };

/** Values that are given several times become a list. */
export function queryOf(fields: ReadFields["fields"]): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

export function bodyOf(fields: ReadFields["fields"]): JsonObject {
  return Object.fromEntries(
    [...fields].map(([name, values]): [string, JsonValue] => {
      const all = values.map(jsonOrText);
      return [name, all.length === 1 ? (all[0] ?? null) : all];
    }),
  );
}

/** `5`, `true`, `null`, `[1]` and `"5"` are JSON. Everything else is text. */
function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
