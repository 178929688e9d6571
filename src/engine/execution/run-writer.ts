/** Writes one run to the storage: its document and its journal records. */
import { lookbackChanges } from "../../app-events/event-wait.ts";
import { omitUndefined } from "../../json.ts";
import type { Change, DerivedChange, Key, Stored } from "../../ports/store.ts";
import type { Run } from "../../runs/run.ts";
import { runKey } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "../progress/progress.ts";
import {
  appendRecord,
  asNewRecords,
  deleteJournal,
  outcomeChanges,
  type SettledStep,
  type SubstepEntry,
} from "../state/journal.ts";
import { hasSameWaits, withOpenWaits } from "../state/open-waits.ts";
import { foldRun, putEndedRun, putRun } from "../state/run-changes.ts";
import { isEnded, placedAt, type RunDocument } from "../state/run-document.ts";
import { withStatus } from "../state/run-timeout.ts";
import { showEndedFrom, showRunning } from "../state/run-view.ts";
import type { RunEnd } from "./execution-state.ts";
import type { ExecutionContext, LoadedRun } from "./execution-types.ts";
import { type RetryOptions, retryWhileUnavailable } from "./retry-storage.ts";
import type { AwaitedChild } from "./step-context.ts";
import type { Substeps } from "./tasks/substeps.ts";

/** Outcomes that are not in the journal yet. */
interface HeldOutcomes {
  readonly entries: readonly SettledStep[];
  readonly substeps: readonly SubstepEntry[];
}

/** Status of a run that has not ended. */
export type OpenStatus = "queued" | "running" | "waiting";

export class RunWriter {
  private readonly context: ExecutionContext;
  private readonly plan: Plan;
  private readonly progress: Progress;
  private readonly substeps: Substeps;
  private stored: RunDocument;
  private version: number;
  private records: number;
  private readonly largeValues: Set<Key>;
  private readonly retry: RetryOptions;
  private hasStoppedRetrying = false;
  /** What a volatile store gets only if the run leaves memory before its end. */
  private held: HeldOutcomes[] = [];

  constructor(loaded: LoadedRun, substeps: Substeps, context: ExecutionContext) {
    const { clock, logger } = context;
    this.context = context;
    this.plan = loaded.plan;
    this.progress = loaded.progress;
    this.substeps = substeps;
    this.stored = loaded.document;
    this.version = loaded.version;
    this.records = loaded.records;
    this.largeValues = new Set(loaded.largeValues);
    this.retry = {
      clock,
      isStopped: () => this.hasStoppedRetrying,
      onFailure: (error) => logger.warn("could not store a run; retrying", { run: this.stored.id, error }),
    };
  }

  /** The document as stored. */
  document(): RunDocument {
    return this.stored;
  }

  /** The document as stored, with its version. */
  storedRun(): Stored<RunDocument> {
    return { document: this.stored, version: this.version };
  }

  /** Whether the stored run has a worker, so that no other one takes it. */
  hasWorker(): boolean {
    return typeof this.stored.worker === "string";
  }

  show(): Run {
    const showAs = isEnded(this.stored) ? showEndedFrom : showRunning;
    return showAs(this.stored, this.plan, this.progress);
  }

  /** Whether the stored document already has the status `waiting` with the right due time. */
  isStoredAsWaiting(): boolean {
    return this.stored.status === "waiting" && this.documentAs("waiting").due_at === this.stored.due_at;
  }

  /** Whether the stored document has the waits for events that are open now. */
  hasStoredWaits(): boolean {
    return hasSameWaits(withOpenWaits(this.stored, this.plan, this.progress), this.stored);
  }

