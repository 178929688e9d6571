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

export function createKnownTexts(): KnownTexts {
  const known = new LRUCache<string | object, readonly string[]>({
    maxSize: MAX_CHARS,
    sizeCalculation: (json) => json.reduce((sum, part) => sum + part.length, 1),
  });

  function find(value: JsonValue | undefined): readonly string[] | undefined {
    return typeof value === "string" || (typeof value === "object" && value !== null) ? known.get(value) : undefined;
  }

  function add(value: JsonValue, json: readonly string[]): void {
    if (typeof value === "string" || (typeof value === "object" && value !== null)) known.set(value, json);
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
