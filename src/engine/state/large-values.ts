/** Stores large outputs as separate documents. The records that refer to them hold the key. */
import { approximateJsonSize, type JsonValue } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { SubstepId } from "../progress/step-state.ts";

/** A value, or the key of the document that holds it. */
export type InlineOrKey = InlineValue | LargeValue;

interface InlineValue {
  readonly value: JsonValue;
}

interface LargeValue {
  readonly at: Key;
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

/** Returns the value if it is small, otherwise the key to store it under. */
export function inlineOrKey(value: JsonValue, key: () => Key): InlineOrKey {
  return approximateJsonSize(value, MAX_INLINE_CHARS) <= MAX_INLINE_CHARS ? { value } : { at: key() };
}

/** Returns the change that stores a value in a separate document, if it has a key. */
export function putLargeValue(stored: InlineOrKey, value: JsonValue): Change[] {
  return isLargeValue(stored) ? [{ key: stored.at, document: { value } }] : [];
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
