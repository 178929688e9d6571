/** What one run in memory is made of, and what it can be asked. Types only. */
import type { StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Key, Store } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import type { Plan } from "../compile/plan.ts";
import type { EngineHandlers } from "../engine-events.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { RunSnapshot } from "../events/run-events.ts";
import type { Progress } from "../state/progress.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { Outcome, SubstepId } from "../state/step-state.ts";
import type { CommitObservers } from "./commit-observers.ts";
import type { ExecutionState, RunEnd } from "./execution-state.ts";
import type { Effects } from "./step-context.ts";

/** What all executions share. */
export interface ExecutionContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly effects: Effects;
  readonly bus: EventBus;
  /** How long a run may take. */
  readonly runTimeMs: number;
  /** Takes the slot that a run needs to continue; false when it is in the queue for one. */
  takeSlot(document: RunDocument): boolean;
  readonly handlers: Pick<EngineHandlers, "onOutcomeStored" | "onRunExit">;
}

/** A run as it was read from the storage, or as it starts. */
export interface LoadedRun {
  readonly document: RunDocument;
  /** Of the document in the store. */
  readonly version: number;
  readonly plan: Plan;
  readonly progress: Progress;
  /** Outcomes of substeps whose steps have not settled. */
  readonly substeps: ReadonlyMap<SubstepId, Outcome>;
  /** Records of its journal. */
  readonly records: number;
  /** Documents that hold large outputs. */
  readonly largeValues: ReadonlySet<Key>;
  /** Steps to execute next. */
  readonly ready: readonly number[];
}

/** Stores what comes in, and starts what follows from it. */
export interface RunLoop {
  state(): ExecutionState;
  readonly commits: CommitObservers;
  /** As it is stored. */
  document(): RunDocument;
  /** As far as the run is stored; null when memory holds what was not stored. */
  read(): RunSnapshot | null;
  /** Why memory holds what was not stored. */
  unstored(): StepwellError | null;
  /** Once; further calls do nothing. */
  execute(): Promise<void>;
  requestEnd(end: RunEnd): void;
  /** Whether a step waits for what nobody has given yet. */
  isWaiting(index: number): boolean;
  /** With what it waited for. */
  settleWaitingStep(index: number, output: JsonValue): void;
  /** Evicts a run that only waits; false for any other. */
  leaveIfIdle(): boolean;
  /** Starts no other step, and retries no commit. */
  hold(): void;
  /** Whether anything is being stored or done here that a process that closes waits for. */
  isAtWork(): boolean;
  /** Cuts off what is running. Settles when that is stored, where nothing else is being stored. */
  interrupt(): Promise<void>;
}

export interface Execution {
  readonly appId: string;
  /**
   * Executes the steps that are ready and whatever follows; further calls do nothing. Without a slot the run is stored as
   * queued, and leaves memory.
   */
  execute(): Promise<void>;
  /** As far as it is stored; null when memory does not tell how far that is: a commit takes long, or was given up. */
  snapshot(): Promise<RunSnapshot | null>;
  /**
   * Ends it: as canceled, or as failed where there is an error. Settles when that is stored; false when the run has left
   * memory without having ended.
   */
  end(error: RunError | null): Promise<boolean>;
  /**
   * The input that a step waits for. Settles when it is stored; false when the run has left memory before.
   * @throws StepwellError `conflict` when the step does not wait.
   */
  provide(index: number, value: JsonValue): Promise<boolean>;
  /**
   * Checks what it waits for, once it has a slot. Settles when what is due, or that it is queued, is stored; false when
   * the run has left memory before.
   */
  resume(): Promise<boolean>;
  /** Starts nothing more; settles when what is running is stored. When time is up it is cut off. */
  suspend(timeUp: Promise<void>): Promise<void>;
}
