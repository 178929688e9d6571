/**
 * The journal of a run: the outcomes of its steps, as records under numbered keys. Outcomes that settle together share
 * a record. A run resumes from its journal after a crash; when it ends, the journal is folded into the run document.
 */
import { damaged } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { type Change, changesDocument, type DerivedChange, type Key } from "../../ports/store.ts";
import type { Outcome, SubstepId } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import { type InlineOrKey, inlineOrKey, isLargeValue, putLargeValue, substepKey, valueKey } from "./large-values.ts";

/** The outcome of the step at this index of the version, or of one of its items. */
export interface JournalEntry extends Task {
  readonly outcome: Outcome;
}

/** An outcome with the step's iteration, or the number of its item. */
export interface SettledStep extends JournalEntry {
  readonly iteration: number;
}

/** The outcome of a substep whose step has not settled. */
export interface SubstepEntry {
  readonly id: SubstepId;
  readonly outcome: Outcome;
}

/** An outcome without what may be stored in documents of its own. */
export type StoredOutcome = Omit<Outcome, "output" | "history">;

export interface StoredEntry extends StoredOutcome {
  readonly index: number;
  /** Missing for a whole step. */
  readonly item?: number;
  readonly output: InlineOrKey;
  readonly history?: InlineOrKey | undefined;
}

interface StoredSubstep extends StoredOutcome {
  readonly id: SubstepId;
  readonly output: InlineOrKey;
}

export interface JournalRecord {
  readonly entries: readonly StoredEntry[];
  /** Outcomes of substeps. */
  readonly substeps?: readonly StoredSubstep[];
  /** Marks that a process resumed the run. */
  readonly resumed?: true;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Outcomes of substeps whose steps have not settled. */
  readonly substeps: ReadonlyMap<SubstepId, Outcome>;
  /** Number of records. */
  readonly records: number;
  /** How often a process has resumed the run since its last outcome. */
  readonly resumesSinceProgress: number;
  /** Keys of documents that hold large values. */
  readonly largeValues: ReadonlySet<Key>;
}

/** The journal of a run that nothing has executed. */
export const NO_JOURNAL: Journal = {
  entries: [],
  substeps: new Map(),
  records: 0,
  resumesSinceProgress: 0,
  largeValues: new Set(),
};

const RECORDS = "journal:";
export const recordKey = (runId: string, number: number): Key => `${RECORDS}${runId}.${number}`;

/** The changes that store outcomes, and the keys of the documents among them that hold large values. */
export interface OutcomeChanges {
  readonly changes: readonly Change[];
  readonly largeValues: readonly Key[];
}

/** Stores outcomes as one record, and large outputs as separate documents. */
export function outcomeChanges(
  runId: string,
  number: number,
  entries: readonly SettledStep[],
  substeps: readonly SubstepEntry[],
): OutcomeChanges {
  const changes: Change[] = [];
  const largeValues: Key[] = [];
  function store(output: JsonValue, key: () => Key): InlineOrKey {
    const storedOutput = inlineOrKey(output, key);
    for (const change of putLargeValue(storedOutput, output)) changes.push(change);
    if (isLargeValue(storedOutput)) largeValues.push(storedOutput.at);
    return storedOutput;
  }
  const storedEntries = entries.map(({ index, item, outcome, iteration }) =>
    asStoredEntry(
      { index, item },
      withoutHistory(outcome),
      store(outcome.output, () => valueKey(runId, index, iteration)),
    ),
  );
  const storedSubsteps = substeps.map(({ id, outcome }): StoredSubstep => {
    const output = store(outcome.output, () => substepKey(runId, id));
    return { ...withoutHistory(outcome), id, output };
  });
  changes.push(appendRecord(runId, number, storedEntries, storedSubsteps));
  return { changes, largeValues };
}

/** Returns a record with this number. An empty one marks that an interruption was not the run's fault. */
export function appendRecord(
  runId: string,
  number: number,
  entries: readonly StoredEntry[],
  substeps: readonly StoredSubstep[] = [],
): Change {
  const record: JournalRecord = substeps.length === 0 ? { entries } : { entries, substeps };
  return { key: recordKey(runId, number), document: record };
}

/** Returns a record which marks that a process resumed the run. */
export function resumeMarker(runId: string, number: number): Change {
  return { key: recordKey(runId, number), document: { entries: [], resumed: true } satisfies JournalRecord };
}

/**
 * In a cluster, the records among the changes must be new: another process may be about to write one with the same number, and only
 * one of them may succeed.
 */
export function asNewRecords<T extends Change | DerivedChange>(changes: readonly T[]): readonly T[] {
  return changes.map((change) =>
    changesDocument(change) && change.document !== null && change.key.startsWith(RECORDS)
      ? { ...change, expected: null }
      : change,
  );
}

/** Whether a key is that of a record of the run. */
export const isRecordOf = (runId: string, key: string | undefined): boolean =>
  key?.startsWith(`${RECORDS}${runId}.`) === true;

/** Deletes the records of a run and large values that nothing else refers to. */
export function deleteJournal(runId: string, records: number, largeValues: Iterable<Key>): Change[] {
  const numbered = Array.from({ length: records }, (_, index) => recordKey(runId, index + 1));
  return [...numbered, ...largeValues].map((key) => ({ key, document: null, expected: 1 }));
}

/** A run that continues another one keeps nothing of its history: it has not executed the steps itself. */
function withoutHistory(outcome: Outcome): StoredOutcome {
  if (outcome.history === undefined) return outcome;
  const { history, ...rest } = outcome;
  return rest;
}

/** Converts an outcome whose output is stored already. */
export function asStoredEntry(
  { index, item }: Task,
  outcome: StoredOutcome & Pick<StoredEntry, "history">,
  output: InlineOrKey,
): StoredEntry {
  return item === null ? { ...outcome, index, output } : { ...outcome, index, item, output };
}

/**
 * Checks that a journal is complete.
 * @param stored Number of records when the run's document was stored. Later ones may exist.
 * @throws StepwellError `unavailable` if there are fewer
 */
export function checkJournal(runId: string, { records }: Journal, stored = 0): void {
  if (records < stored) throw damaged(recordKey(runId, records + 1), "The journal record");
}
