/** Large outputs: a value above a size is a document of its own, and what refers to it holds its key. */
import { approximateJsonSize, type JsonValue } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { SubstepId } from "./step-state.ts";

/** A value in its place, or the key of the document that holds it because it is large. */
export type InlineOrKey = { readonly value: JsonValue } | { readonly at: Key };

/** Characters of JSON from which a value gets a document of its own. */
export const MAX_INLINE_CHARS = 16 * 1024;
/** Of what a repetition of a step gave. */
export const valueKey = (runId: string, index: number, iteration: number): Key =>
  `output:${runId}.${index}.${iteration}`;

/** Of what a part of a step gave. */
export const substepKey = (runId: string, part: SubstepId): Key => `part:${runId}.${part}`;

/** How a value is kept: in its place, or as a document of its own under the key that is given for that. */
export function inlineOrKey(value: JsonValue, key: () => Key): InlineOrKey {
  return approximateJsonSize(value, MAX_INLINE_CHARS) <= MAX_INLINE_CHARS ? { value } : { at: key() };
}

/** What to commit for a value that is kept as a document of its own. */
export function putLargeValue(kept: InlineOrKey, value: JsonValue): Change[] {
  return "at" in kept ? [{ key: kept.at, document: { value } }] : [];
}

/** The values that were kept. */
export async function loadValues(store: Store, kept: readonly InlineOrKey[]): Promise<readonly JsonValue[]> {
  const keys = kept.flatMap((one) => ("at" in one ? [one.at] : []));
  if (keys.length === 0) return kept.map((one) => ("value" in one ? one.value : null));
  const found = await store.getMany<{ value: JsonValue }>(keys);
  const values = new Map(keys.map((key, index) => [key, found[index]?.document.value ?? null]));
  return kept.map((one) => ("value" in one ? one.value : (values.get(one.at) ?? null)));
}
