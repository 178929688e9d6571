/**
 * Outcomes that are not stored yet, and the requests that brought some of them. Only the commit that holds an outcome
 * acknowledges its request: an outcome that is dropped for any other reason rejects the request, or hands it back.
 */
import type { StepwellError } from "../../errors.ts";
import type { Change } from "../../ports/store.ts";
import type { Outcome } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";

/** An outcome in the order of arrival. */
export interface PendingOutcome {
  readonly task: Task;
  readonly outcome: Outcome;
  /** Missing for the outcome of a task that the run executed. */
  readonly request?: OutcomeRequest;
}

interface OutcomeRequest {
  /** Stored with the outcome. */
  readonly changes: readonly Change[];
  /** @param isStored False to hand the request back: the run's stored state decides about it. */
  resolve(isStored: boolean): void;
  reject(error: StepwellError): void;
}

export class PendingOutcomes {
  private arrived: PendingOutcome[] = [];
  /** Settled in memory and part of the commit in progress. */
  private settled: readonly PendingOutcome[] = NONE;
  private isClosed = false;

  /** Whether no outcome waits for a commit that stores it. */
  isEmpty(): boolean {
    return this.arrived.length === 0;
  }

  /** Whether an outcome of the task has not settled in memory. */
  has(task: Task): boolean {
    return this.arrived.some((outcome) => outcome.task === task);
  }

  /** Adds the outcome of a task that the run executed. */
  add(task: Task, outcome: Outcome): void {
    if (!this.isClosed) this.arrived.push({ task, outcome });
  }

  /**
   * Adds an outcome that a caller requested. Resolves with true when the commit that holds it is stored, or with false
   * if the run left memory without it. Rejects if a storage failure or a shutdown leaves that unknown.
   * @param changes Part of that commit.
   */
  request(task: Task, outcome: Outcome, changes: readonly Change[] = []): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    return new Promise((resolve, reject) =>
      this.arrived.push({ task, outcome, request: { changes, resolve, reject } }),
    );
  }

  /** The outcomes to settle next. They stay pending, so that a waiting step cannot settle twice. */
  waiting(): readonly PendingOutcome[] {
    return [...this.arrived];
  }

  /** Call this when outcomes of {@link waiting} have settled in memory, before the commit that holds them. */
  markSettled(outcomes: readonly PendingOutcome[]): void {
    this.settled = outcomes;
    this.arrived = this.arrived.filter((outcome) => !outcomes.includes(outcome));
  }

  /** What the requests of all settled outcomes commit with them. */
  changes(): readonly Change[] {
    return this.settled.flatMap(({ request }) => request?.changes ?? []);
  }

  /** Call this when the commit that holds all settled outcomes is stored. */
  markStored(): void {
    for (const { request } of this.settled) request?.resolve(true);
    this.settled = NONE;
  }

  /**
   * Drops everything that is not stored, now and later, because nothing more of the run is stored here.
   * @param error Rejects the requests; null hands them back.
   */
  close(error: StepwellError | null): void {
    this.isClosed = true;
    for (const { request } of [...this.settled, ...this.arrived]) {
      if (error === null) request?.resolve(false);
      else request?.reject(error);
    }
    this.settled = NONE;
    this.arrived = [];
  }
}

const NONE: readonly PendingOutcome[] = [];
