/** Stores large outputs as separate documents. The records that refer to them hold the key. */
import { isLongJson, jsonInParts } from "../../encoding/json/json-parts.ts";
import { approximateJsonSize, type JsonArray, type JsonObject, type JsonValue } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { SubstepId } from "../progress/step-state.ts";
import { inputJson } from "./input-json.ts";

/** A value, or the key of the document that holds it. */
export type InlineOrKey = InlineValue | LargeValue;

interface InlineValue {
  readonly value: JsonValue;
}

export interface LargeValue {
  readonly at: Key;
  /** About how long it is as JSON, in characters: readers that show only short values need not read it. */
  readonly chars?: number;
}

/** Whether the value is stored in a separate document. The journal stores one per outcome, so there is no discriminant. */
export function isLargeValue(stored: InlineOrKey): stored is LargeValue {
  return "at" in stored;
}

/** Maximum length of an inline value as JSON, in characters. */
export const MAX_INLINE_CHARS = 16 * 1024;
/** Key of the output of a step's iteration. */
export const valueKey = (runId: string, index: number, iteration: number): Key =>
  `output:${runId}.${index}.${iteration}`;

/** Key of the output of a substep. */
export const substepKey = (runId: string, substep: SubstepId): Key => `substep:${runId}.${substep}`;

/** Key of the history of a step. */
export const historyKey = (runId: string, index: number): Key => `history:${runId}.${index}`;

/** Returns the value if it is small, otherwise the key to store it under. */
export function inlineOrKey(value: JsonValue, key: () => Key, maxChars = MAX_INLINE_CHARS): InlineOrKey {
  return approximateJsonSize(value, maxChars) <= maxChars ? { value } : { at: key(), chars: charsOf(value) };
}

/** Lengths of large values. Each is stored twice: when its step settles, and when its run ends. */
const lengths = new WeakMap<object, number>();

/**
 * Texts of large outputs that arrived as JSON, until they are stored: making them again would hold the event loop. Not a map,
 * because it would hash outputs that are long texts. The newest is last, and usually the one that is stored next.
 */
const texts: { readonly output: JsonValue; readonly json: string }[] = [];
const MAX_TEXTS = 16;

/**
 * Writes a long output in parts, for the commit that stores it. Null if it is short.
 * @param output Plain JSON that no other code has.
 * @param pause Called after each part.
 */
export function writeOutput(output: JsonObject, pause: () => Promise<void>): Promise<void> | null {
  return isLongJson(output) ? write(output, pause) : null;
}

async function write(output: JsonObject, pause: () => Promise<void>): Promise<void> {
  const json = await jsonInParts(output, pause);
  if (json !== null) keepJson(output, json);
}

/** Whether the JSON of an output is known, so that it is plain. */
export const isWritten = (output: JsonValue): boolean => texts.some((one) => one.output === output);

/** Notes the JSON of an output that no other code has, for the commit that stores it. */
export function keepJson(output: JsonValue, json: string): void {
  if (typeof output !== "string" && !isStructure(output)) return;
  texts.push({ output, json });
  if (texts.length > MAX_TEXTS) texts.shift();
  if (isStructure(output)) lengths.set(output, json.length);
}

function takeJson(output: JsonValue): string | undefined {
  for (let at = texts.length - 1; at >= 0; at--) {
    if (texts[at]?.output === output) return texts.splice(at, 1)[0]?.json;
  }
  return isStructure(output) ? inputJson(output) : undefined;
}

const isStructure = (value: JsonValue): value is JsonArray | JsonObject => typeof value === "object" && value !== null;

/** About how long a value is as JSON, in characters. */
export function charsOf(value: JsonValue): number {
  if (!isStructure(value)) return approximateJsonSize(value, Number.POSITIVE_INFINITY);
  const known = lengths.get(value) ?? approximateJsonSize(value, Number.POSITIVE_INFINITY);
  lengths.set(value, known);
  return known;
}

/** Whether a value is at most about so long as JSON, in characters. */
export function isUpTo(maxChars: number, value: JsonValue): boolean {
  const known = isStructure(value) ? lengths.get(value) : undefined; // with escape characters, which don't count
  return (known !== undefined && known <= maxChars) || approximateJsonSize(value, maxChars) <= maxChars;
}

/** Returns the change that stores a value in a separate document, if it has a key. */
export function putLargeValue(stored: InlineOrKey, value: JsonValue): Change[] {
  if (!isLargeValue(stored)) return [];
  const json = takeJson(value);
  return [{ key: stored.at, document: { value }, json: json && `{"value":${json}}` }];
}

/** Returns the keys of the values that are stored in separate documents. */
export function keysOfLargeValues(stored: readonly InlineOrKey[]): Key[] {
  return stored.flatMap((one) => (isLargeValue(one) ? [one.at] : []));
}

/** Loads values that are stored inline or in separate documents. */
export async function loadValues(store: Store, stored: readonly InlineOrKey[]): Promise<readonly JsonValue[]> {
  const keys = keysOfLargeValues(stored);
  if (keys.length === 0) return stored.map((one) => (isLargeValue(one) ? null : one.value));
  const found = await store.getMany<{ value: JsonValue }>(keys);
  const values = new Map(keys.map((key, index) => [key, found[index]?.document.value ?? null]));
  return stored.map((one) => (isLargeValue(one) ? (values.get(one.at) ?? null) : one.value));
}
