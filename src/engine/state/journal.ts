/**
 * The journal of a run: what its steps came to, appended under numbered keys, one small write for all that ended
 * together. With it a run goes on after a crash; when the run ends it is folded into the run's document.
 */
import { approximateJsonSize, type JsonValue } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { Outcome } from "./step-state.ts";

/** A value in its place, or the key of the document that holds it because it is large. */
export type InlineOrKey = { readonly value: JsonValue } | { readonly at: Key };

/** An outcome of the step at this place of the version. */
export interface JournalEntry {
  readonly index: number;
  readonly outcome: Outcome;
}

/** An outcome, and which repetition of its step it is of. */
export interface SettledStep extends JournalEntry {
  readonly iteration: number;
}

/** An outcome of a part of a step that is under way; see {@link SubstepId}. */
export interface SubstepEntry {
  readonly part: SubstepId;
  readonly outcome: Outcome;
}

/** Names a part within its run: the place of its step, the repetition, and the name that the step gave it. */
export type SubstepId = `${number}.${number}.${string}`;

interface StoredEntry extends Omit<Outcome, "output"> {
  readonly index: number;
  readonly output: InlineOrKey;
}

interface StoredSubstep extends Omit<Outcome, "output"> {
  readonly part: SubstepId;
  readonly output: InlineOrKey;
}

interface JournalRecord {
  readonly entries: readonly StoredEntry[];
  readonly parts?: readonly StoredSubstep[];
  /** Marks that another execution took the run up. */
  readonly resumed?: true;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  readonly parts: ReadonlyMap<SubstepId, Outcome>;
  /** How many records there are. */
  readonly records: number;
  /** Executions that took the run up since the last outcome. */
  readonly idle: number;
  /** Documents that hold large values. */
  readonly values: ReadonlySet<Key>;
}

/** Characters of JSON from which a value gets a document of its own. */
export const MAX_INLINE_CHARS = 16 * 1024;
/** Records read at once. */
const RECORDS_PER_READ = 32;

const recordKey = (runId: string, number: number): Key => `journal:${runId}.${number}`;
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

/**
 * What to commit for what came in together: one record, and what is large as documents of its own.
 * @param values Has the keys of those added to it
 */
export function outcomeChanges(
  runId: string,
  number: number,
  entries: readonly SettledStep[],
  parts: readonly SubstepEntry[],
  values: Set<Key>,
): Change[] {
  const apart: Change[] = [];
  function kept(output: JsonValue, key: () => Key): InlineOrKey {
    const kept = inlineOrKey(output, key);
    for (const one of putLargeValue(kept, output)) apart.push(one);
    if ("at" in kept) values.add(kept.at);
    return kept;
  }
  const storedEntries = entries.map(({ index, outcome, iteration }) =>
    asStoredEntry(
      index,
      outcome,
      kept(outcome.output, () => valueKey(runId, index, iteration)),
    ),
  );
  const storedParts = parts.map(({ part, outcome }): StoredSubstep => {
    const output = kept(outcome.output, () => substepKey(runId, part));
    return { ...outcome, part, output };
  });
  return [...apart, appendRecord(runId, number, storedEntries, storedParts)];
}

/** The changes that append a record. */
export function appendRecord(
  runId: string,
  number: number,
  entries: readonly StoredEntry[],
  parts: readonly StoredSubstep[] = [],
): Change {
  const record: JournalRecord = parts.length === 0 ? { entries } : { entries, parts };
  return { key: recordKey(runId, number), document: record };
}

export function resumeMarker(runId: string, number: number): Change {
  return { key: recordKey(runId, number), document: { entries: [], resumed: true } satisfies JournalRecord };
}

/** The changes that remove what was folded. */
export function deleteJournal(runId: string, records: number, values: Iterable<Key>): Change[] {
  const numbered = Array.from({ length: records }, (_, index) => recordKey(runId, index + 1));
  return [...numbered, ...values].map((key) => ({ key, document: null, expected: 1 }));
}

/** An outcome whose output is kept already. */
export function asStoredEntry(index: number, outcome: Omit<Outcome, "output">, output: InlineOrKey): StoredEntry {
  return { ...outcome, index, output };
}

/** Reads numbers until one is missing. */
export async function readJournal(store: Store, runId: string): Promise<Journal> {
  const entries: JournalEntry[] = [];
  const parts = new Map<SubstepId, Outcome>();
  const values = new Set<Key>();
  let idle = 0;
  for (let records = 0; ; ) {
    const keys = Array.from({ length: RECORDS_PER_READ }, (_, index) => recordKey(runId, records + index + 1));
    for (const found of await store.getMany<JournalRecord>(keys)) {
      if (found === null) return { entries, parts, records, idle, values };
      records++;
      idle = found.document.resumed === true ? idle + 1 : 0;
      const { entries: settled, parts: done = [] } = found.document;
      const kept = [...settled, ...done].map(({ output }) => output);
      const outputs = await loadValues(store, kept);
      for (const output of kept) if ("at" in output) values.add(output.at);
      for (const [at, { index, ...outcome }] of settled.entries()) {
        entries.push({ index, outcome: { ...outcome, output: outputs[at] ?? null } });
      }
      for (const [at, { part, ...outcome }] of done.entries()) {
        parts.set(part, { ...outcome, output: outputs[settled.length + at] ?? null });
      }
    }
  }
}

/** The values that were kept. */
export async function loadValues(store: Store, kept: readonly InlineOrKey[]): Promise<readonly JsonValue[]> {
  const keys = kept.flatMap((one) => ("at" in one ? [one.at] : []));
  if (keys.length === 0) return kept.map((one) => ("value" in one ? one.value : null));
  const found = await store.getMany<{ value: JsonValue }>(keys);
  const values = new Map(keys.map((key, index) => [key, found[index]?.document.value ?? null]));
  return kept.map((one) => ("value" in one ? one.value : (values.get(one.at) ?? null)));
}
