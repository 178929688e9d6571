/** Reads the journal of a run: its records, then the values that they name, as far as anything can read them again. */
import { damaged } from "../../errors.ts";
import type { Key, Store, Stored } from "../../ports/store.ts";
import type { StepHistory } from "../progress/step-history.ts";
import { forgetSubsteps, keepsSubsteps, type Outcome, type SubstepId } from "../progress/step-state.ts";
import {
  type Journal,
  type JournalEntry,
  type JournalRecord,
  recordKey,
  type StoredEntry,
  type StoredOutcome,
} from "./journal.ts";
import { type InlineOrKey, keysOfLargeValues, loadValues } from "./large-values.ts";

/** Number of records, or of values, read at once. */
const ITEMS_PER_READ = 32;

type WithStoredOutput = StoredOutcome & { readonly output: InlineOrKey };

interface Records {
  readonly entries: readonly StoredEntry[];
  readonly substeps: ReadonlyMap<SubstepId, WithStoredOutput>;
  readonly count: number;
  readonly resumesSinceProgress: number;
  readonly largeValues: ReadonlySet<Key>;
}

/**
 * Reads all records of a run.
 * @throws StepwellError `unavailable` if a record is missing although the one after it exists
 */
export async function readJournal(store: Store, runId: string): Promise<Journal> {
  const read = await readRecords(store, runId);
  const { count: records, resumesSinceProgress, largeValues } = read;
  const entries = await withOutputs(store, withoutPastIterations(read.entries));
  const ids = [...read.substeps.keys()];
  const outcomes = await withOutputs(store, [...read.substeps.values()]);
  return {
    entries: await withHistories(store, entries),
    substeps: new Map(outcomes.map((outcome, at) => [ids[at] as SubstepId, outcome])), // as many as ids
    ...{ records, resumesSinceProgress, largeValues },
  };
}

async function readRecords(store: Store, runId: string): Promise<Records> {
  const entries: StoredEntry[] = [];
  const substeps = new Map<SubstepId, WithStoredOutput>();
  const largeValues = new Set<Key>();
  let resumesSinceProgress = 0;
  for (let count = 0; ; ) {
    // One more than is used: it shows whether the last one is missing.
    const keys = Array.from({ length: ITEMS_PER_READ + 1 }, (_, index) => recordKey(runId, count + index + 1));
    const batch = await store.getMany<JournalRecord>(keys);
    for (const [at, found] of batch.slice(0, ITEMS_PER_READ).entries()) {
      if (found === null) {
        if (await hasChanged(store, keys.slice(at), batch.slice(at))) return readRecords(store, runId);
        return { entries, substeps, count, resumesSinceProgress, largeValues };
      }
      count++;
      resumesSinceProgress = found.document.resumed === true ? resumesSinceProgress + 1 : 0;
      const { entries: settled, substeps: done = [] } = found.document;
      for (const key of keysOfLargeValues([...settled, ...done].map(({ output }) => output))) largeValues.add(key);
      for (const key of keysOfLargeValues(historiesOf(settled))) largeValues.add(key);
      for (const entry of settled) {
        entries.push(entry);
        const { index, item = null, retry } = entry;
        // Only the last iteration of a step with a loop can have substeps that count.
        const parent = item === null ? `${index}` : `${index}.${item + 1}`;
        if (retry !== undefined) forgetSubsteps(substeps, parent, keepsSubsteps(entry));
      }
      for (const { id, ...outcome } of done) substeps.set(id, outcome);
    }
  }
}

/**
 * Whether a record appeared to be missing because the journal changed during the read. It must be read again then.
 * @param batch The records at these keys, of which the first is missing.
 * @throws StepwellError `unavailable` if the first record is lost
 */
async function hasChanged(
  store: Store,
  keys: readonly Key[],
  batch: readonly (Stored<JournalRecord> | null)[],
): Promise<boolean> {
  const [first, later] = [keys[0], keys[batch.findIndex((found) => found !== null)]];
  if (first === undefined || later === undefined) return false;
  const [firstNow, laterNow] = await store.getMany([first, later]);
  if (firstNow === null && laterNow !== null) throw damaged(first, "The journal record");
  return true;
}

/**
 * Leaves out outputs of iterations. Once the loop's condition is decided for the next iteration, too, nothing reads them:
 * the condition and the next iteration see the output before them.
 */
function withoutPastIterations(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const decided = new Set<number>();
  const found = entries.toReversed().map((entry) => {
    const { index, item, retry, continues } = entry;
    if (item !== undefined || retry !== undefined) return entry;
    const isPast = continues !== undefined && decided.has(index);
    if (continues === undefined) decided.delete(index);
    else decided.add(index);
    return isPast ? { ...entry, output: NOTHING } : entry;
  });
  return found.reverse();
}

const NOTHING: InlineOrKey = { value: null };

/** Reads the histories, which only the entries of a retried run have. */
async function withHistories(
  store: Store,
  stored: readonly (Omit<StoredEntry, "output"> & Pick<Outcome, "output">)[],
): Promise<readonly JournalEntry[]> {
  const found = await loadValues(store, historiesOf(stored));
  let read = 0;
  return stored.map(({ index, item = null, history, ...outcome }) => {
    if (history === undefined) return { index, item, outcome };
    const value = found[read++] as StepHistory | null | undefined; // as `foldRun` stored it
    return { index, item, outcome: { ...outcome, history: value ?? undefined } };
  });
}

const historiesOf = (entries: readonly Pick<StoredEntry, "history">[]): InlineOrKey[] =>
  entries.flatMap(({ history }) => history ?? []);

async function withOutputs<T extends WithStoredOutput>(
  store: Store,
  stored: readonly T[],
): Promise<readonly (Omit<T, "output"> & Pick<Outcome, "output">)[]> {
  const found: (Omit<T, "output"> & Pick<Outcome, "output">)[] = [];
  for (let from = 0; from < stored.length; from += ITEMS_PER_READ) {
    const some = stored.slice(from, from + ITEMS_PER_READ);
    const outputs = await loadValues(
      store,
      some.map(({ output }) => output),
    );
    for (const [at, one] of some.entries()) found.push({ ...one, output: outputs[at] ?? null });
  }
  return found;
}
