/** The large globals of a thread. Code gets each part of them when it first reads it. */
import { approximateJsonSize, isRecord, type JsonValue } from "../../src/json.ts";
import { partText } from "./parcel.ts";
import type { GlobalsMessage } from "./protocol.ts";

/** Part of a value: large values in it are null. `lazy` has their keys. */
export interface GlobalPart {
  readonly json: string;
  readonly lazy: readonly string[];
}

export interface JobGlobals {
  readonly json: string;
  readonly paths: readonly (readonly string[])[];
  /**
   * Returns part of a large value.
   * @param index Of its path.
   * @param keys The keys that lead to the part.
   */
  part(index: number, keys: readonly string[]): GlobalPart | null;
}

export interface KeptGlobals {
  open(message: GlobalsMessage): JobGlobals;
}

/** Length in characters up to which values are handed over together with the object that contains them. */
const MAX_PART_CHARS = 4_096;

interface Kept {
  /** Undefined once it has been parsed. */
  json: string | undefined;
  tree: JsonValue;
  /** Parts that code has read, by their keys as JSON. Together, they are not longer than the value. */
  readonly parts: Map<string, GlobalPart>;
}

export function createKeptGlobals(): KeptGlobals {
  const kept = new Map<number, Kept>();

  return {
    open({ json, large, forget }) {
      for (const id of forget) kept.delete(id);
      const values = large.map((global): Kept | undefined => {
        const known = global.id === undefined ? undefined : kept.get(global.id);
        if (global.json === undefined) return known;
        const value = { json: global.json.map(partText).join(""), tree: null, parts: new Map() };
        if (global.id !== undefined) kept.set(global.id, value);
        return value;
      });
      return {
        json,
        paths: large.map(({ path }) => path),
        part(index, keys) {
          const value = values[index];
          return value === undefined ? null : knownPart(value, keys);
        },
      };
    },
  };
}

function knownPart(value: Kept, keys: readonly string[]): GlobalPart | null {
  const name = JSON.stringify(keys);
  const part = value.parts.get(name) ?? partOf(value, keys);
  if (part !== null) value.parts.set(name, part);
  return part;
}

function partOf(value: Kept, keys: readonly string[]): GlobalPart | null {
  if (keys.length === 0 && value.json !== undefined && !value.json.startsWith("{")) {
    return { json: value.json, lazy: [] };
  }
  if (value.json !== undefined) {
    value.tree = JSON.parse(value.json);
    value.json = undefined;
  }
  let node: JsonValue | undefined = value.tree;
  for (const key of keys) node = isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  if (node === undefined) return null;
  if (!isRecord(node)) return { json: JSON.stringify(node), lazy: [] };
  const lazy = Object.keys(node).filter((key) => isLarge(node[key]));
  if (lazy.length === 0) return { json: JSON.stringify(node), lazy };
  const isLazy = new Set(lazy);
  const small = Object.entries(node).map(([key, item]) => [key, isLazy.has(key) ? null : item]);
  return { json: JSON.stringify(Object.fromEntries(small)), lazy };
}

function isLarge(value: JsonValue | undefined): boolean {
  return value !== undefined && approximateJsonSize(value, MAX_PART_CHARS) > MAX_PART_CHARS;
}
