/** The JSON of large values: of results, because later calls often get them as they are, and of what such calls got. */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { isLongJson, jsonParts } from "../../src/encoding/json-parts.ts";
import { isJsonObject, type JsonValue } from "../../src/json.ts";

export interface KnownTexts {
  /** @param json In parts. */
  add(value: JsonValue, json: readonly string[]): void;
  /**
   * Writes the JSON of long values that are not known yet, so that {@link of} finds it. Null if there are none.
   * @param pause Called after each part.
   */
  prepare(values: readonly JsonValue[], pause: () => Promise<void>): Promise<void> | null;
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

  /** The fields of an object apart: a step is one with its output, which may be the result of another call. */
  function* partsOf(value: JsonValue): Generator<string, void> {
    if (!isJsonObject(value) || typeof value["toJSON"] === "function") return yield* jsonParts(value);
    const fields = Object.entries(value).filter(([, item]) => item !== undefined);
    for (const [at, [key, item]] of fields.entries()) {
      yield `${at === 0 ? "{" : ","}${JSON.stringify(key)}:`;
      yield* find(item) ?? partsOfField(item);
    }
    yield fields.length === 0 ? "{}" : "}";
  }

  function* partsOfField(item: JsonValue): Generator<string, void> {
    const json: string[] = [];
    for (const part of jsonParts(item)) {
      json.push(part);
      yield part;
    }
    if (isLongJson(item)) add(item, json);
  }

  async function write(values: readonly JsonValue[], pause: () => Promise<void>): Promise<void> {
    for (const value of values) {
      const json: string[] = [];
      for (const part of partsOf(value)) {
        json.push(part);
        await pause();
      }
      add(value, json);
    }
  }

  return {
    add,
    prepare(values, pause) {
      const unknown = values.filter((value) => isLongJson(value) && find(value) === undefined);
      return unknown.length === 0 ? null : write(unknown, pause);
    },
    of(value) {
      const found = find(value);
      if (found !== undefined) return found;
      const json = [...partsOf(value)];
      add(value, json);
      return json;
    },
  };
}
