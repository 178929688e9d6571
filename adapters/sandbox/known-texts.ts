/** The JSON of large values: of results, because later calls often get them as they are, and of what such calls got. */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { slicesOf } from "./parcel.ts";

export interface KnownTexts {
  /** @param json In parts. */
  add(value: JsonValue, json: readonly string[]): void;
  /** Returns the JSON of a value, in parts. */
  of(value: JsonValue): readonly string[];
}

/** Maximum length of what is kept, in characters. */
const MAX_CHARS = 16 * MEBIBYTE;

interface Known {
  readonly value: JsonValue;
  readonly json: readonly string[];
}

export function createKnownTexts(): KnownTexts {
  /** By object, and by the length of a text: a map would hash the text, which takes as long as reading it. */
  const known = new LRUCache<number | object, Known>({
    maxSize: MAX_CHARS,
    sizeCalculation: ({ json }) => json.reduce((sum, part) => sum + part.length, 1),
  });

  function keyOf(value: JsonValue | undefined): number | object | undefined {
    if (typeof value === "string") return value.length;
    return typeof value === "object" && value !== null ? value : undefined;
  }

  function find(value: JsonValue | undefined): readonly string[] | undefined {
    const key = keyOf(value);
    const found = key === undefined ? undefined : known.get(key);
    return found?.value === value ? found?.json : undefined;
  }

  function add(value: JsonValue, json: readonly string[]): void {
    const key = keyOf(value);
    if (key !== undefined) known.set(key, { value, json });
  }

  /** A step is an object with its output, which may be the result of another call. */
  function ofFields(value: JsonObject): readonly string[] {
    const fields = Object.entries(value).filter(([, item]) => item !== undefined);
    const json = fields.flatMap(([key, item], at) => [
      `${at === 0 ? "{" : ","}${JSON.stringify(key)}:`,
      ...(find(item) ?? slicesOf(JSON.stringify(item))),
    ]);
    return json.length === 0 ? ["{}"] : [...json, "}"];
  }

  return {
    add,
    of(value) {
      const found = find(value);
      if (found !== undefined) return found;
      const isPlain = isJsonObject(value) && typeof value["toJSON"] !== "function";
      const json = isPlain ? ofFields(value) : slicesOf(JSON.stringify(value));
      add(value, json);
      return json;
    },
  };
}
