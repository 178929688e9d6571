/** The attempts of a task or a substep, one after the other: backoff, time limit and cancellation. */
import { type JsonValue, omitUndefined } from "../../../json.ts";
import type { LogPart } from "../../../runs/run-step.ts";
import type { CompiledStep } from "../../compile/plan.ts";
import { SHORT_WAIT_MS } from "../../progress/open-tasks.ts";
import { type EndedAttempt, withAttempt } from "../../progress/step-history.ts";
import { type StepLog, withLines, withPart } from "../../progress/step-log.ts";
import type { NextAttempt, Outcome } from "../../progress/step-state.ts";
import { asStepFailure, hiddenCause, type StepError } from "../../step-error.ts";
import type { Attempt, AwaitedChild, RunSubstep, Substep } from "../step-context.ts";
import { nextAttemptDelay } from "./retry-policy.ts";
import { type AttemptReports, type ExecutedPart, isChildRun, RunningAttempt } from "./running-attempt.ts";

/** What is executed: a task or a substep. */
export interface AttemptsOwner extends ExecutedPart {
  readonly idempotencyKey: string;
  /** Set for a task: the run stores an attempt that another one follows after a wait. A substep waits in memory. */
  readonly stored: StoredAttempts | undefined;
  runSubstep(...substep: Parameters<RunSubstep>): Promise<Outcome>;
  /** Called with log lines as they arrive. */
  onLog(lines: readonly string[]): void;
  /** Called when an attempt has failed that another one follows. */
  onRetrying(failed: FailedAttempt): void;
  /** Called when it begins to wait for a child run. */
  onAwaitChild(child: AwaitedChild): void;
  /** Called once unless stopped, possibly before {@link Attempts.start} returns. */
  onSettled(outcome: Outcome): void;
}

/** A failed attempt that another one follows. */
export interface FailedAttempt {
  readonly number: number;
  readonly error: StepError;
  /** When the next one starts, in milliseconds since 1970. */
  readonly nextAt: number;
}

/** The attempts of a task, as stored. */
export interface StoredAttempts {
  /** The last one that was stored. */
  readonly last: Outcome | undefined;
  /**
   * Number of the attempt that last changed the idempotency key, if the run was retried while an attempt with that key was
   * in progress. The first attempt uses this key again.
   */
  readonly firstKey: number | undefined;
}

const NO_LINES: StepLog = [];
const NO_PARTS: readonly LogPart[] = [];
const NO_SUBSTEPS: readonly Substep[] = [];
const NO_CHILDREN: readonly AwaitedChild[] = [];

/** A class, because each task of each run has one: functions of its own would cost more than many actions do. */
export class Attempts implements AttemptReports {
  isSettled = false;
  private readonly owner: AttemptsOwner;
  private readonly startedAt: number;
  private logs = NO_LINES;
  private parts = NO_PARTS;
  private attempts: number;
  /** Number of attempts, without the additional attempts of substeps. */
  private ownAttempts: number;
  /** Number of the attempt that changed the idempotency key last, or 0. */
  private keyAttempt: number;
  private previousKey: string | undefined;
  private attemptStartedAt: number;
  /** The last attempts, once there are several. */
  private tries: readonly EndedAttempt[] | undefined;
  private runningSubsteps = NO_SUBSTEPS;
  private awaited = NO_CHILDREN;
  private current: RunningAttempt | undefined;
  private cancelDelay: (() => void) | undefined;

  constructor(owner: AttemptsOwner) {
    const { stored, tools } = owner;
    const last = stored?.last;
    this.owner = owner;
    this.startedAt = last?.started_at ?? tools.clock.now();
    this.attemptStartedAt = this.startedAt;
    this.attempts = last?.attempts ?? 0;
    this.tries = last?.tries;
    this.ownAttempts = last?.retry?.attempts ?? 0;
    this.keyAttempt = last?.retry?.key ?? stored?.firstKey ?? 0;
    this.previousKey = last === undefined ? undefined : this.keyOf(last.retry?.before ?? 0);
  }

  /** Starts the first attempt, or the next one after those that were stored. */
  start(): void {
    const { owner } = this;
    if (!owner.tools.mayBegin()) return;
    if (this.tries !== undefined) this.attemptStartedAt = owner.tools.clock.now();
    this.attempts++;
    this.ownAttempts++;
    this.awaited = NO_CHILDREN;
    this.current = new RunningAttempt(owner, this, this.keyOf(this.keyAttempt), this.previousKey);
    this.current.start();
  }

