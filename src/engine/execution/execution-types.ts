/** What one run in memory is made of, what it can be asked, and why it leaves. Types only. */
import type { StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Key, Store } from "../../ports/store.ts";
import type { Run, RunError } from "../../runs/run.ts";
import type { Plan } from "../compile/compile.ts";
import type { Effects } from "../compile/step-kind.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { RunSnapshot } from "../events/run-events.ts";
import type { SubstepId } from "../state/journal.ts";
import type { Progress } from "../state/progress.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { Outcome } from "../state/step-state.ts";

export interface ExecutionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly effects: Effects;
  readonly events: EventBus;
  /** Milliseconds that a run may take. */
  readonly runTime: number;
  /** Takes the slot that the run needs to go on, or a position in the queue. */
  readonly enter: () => "running" | "queued";
  /** Called whenever an outcome of the run is stored. */
  readonly recorded: () => void;
  /** Called once, when nothing of the run is left to do here. */
  readonly left: (how: ExitReason) => void;
}

/** Why a run has left memory: it has ended, only waits, waits for a slot, or storage gave up. */
export type ExitReason =
  | { readonly as: "ended"; readonly shown: () => Run }
  | { readonly as: "waiting"; readonly due: string | undefined }
  | { readonly as: "queued"; readonly document: RunDocument }
  | { readonly as: "lost"; readonly error: StepwellError };

/** A run as it was found, or made. */
export interface LoadedRun {
  readonly document: RunDocument;
  /** Of the document in the store. */
  readonly version: number;
  readonly plan: Plan;
  readonly progress: Progress;
  /** What the parts of steps under way came to. */
  readonly parts: ReadonlyMap<SubstepId, Outcome>;
  /** Records of its journal. */
  readonly records: number;
  /** Documents that hold large outputs. */
  readonly values: ReadonlySet<Key>;
  /** Steps to run next. */
  readonly ready: readonly number[];
}

export interface Execution {
  readonly appId: string;
  /**
   * Carries out the steps that are ready and whatever follows; once, however often it is called. Without a slot it is
   * queued, out of memory.
   */
  begin(): Promise<void>;
  /** As far as it is stored; null when memory does not tell how far that is: a commit takes long, or was given up. */
  snapshot(): Promise<RunSnapshot | null>;
  /**
   * Ends it: as canceled, or as failed where there is an error. Settles when that is stored; false when the run has left
   * memory without having ended.
   */
  stop(error: RunError | null): Promise<boolean>;
  /**
   * What a step waits for. Settles when it is stored; false when the run has left memory before.
   * @throws StepwellError `conflict` when the step does not wait.
   */
  provide(index: number, value: JsonValue): Promise<boolean>;
  /**
   * Looks at what it waits for, once it has a slot. Settles when what has come, or that it is queued, is stored; false
   * when the run has left memory before.
   */
  wake(): Promise<boolean>;
  /** Starts nothing more; settles when what was under way is stored. When time is up it is let go of. */
  suspend(timeUp: Promise<void>): Promise<void>;
}
