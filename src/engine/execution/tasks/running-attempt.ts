/** One attempt of a task or a substep, as the executable sees it, with its own signal and log. */
import type { JsonValue } from "../../../json.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import { MINUTE_MS } from "../../../time/units.ts";
import type { ExpressionScope } from "../../expressions/expression-scope.ts";
import type { Outcome } from "../../progress/step-state.ts";
import { asStepError, type StepError, timeoutError } from "../../step-error.ts";
import type { Attempt, AwaitedChild, Effect, Effects, Executable, Pure, Substep } from "../step-context.ts";
import type { ChildReports } from "./open-children.ts";
import { takenOutput } from "./step-output.ts";

/** Shared by all attempts of a run. */
export interface AttemptTools {
  readonly run: Pick<Attempt, "app_id" | "run_id" | "root_run_id" | "depth">;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked before each attempt. If it returns false, nothing begins and nothing is reported: the run ends. */
  mayBegin(): boolean;
}

/** What an attempt executes. */
export interface ExecutedPart extends ChildReports {
  readonly executable: Effect | Pure;
  readonly scope: ExpressionScope;
  /** Key of the step. */
  readonly stepKey: string;
  readonly tools: AttemptTools;
  /** Called with each piece of the text that the step is generating. */
  onDelta(text: string): void;
}

/** What an attempt reports, until it has ended or was stopped. */
export interface AttemptReports {
  onLog(lines: readonly string[]): void;
  onAwaitChild(child: AwaitedChild): void;
  /** Called once. */
  onEnd(value: JsonValue, error: StepError | null): void;
  runSubstep(substep: Substep, within: Attempt): Promise<Outcome>;
}

/** Time limit of executables that define none. */
const DEFAULT_TIMEOUT_MS = MINUTE_MS;

/**
 * Anything that arrives after the attempt's end is ignored. Synchronous results skip promises and timers, which would cost
 * more than many actions do.
 */
export class RunningAttempt implements Attempt {
  readonly app_id: string;
  readonly run_id: string;
  readonly root_run_id: string;
  readonly depth: number;
  readonly step_key: string;
  readonly idempotencyKey: string;
  readonly previousKey: string | undefined;
  readonly timeoutMs: number;
  private readonly part: ExecutedPart;
  private readonly reports: AttemptReports;
  private controller: AbortController | undefined;
  private stopReason: StepError | undefined;
  private isOver = false;
  private cancelTimer: (() => void) | undefined;

  constructor(part: ExecutedPart, reports: AttemptReports, idempotencyKey: string, previousKey: string | undefined) {
    const { executable, stepKey, tools } = part;
    const { run } = tools;
    this.app_id = run.app_id;
    this.run_id = run.run_id;
    this.root_run_id = run.root_run_id;
    this.depth = run.depth;
    this.step_key = stepKey;
    this.idempotencyKey = idempotencyKey;
    this.previousKey = previousKey;
    this.timeoutMs = executable.kind === "effect" ? executable.timeoutMs : DEFAULT_TIMEOUT_MS;
    this.part = part;
    this.reports = reports;
  }

  /** Created on demand: most steps never use it. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.stopReason !== undefined) this.controller.abort(this.stopReason);
    return this.controller.signal;
  }

  start(): void {
    const { executable, scope, tools } = this.part;
    try {
      const result =
        executable.kind === "pure" ? executable.evaluate(scope) : executable.run(scope, this, tools.effects);
      if (!(result instanceof Promise)) {
        this.succeed(result);
        return;
      }
      if (executable.kind === "pure" || executable.startsTimer !== true) this.startTimer();
      result.then(
        (value) => this.succeed(value),
        (error) => this.fail(error),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** Nothing is reported afterwards. */
  stop(reason: StepError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelTimer?.();
    this.stopReason = reason;
    this.controller?.abort(reason);
  }

  startTimer(): void {
    const { timeoutMs, part } = this;
    const { executable, tools } = part;
    const isTimed = this.cancelTimer !== undefined;
    if (this.isOver || isTimed || timeoutMs === Number.POSITIVE_INFINITY || isChildRun(executable)) return;
    this.cancelTimer = tools.clock.after(timeoutMs, () => {
      const late = timeoutError(timeoutMs, executable.kind === "effect" ? executable.label : undefined);
      this.stop(late);
      this.reports.onEnd(null, late);
    });
  }

  openChild(runId: string): void {
    this.part.openChild(runId);
  }

  closeChild(runId: string): void {
    this.part.closeChild(runId);
  }

  awaitChild(child: AwaitedChild): void {
    if (!this.isOver) this.reports.onAwaitChild(child);
  }

  log(lines: readonly string[]): void {
    if (!this.isOver) this.reports.onLog(lines);
  }

  emitDelta(text: string): void {
    if (!this.isOver) this.part.onDelta(text);
  }

  runSubstep(substep: Substep): Promise<Outcome> {
    return this.reports.runSubstep(substep, this);
  }

  private succeed(value: JsonValue): void {
    let output: JsonValue;
    try {
      output = takenOutput(value, this.part.executable);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.end(output, null);
  }

  private fail(error: unknown): void {
    this.end(null, asStepError(error));
  }

  private end(value: JsonValue, error: StepError | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelTimer?.();
    this.reports.onEnd(value, error);
  }
}

export function isChildRun(executable: Executable): boolean {
  return executable.kind === "effect" && executable.isChildRun === true;
}
