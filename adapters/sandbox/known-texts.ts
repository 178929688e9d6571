/** The JSON of large values: of results, because later calls often get them as they are, and of what such calls got. */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { isLongJson, jsonParts } from "../../src/encoding/json/json-parts.ts";
import { isJsonObject, type JsonValue } from "../../src/json.ts";
import type { Part } from "./parcel.ts";

export interface KnownTexts {
  /** @param json In parts. */
  add(value: JsonValue, json: readonly Part[]): void;
  /**
   * Sets the JSON of long values. Null if all of it is known already.
   * @param pause Called after each part.
   */
  prepare(values: readonly Written[], pause: () => Promise<void>): Promise<void> | null;
  /** Returns the JSON of a value, in parts. */
  of(value: JsonValue): readonly Part[];
}

/** A value, and its JSON once it was written. */
export interface Written {
  readonly value: JsonValue;
  json?: readonly Part[] | undefined;
}

const encoder = new TextEncoder();
/** Shorter parts are copied. */
const MIN_SHARED_CHARS = 64 * 1024;

/** Threads get shared memory without a copy: to copy megabytes of text takes as long as writing them. */
function inSharedMemory(part: Part): Part {
  if (typeof part !== "string" || part.length < MIN_SHARED_CHARS || !("SharedArrayBuffer" in globalThis)) return part;
  const bytes = encoder.encode(part);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/** Maximum length of what is kept, in characters. */
const MAX_CHARS = 16 * MEBIBYTE;

interface Known {
  readonly value: JsonValue;
  readonly json: readonly Part[];
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

  function find(value: JsonValue | undefined): readonly Part[] | undefined {
    const key = keyOf(value);
    const found = key === undefined ? undefined : known.get(key);
    return found?.value === value ? found?.json : undefined;
  }

  function add(value: JsonValue, json: readonly Part[]): void {
    const key = keyOf(value);
    if (key !== undefined) known.set(key, { value, json });
  }

  /** The fields of an object apart: a step is one with its output, which may be the result of another call. */
  function* partsOf(value: JsonValue): Generator<Part, void> {
    if (!isJsonObject(value) || typeof value["toJSON"] === "function") return yield* jsonParts(value);
    const fields = Object.entries(value).filter(([, item]) => item !== undefined);
    for (const [at, [key, item]] of fields.entries()) {
      yield `${at === 0 ? "{" : ","}${JSON.stringify(key)}:`;
      yield* find(item) ?? partsOfField(item);
    }
    yield fields.length === 0 ? "{}" : "}";
  }

  function* partsOfField(item: JsonValue): Generator<Part, void> {
    const json: Part[] = [];
    for (const part of jsonParts(item)) {
      json.push(part);
      yield part;
    }
    if (isLongJson(item)) add(item, json);
  }

  async function write(values: readonly Written[], pause: () => Promise<void>): Promise<void> {
    for (const one of values) {
      const json: Part[] = [];
      for (const part of partsOf(one.value)) {
        json.push(inSharedMemory(part));
        await pause();
      }
      one.json = json;
      add(one.value, json);
    }
  }

  return {
    add,
    prepare(values, pause) {
      for (const one of values) one.json ??= find(one.value);
      const unknown = values.filter(({ value, json }) => json === undefined && isLongJson(value));
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
