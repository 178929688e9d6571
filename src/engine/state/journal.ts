/**
 * The journal of a run: the outcomes of its steps, as records under numbered keys, one small write for all that settled
 * together. A run resumes from it after a crash; when the run ends it is folded into the run's document.
 */
import type { JsonValue } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import { type InlineOrKey, inlineOrKey, loadValues, putLargeValue, substepKey, valueKey } from "./large-values.ts";
import type { Outcome, SubstepId } from "./step-state.ts";

/** An outcome of the step at this index of the version. */
export interface JournalEntry {
  readonly index: number;
  readonly outcome: Outcome;
}

/** An outcome, and the iteration of the step that it is of. */
export interface SettledStep extends JournalEntry {
  readonly iteration: number;
}

/** An outcome of a substep of a step that has not settled. */
export interface SubstepEntry {
  readonly id: SubstepId;
  readonly outcome: Outcome;
}

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
  /** Of substeps. */
  readonly parts?: readonly StoredSubstep[];
  /** Marks that a process resumed the run. */
  readonly resumed?: true;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Outcomes of substeps whose steps have not settled. */
  readonly substeps: ReadonlyMap<SubstepId, Outcome>;
  /** How many records there are. */
  readonly records: number;
  /** How often a process resumed the run since its last outcome. */
  readonly resumesSinceProgress: number;
  /** Documents that hold large values. */
  readonly largeValues: ReadonlySet<Key>;
}

/** Records read at once. */
const RECORDS_PER_READ = 32;

const recordKey = (runId: string, number: number): Key => `journal:${runId}.${number}`;

/**
 * Stores outcomes that came in together: one record, and what is large as documents of its own.
 * @param largeValues The keys of those are added to it.
 */
export function outcomeChanges(
  runId: string,
  number: number,
  entries: readonly SettledStep[],
  substeps: readonly SubstepEntry[],
  largeValues: Set<Key>,
): Change[] {
  const changes: Change[] = [];
  function stored(output: JsonValue, key: () => Key): InlineOrKey {
    const kept = inlineOrKey(output, key);
    for (const change of putLargeValue(kept, output)) changes.push(change);
    if ("at" in kept) largeValues.add(kept.at);
    return kept;
  }
  const storedEntries = entries.map(({ index, outcome, iteration }) =>
    asStoredEntry(
      index,
      outcome,
      stored(outcome.output, () => valueKey(runId, index, iteration)),
    ),
  );
  const storedSubsteps = substeps.map(({ id, outcome }): StoredSubstep => {
    const output = stored(outcome.output, () => substepKey(runId, id));
    return { ...outcome, part: id, output };
  });
  changes.push(appendRecord(runId, number, storedEntries, storedSubsteps));
  return changes;
}

/** The record with this number; an empty one says that the run was not to blame for what interrupted it. */
export function appendRecord(
  runId: string,
  number: number,
  entries: readonly StoredEntry[],
  substeps: readonly StoredSubstep[] = [],
): Change {
  const record: JournalRecord = substeps.length === 0 ? { entries } : { entries, parts: substeps };
  return { key: recordKey(runId, number), document: record };
}

/** A record that says that a process resumed the run. */
export function resumeMarker(runId: string, number: number): Change {
  return { key: recordKey(runId, number), document: { entries: [], resumed: true } satisfies JournalRecord };
}

/** Deletes the records of a run, and the large values that nothing else refers to. */
export function deleteJournal(runId: string, records: number, largeValues: Iterable<Key>): Change[] {
  const numbered = Array.from({ length: records }, (_, index) => recordKey(runId, index + 1));
  return [...numbered, ...largeValues].map((key) => ({ key, document: null, expected: 1 }));
}

/** An outcome whose output is stored already. */
export function asStoredEntry(index: number, outcome: Omit<Outcome, "output">, output: InlineOrKey): StoredEntry {
  return { ...outcome, index, output };
}

/** Reads records until a number is missing. */
export async function readJournal(store: Store, runId: string): Promise<Journal> {
  const entries: JournalEntry[] = [];
  const substeps = new Map<SubstepId, Outcome>();
  const largeValues = new Set<Key>();
  let resumesSinceProgress = 0;
  for (let records = 0; ; ) {
    const keys = Array.from({ length: RECORDS_PER_READ }, (_, index) => recordKey(runId, records + index + 1));
    for (const found of await store.getMany<JournalRecord>(keys)) {
      if (found === null) return { entries, substeps, records, resumesSinceProgress, largeValues };
      records++;
      resumesSinceProgress = found.document.resumed === true ? resumesSinceProgress + 1 : 0;
      const { entries: settled, parts: done = [] } = found.document;
      const kept = [...settled, ...done].map(({ output }) => output);
      const outputs = await loadValues(store, kept);
      for (const output of kept) if ("at" in output) largeValues.add(output.at);
      for (const [at, { index, ...outcome }] of settled.entries()) {
        entries.push({ index, outcome: { ...outcome, output: outputs[at] ?? null } });
      }
      for (const [at, { part, ...outcome }] of done.entries()) {
        substeps.set(part, { ...outcome, output: outputs[settled.length + at] ?? null });
      }
    }
  }
}