  /** Stops the current attempt, or the delay before the next. Nothing is reported afterwards. */
  stop(reason: StepError): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.current?.stop(reason);
    this.cancelDelay?.();
  }

  /** Number of attempts so far, including the current one. */
  count(): number {
    return this.attempts;
  }

  /** Whether it works by itself. Waiting for a child run doesn't count: the child has its own grace period. */
  isWorking(): boolean {
    const { runningSubsteps, owner } = this;
    return runningSubsteps.length > 0 ? !runningSubsteps.every(isChildRun) : !isChildRun(owner.executable);
  }

  /** The child runs that it waits for, or null if it does anything else. */
  awaitedChildren(): readonly AwaitedChild[] | null {
    return this.awaited.length === Math.max(1, this.runningSubsteps.length) ? this.awaited : null;
  }

  onLog(lines: readonly string[]): void {
    const before = this.logs.length;
    this.append(lines);
    if (this.logs.length > before) this.owner.onLog(this.logs.slice(before));
  }

  private append(lines: readonly string[]): void {
    const before = this.logs.length;
    this.logs = withLines(this.logs, lines);
    this.parts = withPart(this.parts, { lines: this.logs.length - before, attempt: this.attempts });
  }

  onAwaitChild(child: AwaitedChild): void {
    this.awaited = [...this.awaited, child];
    this.owner.onAwaitChild(child);
  }

  /** Attempts of a substep count as attempts of its step. */
  async runSubstep(substep: Substep, within: Attempt): Promise<Outcome> {
    this.runningSubsteps = [...this.runningSubsteps, substep];
    try {
      const outcome = await this.owner.runSubstep(substep, within);
      this.attempts += outcome.attempts - 1;
      return outcome;
    } finally {
      this.runningSubsteps = this.runningSubsteps.filter((one) => one !== substep);
      this.awaited = NO_CHILDREN;
    }
  }

  onEnd(value: JsonValue, error: StepError | null): void {
    if (error === null) this.settle(value, null);
    else this.retryOrFail(error);
  }

  private retryOrFail(error: StepError): void {
    const { executable, tools, idempotencyKey, stored } = this.owner;
    const { clock, logger, run } = tools;
    const cause = hiddenCause(error);
    if (cause !== null)
      logger.warn("a step attempt failed because of a storage error", { run: run.run_id, error: cause });
    const delay = nextAttemptDelay(executable, error, this.ownAttempts, idempotencyKey);
    if (delay === null) {
      this.settle(null, error);
      return;
    }
    this.noteTry(error);
    const nextAt = Math.ceil(clock.now() + delay);
    this.owner.onRetrying({ number: this.attempts, error, nextAt });
    const before = this.keyAttempt;
    const hasPolicy = executable.kind === "effect" && executable.retry !== undefined;
    if (hasPolicy && (!error.retryable || isChildRun(executable))) this.keyAttempt = this.ownAttempts + 1;
    // Declared attempts are stored, however short the wait: they count, may change the key, and end those of substeps.
    if (stored !== undefined && (delay > SHORT_WAIT_MS || hasPolicy)) {
      this.settle(null, error, { at: nextAt, attempts: this.ownAttempts, key: this.keyAttempt, before });
      return;
    }
    this.previousKey = this.keyOf(before);
    this.append(error.logs);
    this.cancelDelay = clock.after(delay, () => this.start());
  }

  private settle(output: JsonValue, error: StepError | null, retry?: NextAttempt): void {
    this.isSettled = true;
    if (error !== null) this.append(error.logs);
    if (this.tries !== undefined && retry === undefined) this.noteTry(error);
    this.owner.onSettled({
      output,
      error: error === null ? null : asStepFailure(error),
      attempts: this.attempts,
      logs: this.logs.length === 0 ? undefined : this.logs,
      log_parts: this.parts.every(({ attempt }) => attempt === this.attempts) ? undefined : this.parts,
      started_at: this.startedAt,
      finished_at: this.owner.tools.clock.now(),
      ...omitUndefined({ retry, tries: this.tries }),
    });
  }

  private noteTry(error: StepError | null): void {
    const { attempts: number, attemptStartedAt: started_at } = this;
    this.tries = withAttempt(this.tries, { number, started_at, finished_at: this.owner.tools.clock.now(), error });
  }

  private keyOf(attempt: number): string {
    const { idempotencyKey } = this.owner;
    return attempt === 0 ? idempotencyKey : `${idempotencyKey}~${attempt}`;
  }
}

/**
 * Returns the idempotency key of an iteration or an item, the same after a crash. Attempts add their number to it once an
 * error has shown that the receiver did not act. Attempts of child runs always add it, because the id of a child run is
 * derived from the key.
 * @param retries Number of retries of the run when the step got its key. `keptKeys` in `state/retry-run.ts` decides it.
 */
export function idempotencyKeyOf(runId: string, step: CompiledStep, iteration: number, retries: number): string {
  return `${runId}/${step.headerKey}/${iteration}${retries === 0 ? "" : `/${retries}`}`;
}
