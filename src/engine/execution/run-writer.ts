/** Writes one run to the storage: its document and its journal records. */
import { lookbackChanges } from "../../app-events/event-wait.ts";
import { omitUndefined } from "../../json.ts";
import type { Change } from "../../ports/store.ts";
import type { Run } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import { appendRecord, deleteJournal, outcomeChanges, type SettledStep } from "../state/journal.ts";
import { hasSameWaits, withOpenWaits } from "../state/open-waits.ts";
import { foldRun, putEndedRun, putRun } from "../state/run-changes.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import { withStatus } from "../state/run-timeout.ts";
import { showEndedFrom, showRunning } from "../state/run-view.ts";
import type { RunEnd } from "./execution-state.ts";
import type { ExecutionContext, LoadedRun } from "./execution-types.ts";
import { type RetryOptions, retryWhileUnavailable } from "./retry-storage.ts";
import type { AwaitedChild } from "./step-context.ts";
import type { Substeps } from "./substeps.ts";

/** Status of a run that has not ended. */
export type OpenStatus = "queued" | "running" | "waiting";

export interface RunWriter {
  /** The document as stored. */
  document(): RunDocument;
  show(): Run;
  /** Whether the stored document already has the status `waiting` with the right due time. */
  isStoredAsWaiting(): boolean;
  /** Whether the stored document has the waits for events that are open now. */
  hasStoredWaits(): boolean;
  /**
   * Stores outcomes of steps and finished substeps, and the run's status.
   * @param unneeded Child runs that no task waits for any more, to be canceled.
   */
  record(entries: readonly SettledStep[], status: OpenStatus, unneeded: readonly string[]): Promise<void>;
  /** @param children Child runs that a waiting run waits for. */
  putStatus(status: OpenStatus, children?: readonly AwaitedChild[]): Promise<void>;
  /**
   * Folds the journal into the run document.
   * @param children Child runs that have not ended, to be canceled.
   */
  end(end: RunEnd, children: readonly string[]): Promise<void>;
  /** Marks that a closing process interrupted the run, so that its next start doesn't count as a crash. */
  markInterrupted(): Promise<void>;
  /** Stops retrying failed commits. */
  stopRetrying(): void;
}

export function createRunWriter(
  loaded: LoadedRun,
  substeps: Substeps,
  { store, clock, logger, runTimeoutMs, handlers }: ExecutionContext,
): RunWriter {
  const { plan, progress } = loaded;
  const { id } = loaded.document;
  let { document, version, records } = loaded;
  const largeValues = new Set(loaded.largeValues);
  let hasStoppedRetrying = false;
  const retry: RetryOptions = {
    clock,
    isStopped: () => hasStoppedRetrying,
    onFailure: (error) => logger.warn("could not store a run; retrying", { run: id, error }),
  };
  const now = () => instant(clock.now());
  const commit = (changes: readonly Change[]) => retryWhileUnavailable(() => store.commit(changes), retry);
  const documentAs = (status: OpenStatus, children: readonly AwaitedChild[] = []) =>
    withOpenWaits(withStatus(document, status, now(), runTimeoutMs, progress.wakeUps, children), plan, progress);

  return {
    document: () => document,

    show() {
      const showAs = isEnded(document) ? showEndedFrom : showRunning;
      return showAs(document, plan, progress);
    },

    isStoredAsWaiting: () => document.status === "waiting" && documentAs("waiting").due_at === document.due_at,
    hasStoredWaits: () => hasSameWaits(withOpenWaits(document, plan, progress), document),

    async record(entries, status, unneeded) {
      const { entries: substepEntries, markStored } = substeps.drainUnstored();
      const outcomes = outcomeChanges(id, records + 1, entries, substepEntries);
      for (const key of outcomes.largeValues) largeValues.add(key);
      const next = withUnneeded(documentAs(status), unneeded);
      const isWaitNew = !hasSameWaits(next, document);
      const isChanged =
        isWaitNew ||
        next.status !== document.status ||
        next.due_at !== document.due_at ||
        !isSubset(unneeded, document.unneeded);
      const lookbacks = isChanged ? lookbackChanges(next, document) : [];
      // Most commits only add to the journal: a copy of the document for each of them would cost a tenth of a run.
      const changed = isChanged ? { ...next, records: records + 1 } : document;
      await commit(
        isChanged ? [...outcomes.changes, putRun(changed, version, document), ...lookbacks] : outcomes.changes,
      );
      records++;
      if (isChanged) version++;
      document = changed;
      markStored();
      if (lookbacks.length > 0) handlers.onEventWaitsStored(document.app_id, id);
    },

    async putStatus(status, children) {
      const next = { ...documentAs(status, children), records };
      const lookbacks = lookbackChanges(next, document);
      await commit([putRun(next, version, document), ...lookbacks]);
      version++;
      document = next;
      if (lookbacks.length > 0) handlers.onEventWaitsStored(document.app_id, id);
    },

    async end({ status, error }, children) {
      const folded = foldRun(document, plan, progress, { status, error, at: now() }, largeValues, children);
      const { document: ended, changes, unused } = folded;
      await commit([...changes, putEndedRun(ended, version, document), ...deleteJournal(id, records, unused)]);
      document = ended;
    },

    markInterrupted: () => commit([appendRecord(id, records + 1, [])]),

    stopRetrying() {
      hasStoppedRetrying = true;
    },
  };
}

function withUnneeded(document: RunDocument, children: readonly string[]): RunDocument {
  if (children.length === 0 && document.unneeded === undefined) return document;
  const { unneeded: _, ...rest } = document;
  return { ...rest, ...omitUndefined({ unneeded: children.length === 0 ? undefined : children }) };
}

function isSubset(some: readonly string[], all: readonly string[] = []): boolean {
  if (some.length === 0) return true;
  const known = new Set(all);
  return some.every((one) => known.has(one));
}
