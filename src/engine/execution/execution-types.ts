/** The parts of a run in memory, and its operations. Types only. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import type { InputWait } from "../../runs/run-executor.ts";
import type { Plan } from "../compile/plan.ts";
import type { EngineHandlers } from "../engine-events.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { RunSnapshot } from "../events/run-events.ts";
import type { Progress } from "../progress/progress.ts";
import type { Outcome, SubstepId } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { Effects } from "./step-context.ts";

/** Shared by all executions. */
export interface ExecutionContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly effects: Effects;
  readonly bus: EventBus;
  /** Maximum duration of a run in milliseconds. */
  readonly runTimeoutMs: number;
  /** ID of this process in a cluster. */
  worker(): string | undefined;
  /** Whether this process has deleted the app. */
  isAppDeleted(appId: string): boolean;
  /** Takes the slot that a run needs to continue. Returns false if the run was queued instead. */
  takeSlot(document: RunDocument): boolean;
  readonly handlers: Pick<EngineHandlers, "onOutcomeStored" | "onEventWaitsStored" | "onRunExit">;
}

/** A run as loaded from the storage, or as newly started. */
export interface LoadedRun {
  readonly document: RunDocument;
  /** Version of the stored document. */
  readonly version: number;
  readonly plan: Plan;
  readonly progress: Progress;
  /** Outcomes of substeps whose steps have not settled. */
  readonly substeps: ReadonlyMap<SubstepId, Outcome>;
  /** Number of journal records. */
  readonly records: number;
  /** Keys of documents that hold large outputs. */
  readonly largeValues: ReadonlySet<Key>;
  /** Tasks to execute next. */
  readonly ready: readonly Task[];
}

/** A run that has not ended. */
export interface OpenRun {
  readonly document: RunDocument;
  readonly plan: Plan;
  readonly progress: Progress;
}

/** What a run has received of some events. */
export interface Received {
  /** For each event, the number of steps that it has settled. */
  readonly settled: readonly number[];
  /** False if the run has left memory before it has received all. */
  readonly isComplete: boolean;
}

export interface Execution {
  readonly appId: string;
  /**
   * Executes the ready steps and everything that follows. Further calls do nothing. Without a slot, the run is stored
   * as queued and evicted.
   */
  execute(): Promise<void>;
  /** The run as stored, or null if memory can't tell: a commit takes too long, or failed. */
  snapshot(): Promise<RunSnapshot | null>;
  /** The same with everything that is known of its steps. What it returns changes with the next outcome. */
  inspect(): Promise<OpenRun | null>;
  /**
   * Ends the run as failed, or as canceled if `error` is null. Resolves with true when stored, or with false if the run
   * has left memory without ending.
   */
  end(error: RunError | null): Promise<boolean>;
  /**
   * Provides the input that a step waits for. Resolves with true when stored, or with false if the run has left memory
   * without it. Rejects if that is unknown.
   * @param changes To be committed with it.
   * @throws StepwellError `conflict` if the step is not waiting.
   */
  provide(index: number, value: JsonValue, wait?: InputWait, changes?: readonly Change[]): Promise<boolean>;
  /** Settles the steps that wait for one of these events. Resolves when that is stored. */
  receive(events: readonly ReceivedEvent[]): Promise<Received>;
  /**
   * Checks what the run waits for, once it has a slot. Resolves with true when the result, or the queued status, is
   * stored. Resolves with false if the run has left memory.
   */
  resume(): Promise<boolean>;
  /** Stops at once, without storing anything more: another process may have taken over. */
  abandon(): void;
  /** Starts nothing further. Resolves when running steps are stored, or interrupts them when `timeUp` resolves. */
  suspend(timeUp: Promise<void>): Promise<void>;
}