  /**
   * Stores outcomes of steps and finished substeps, and the run's status.
   * @param unneeded Child runs that no task waits for any more, to be canceled.
   * @param more Committed with them.
   */
  async record(
    entries: readonly SettledStep[],
    status: OpenStatus,
    unneeded: readonly string[],
    more: readonly Change[],
  ): Promise<void> {
    const { stored } = this;
    const substeps = this.substeps.takeUnstored();
    const next = withUnneeded(this.documentAs(status), unneeded);
    const isChanged =
      !hasSameWaits(next, stored) ||
      next.status !== stored.status ||
      next.worker !== stored.worker ||
      // Several processes of a cluster may have a waiting run in memory. Only a new version lets the others notice.
      (next.status === "waiting" && this.context.worker() !== undefined) ||
      next.due_at !== stored.due_at ||
      !isSubset(unneeded, stored.unneeded);
    if (this.context.store.isVolatile === true && status === "running" && !isChanged && more.length === 0) {
      this.held.push({ entries, substeps });
      await this.context.store.commit([]); // leaves turns of the event loop to others, as each commit does
    } else {
      // On its own: it stays stored if the rest is refused.
      await this.storeHeld();
      const changes = [...this.journalOf(entries, substeps), ...more];
      if (isChanged) await this.put({ ...next, records: this.records }, changes);
      // Most commits only add to the journal: a copy of the document for each of them would cost a tenth of a run.
      else await this.append(changes);
    }
    this.substeps.markStored(substeps);
  }

  /** Stores what is held back, because the run leaves memory without having ended. */
  async storeHeld(): Promise<void> {
    if (this.held.length === 0) return;
    const { held } = this;
    this.held = [];
    await this.append(held.flatMap(({ entries, substeps }) => this.journalOf(entries, substeps)));
  }

  /** @param children Child runs that a waiting run waits for. */
  async putStatus(status: OpenStatus, children?: readonly AwaitedChild[]): Promise<void> {
    await this.storeHeld();
    return this.put({ ...this.documentAs(status, children), records: this.records }, []);
  }

  /**
   * Folds the journal into the run document.
   * @param children Child runs that have not ended, to be canceled.
   * @param more Committed with it.
   */
  async end(end: RunEnd, children: readonly string[], more: readonly Change[]): Promise<void> {
    const { stored, plan, progress, largeValues } = this;
    const folded = foldRun(stored, plan, progress, { ...end, at: this.now() }, largeValues, children);
    const { document: ended, changes, unused } = folded;
    const journal = deleteJournal(stored.id, this.records, unused);
    await this.commit([...changes, putEndedRun(ended, this.version, stored), ...journal, ...more]);
    this.stored = ended;
  }

  /** Marks that a closing process interrupted the run, so that its next start doesn't count as a crash. */
  async markInterrupted(): Promise<void> {
    await this.storeHeld();
    const record = appendRecord(this.stored.id, this.records + 1, []);
    if (this.stored.worker === undefined) return this.append([record]);
    // Any worker may continue it at once.
    return this.put({ ...this.stored, worker: null, records: this.records + 1 }, [record]);
  }

  /** Stops retrying failed commits. */
  stopRetrying(): void {
    this.hasStoppedRetrying = true;
  }

  /** The next record of the journal. */
  private journalOf(entries: readonly SettledStep[], substeps: readonly SubstepEntry[]): readonly Change[] {
    const { changes, largeValues } = outcomeChanges(this.stored.id, ++this.records, entries, substeps);
    for (const key of largeValues) this.largeValues.add(key);
    return changes;
  }

  private async put(next: RunDocument, changes: readonly Change[]): Promise<void> {
    const lookbacks = lookbackChanges(next, this.stored);
    await this.commit([...changes, putRun(next, this.version, this.stored), ...lookbacks]);
    this.version++;
    this.stored = next;
    if (lookbacks.length > 0) this.context.handlers.onEventWaitsStored(next.app_id, next.id);
  }

  /** Adds to the journal. In a cluster, only if no other process has taken over. */
  private append(changes: readonly Change[]): Promise<void> {
    if (this.context.worker() === undefined) return this.commit(changes);
    return this.commit([{ key: runKey(this.stored.id), expected: this.version, rows: [] }, ...changes]);
  }

  private commit(changes: readonly (Change | DerivedChange)[]): Promise<void> {
    const all = this.context.worker() === undefined ? changes : asNewRecords(changes);
    return retryWhileUnavailable(() => this.context.store.commit(all), this.retry);
  }

  private documentAs(status: OpenStatus, children: readonly AwaitedChild[] = []): RunDocument {
    const { wakeUps } = this.progress;
    const next = withStatus(this.stored, status, this.now(), this.context.runTimeoutMs, wakeUps, children);
    return withOpenWaits(placedAt(next, this.context.worker()), this.plan, this.progress);
  }

  private now(): string {
    return instant(this.context.clock.now());
  }
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
