/** The state of a run in memory, the outcomes and requests that wait for a commit, and why memory may differ from the storage. */
import { isStepwellError, type StepwellError } from "../../errors.ts";
import { isAskKey, runKey } from "../../runs/run-rows.ts";
import type { ExitReason } from "../engine-events.ts";
import { isRecordOf } from "../state/journal.ts";
import { asStorageFailure, closingError } from "../step-error.ts";
import { CommitObservers } from "./commit-observers.ts";
import { afterStoring, canStore, type ExecutionState, isOver, isStoring, transition } from "./execution-state.ts";
import { PendingOutcomes } from "./pending-outcomes.ts";

/** Whether a conflict means that the run has changed. A request that came with an outcome may have been taken back, too. */
function isChangedBy(runId: string, key: string | undefined): boolean {
  return key === runKey(runId) || isRecordOf(runId, key) || isAskKey(key);
}

export class RunLifecycle {
  readonly commits = new CommitObservers();
  readonly pending = new PendingOutcomes();
  private state: ExecutionState = "loaded";
  private storageFailure: StepwellError | null = null;
  private hasBeenReplaced = false;

  is(state: ExecutionState): boolean {
    return this.state === state;
  }

  /** Whether a commit is awaited. There is one at a time. */
  isStoring(): boolean {
    return isStoring(this.state);
  }

  /** Whether incoming outcomes can be stored immediately. */
  canStore(): boolean {
    return canStore(this.state);
  }

  /** Whether incoming outcomes and requests are ignored. */
  isOver(): boolean {
    return isOver(this.state);
  }

  /** Why memory holds changes that could not be stored, or null. */
  unstored(): StepwellError | null {
    return this.storageFailure;
  }

  /** Whether another operation changed the stored run, so that memory is out of date. */
  isOutdated(): boolean {
    return this.hasBeenReplaced;
  }

  /**
   * The only place that changes the state. When nothing more of the run is stored here, it also settles everything that
   * waits for a commit.
   * @param error Rejects pending requests; null hands them back to be decided by the stored run.
   */
  enter(next: ExecutionState, error: StepwellError | null = isOver(next) ? closingError() : null): void {
    this.state = transition(this.state, next);
    if (!isOver(next)) return;
    if (error !== null && (next === "detached" || !this.pending.isEmpty())) this.storageFailure ??= error;
    this.pending.close(error);
    this.commits.notify();
  }

  /** Call this when a commit has finished. */
  stopStoring(): void {
    const next = afterStoring(this.state);
    if (next !== this.state) this.enter(next);
    this.commits.notify();
  }

  /** Call this when memory is out of date. */
  replace(): ExitReason {
    this.hasBeenReplaced = true;
    return { kind: "changed" };
  }

  /** Call this when a commit has failed: the stored state is correct, and memory is discarded. */
  fail(runId: string, error: unknown): ExitReason {
    if (isStepwellError(error, "conflict") && isChangedBy(runId, error.key)) return this.replace();
    this.storageFailure = asStorageFailure(error);
    return { kind: "storage_failed", error: this.storageFailure };
  }
}
