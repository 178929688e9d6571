/**
 * Sends global variables to threads. Values that recur, such as the outputs that all items of a `for_each` see, are sent to
 * each thread once. What a call costs then doesn't depend on their size.
 */
import { approximateJsonSize, isRecord, type JsonValue } from "../../src/json.ts";
import type { KnownTexts, Written } from "./known-texts.ts";
import type { GlobalsMessage, LargeGlobal } from "./protocol.ts";

/** The globals of one call. */
export interface PackedGlobals {
  /** Small values as JSON, with null in place of each large one. */
  readonly json: string;
  readonly large: readonly LargeValue[];
  /** Approximate length as JSON. */
  readonly characters: number;
}

interface LargeValue extends Written {
  readonly path: readonly string[];
  /** Identifies an object that occurred in an earlier call, too. */
  readonly id: number | undefined;
  readonly characters: number;
}

/** What a thread has. */
export interface ThreadGlobals {
  /** Writes what {@link message} needs, in parts. Null if that is nothing long. @param pause Called after each part. */
  prepare(globals: PackedGlobals, pause: () => Promise<void>): Promise<void> | null;
  /** Returns what to send to the thread for a call. Send every message, in this order. */
  message(globals: PackedGlobals): GlobalsMessage;
}

/** Length in characters up to which values are sent in each call. */
const MAX_INLINE_CHARS = 4_096;
/** Maximum length of the values that a thread keeps, in characters. */
const MAX_KEPT_CHARS = 16 * 1024 * 1024;
/** Containers that may be built anew for each call, such as `steps`, are divided into the values in them. */
const MAX_DEPTH = 2;

/** Recognizes objects that it has packed before. They must not have changed. */
export function createGlobalsPacker(): (globals: Readonly<Record<string, unknown>>) => PackedGlobals {
  const known = new WeakMap<object, { readonly id: number; characters: number }>();
  let lastId = 0;

  function recurring(value: object) {
    const found = known.get(value);
    if (found === undefined) known.set(value, { id: ++lastId, characters: 0 });
    return found;
  }

  return (globals) => {
    const large: LargeValue[] = [];

    /** Replaces large values by null and collects them. */
    function divide(value: JsonValue, path: readonly string[]): JsonValue {
      if (approximateJsonSize(value, MAX_INLINE_CHARS) <= MAX_INLINE_CHARS) return value;
      const found = typeof value === "object" && value !== null && path.length > 0 ? recurring(value) : undefined;
      const isContainer = isRecord(value) && typeof value["toJSON"] !== "function" && path.length < MAX_DEPTH;
      if (found === undefined && isContainer) {
        const entries = Object.entries(value).map(([key, item]) => [key, divide(item, [...path, key])] as const);
        return Object.fromEntries(entries);
      }
      const characters = found?.characters || approximateJsonSize(value, Number.POSITIVE_INFINITY);
      if (found !== undefined) found.characters = characters;
      large.push({ path, id: found?.id, value, characters });
      return null;
    }

    const json = JSON.stringify(divide(globals as JsonValue, []));
    return { json, large, characters: large.reduce((sum, { characters }) => sum + characters, json.length) };
  };
}

/** @param texts Of the sandbox. */
export function createThreadGlobals(texts: KnownTexts): ThreadGlobals {
  /** Lengths of the values that the thread keeps, by id. The one that was used last is last. */
  const kept = new Map<number, number>();
  let characters = 0;

  function forgotten(used: ReadonlySet<number | undefined>): readonly number[] {
    const ids: number[] = [];
    for (const [id, length] of kept) {
      if (characters <= MAX_KEPT_CHARS) break;
      if (used.has(id)) continue;
      kept.delete(id);
      characters -= length;
      ids.push(id);
    }
    return ids;
  }

  return {
    prepare({ large }, pause) {
      const needed = large.filter(({ id }) => id === undefined || !kept.has(id));
      return needed.length === 0 ? null : texts.prepare(needed, pause);
    },
    message({ json, large }) {
      // Before anything is noted, because it fails for values that are not JSON.
      const messages = large.map(({ path, id, value, json: written }): LargeGlobal => {
        if (id === undefined) return { path, json: written ?? texts.of(value) };
        return kept.has(id) ? { path, id } : { path, id, json: written ?? texts.of(value) };
      });
      for (const { id, characters: length } of large) {
        if (id === undefined) continue;
        if (!kept.delete(id)) characters += length;
        kept.set(id, length);
      }
      return { json, large: messages, forget: forgotten(new Set(large.map(({ id }) => id))) };
    },
  };
}
