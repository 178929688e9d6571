/**
 * The journal of a run: what its steps came to, appended under numbered keys, one small write for all that ended
 * together. With it a run goes on after a crash; when the run ends it is folded into the run's document.
 */
import type { JsonValue } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { Outcome } from "./step-state.ts";

/** A value in its place, or the key of the document that holds it because it is large. */
export type Kept = { readonly value: JsonValue } | { readonly at: Key };

/** An outcome of the step at this place of the version. */
export interface Entry {
  readonly index: number;
  readonly outcome: Outcome;
}

/** An outcome, and which repetition of its step it is of. */
export interface Settled extends Entry {
  readonly iteration: number;
}

/** An outcome of a part of a step that is under way; see {@link PartId}. */
export interface PartEntry {
  readonly part: PartId;
  readonly outcome: Outcome;
}

/** Names a part within its run: the place of its step, the repetition, and the name that the step gave it. */
export type PartId = `${number}.${number}.${string}`;

interface StoredEntry extends Omit<Outcome, "output"> {
  readonly index: number;
  readonly output: Kept;
}

interface StoredPart extends Omit<Outcome, "output"> {
  readonly part: PartId;
  readonly output: Kept;
}

interface JournalRecord {
  readonly entries: readonly StoredEntry[];
  readonly parts?: readonly StoredPart[];
  /** Marks that another execution took the run up. */
  readonly resumed?: true;
}

export interface Journal {
  readonly entries: readonly Entry[];
  readonly parts: ReadonlyMap<PartId, Outcome>;
  /** How many records there are. */
  readonly records: number;
  /** Executions that took the run up since the last outcome. */
  readonly idle: number;
  /** Documents that hold large values. */
  readonly values: ReadonlySet<Key>;
}

/** Characters of JSON from which a value gets a document of its own. */
export const LARGE = 16 * 1024;
/** Records read at once. */
const BATCH = 32;

const recordKey = (runId: string, number: number): Key => `journal:${runId}.${number}`;
/** Of what a repetition of a step gave. */
export const valueKey = (runId: string, index: number, iteration: number): Key =>
  `output:${runId}.${index}.${iteration}`;

/** Of what a part of a step gave. */
export const partKey = (runId: string, part: PartId): Key => `part:${runId}.${part}`;

/** How a value is kept: in its place, or as a document of its own under the key that is given for that. */
export function keep(value: JsonValue, key: () => Key): Kept {
  return weight(value, LARGE) <= LARGE ? { value } : { at: key() };
}

/** What to commit for a value that is kept as a document of its own. */
export function outOfPlace(kept: Kept, value: JsonValue): Change[] {
  return "at" in kept ? [{ key: kept.at, document: { value } }] : [];
}

/**
 * What to commit for what came in together: one record, and what is large as documents of its own.
 * @param values Has the keys of those added to it
 */
export function written(
  runId: string,
  number: number,
  entries: readonly Settled[],
  parts: readonly PartEntry[],
  values: Set<Key>,
): Change[] {
  const apart: Change[] = [];
  function kept(output: JsonValue, key: () => Key): Kept {
    const kept = keep(output, key);
    for (const one of outOfPlace(kept, output)) apart.push(one);
    if ("at" in kept) values.add(kept.at);
    return kept;
  }
  const storedEntries = entries.map(({ index, outcome, iteration }) =>
    outcomeKept(
      index,
      outcome,
      kept(outcome.output, () => valueKey(runId, index, iteration)),
    ),
  );
  const storedParts = parts.map(({ part, outcome }): StoredPart => {
    const output = kept(outcome.output, () => partKey(runId, part));
    return { ...outcome, part, output };
  });
  return [...apart, appended(runId, number, storedEntries, storedParts)];
}

/** The changes that append a record. */
export function appended(
  runId: string,
  number: number,
  entries: readonly StoredEntry[],
  parts: readonly StoredPart[] = [],
): Change {
  const record: JournalRecord = parts.length === 0 ? { entries } : { entries, parts };
  return { key: recordKey(runId, number), document: record };
}

export function resumed(runId: string, number: number): Change {
  return { key: recordKey(runId, number), document: { entries: [], resumed: true } satisfies JournalRecord };
}

/** The changes that remove what was folded. */
export function folded(runId: string, records: number, values: Iterable<Key>): Change[] {
  const numbered = Array.from({ length: records }, (_, index) => recordKey(runId, index + 1));
  return [...numbered, ...values].map((key) => ({ key, document: null, expected: 1 }));
}

/** An outcome whose output is kept already. */
export function outcomeKept(index: number, outcome: Omit<Outcome, "output">, output: Kept): StoredEntry {
  return { ...outcome, index, output };
}

/** Reads numbers until one is missing. */
export async function readJournal(store: Store, runId: string): Promise<Journal> {
  const entries: Entry[] = [];
  const parts = new Map<PartId, Outcome>();
  const values = new Set<Key>();
  let idle = 0;
  for (let records = 0; ; ) {
    const keys = Array.from({ length: BATCH }, (_, index) => recordKey(runId, records + index + 1));
    for (const found of await store.getMany<JournalRecord>(keys)) {
      if (found === null) return { entries, parts, records, idle, values };
      records++;
      idle = found.document.resumed === true ? idle + 1 : 0;
      const { entries: settled, parts: done = [] } = found.document;
      const kept = [...settled, ...done].map(({ output }) => output);
      const outputs = await load(store, kept);
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
export async function load(store: Store, kept: readonly Kept[]): Promise<readonly JsonValue[]> {
  const keys = kept.flatMap((one) => ("at" in one ? [one.at] : []));
  if (keys.length === 0) return kept.map((one) => ("value" in one ? one.value : null));
  const found = await store.getMany<{ value: JsonValue }>(keys);
  const values = new Map(keys.map((key, index) => [key, found[index]?.document.value ?? null]));
  return kept.map((one) => ("value" in one ? one.value : (values.get(one.at) ?? null)));
}

/**
 * How many characters a value has as JSON, without those that escape others: never more than it has. Stops counting
 * when it is over the limit.
 */
export function weight(value: JsonValue, limit: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  let sum = 1; // and a comma or a bracket behind each item
  if (Array.isArray(value)) {
    for (const item of value) {
      if (sum > limit) break;
      sum += weight(item, limit) + 1;
    }
  } else {
    for (const key in value) {
      if (sum > limit) break;
      const item = value[key];
      if (item !== undefined) sum += key.length + 4 + weight(item, limit);
    }
  }
  return Math.max(2, sum);
}
